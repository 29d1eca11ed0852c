import type { Author } from '@fabrica/test-peers/author.ts';
import { BEHIND_PROXY, limitedRequests } from '@fabrica/test-peers/ip-addresses.ts';
import type { OpenAiStandIn } from '@fabrica/test-peers/openai-stand-in.ts';
import { JOB_PROMPT, markedTranslation } from '@fabrica/test-peers/openai-stand-in-segments.ts';
import { type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import type { Route } from '@playwright/test';
import { expect, expectAccessible, test } from '../journal.ts';
import { rowsOf, signInOn } from '../people.ts';
import type { Visitor } from '../steps.ts';
import { CALLS, expectConsoleErrors, failRequests, loseResponse, recordRequests } from '../traffic.ts';

/** No other test has it translated: words that somebody has accepted are taken from the memory, without a model. */
const TITLE = 'The heart that feeds itself';
const CONTENT = 'The heart feeds itself first.\n\nIts arteries leave the aorta.';
const AI_TIMEOUT_MS = 30_000;

let author: Author;
let visitor: Visitor;

async function openForm(server: RunningServer, page: Visitor['page']): Promise<void> {
  ({ author, visitor } = await signInOn(page, server));
  await visitor.open('/admin');
  await visitor.fillPost(TITLE, CONTENT);
}

// What the page could not translate is seen before the server translates it.
test.beforeEach(
  ({ journal }) => void journal.provider.behave({ kind: 'fail', status: 400, when: JOB_PROMPT }),
);
test.afterEach(({ journal }) => journal.provider.reset());

/** Waits for the notice that says how the publish ended, and returns the author's only post. */
async function publishedPost(
  server: RunningServer,
  title = visitor.m.publish.success.title,
): Promise<Record<string, unknown>> {
  await expect(visitor.notice(title)).toBeVisible();
  await expect(visitor.page).toHaveURL(/\/gallery/);
  const posts = await rowsOf(server, `journal_posts?user_id=eq.${author.id}`);
  expect(posts).toHaveLength(1);
  return posts[0] ?? {};
}

async function expectDraft(): Promise<void> {
  const { page, m } = visitor;
  await expect(page.getByLabel(m.publish.titleField.label)).toHaveValue(TITLE);
  await visitor.expectMedicalText(CONTENT);
  await expect(page.getByAltText(m.publish.image.preview)).toBeVisible();
  await expect(visitor.publishButton).toBeEnabled();
}

/** Returns the calls of the page. The server goes on with what posts lack, and reads translations once more. */
const callsOfPage = ({ calls }: OpenAiStandIn) =>
  calls.filter(({ prompt }) => /^Translate the following /.test(prompt));

/** Expects that each text was translated into each language once. */
function expectNoSecondTranslation(provider: OpenAiStandIn): void {
  expect(callsOfPage(provider)).toHaveLength(8);
}

test('unusable responses of the model are treated as failed translations', async ({
  page,
  journal,
  consoleErrors,
}) => {
  const { server, provider } = journal;
  for (const [behaviour, when] of [
    [{ kind: 'say', text: 'Once upon a time. '.repeat(99) }, /title .* to English/],
    [{ kind: 'nonsense', as: 'html' }, /title .* to Spanish/],
    [{ kind: 'nonsense', as: 'empty-text' }, /title .* to French/],
    [{ kind: 'fail', status: 500 }, /title .* to German/],
    [{ kind: 'hang-up' }, /medical text to English/],
    [{ kind: 'say', text: '   ' }, /medical text to Spanish/],
  ] as const) {
    provider.behave({ ...behaviour, when });
  }
  await openForm(server, page);
  await visitor.publishButton.click();
  const { title } = visitor.m.publish.missingTranslations;
  const missing = visitor.notice(title);
  await expect(missing).toBeVisible();
  for (const part of ['title in Spanish', 'title in French', 'title in German', 'text in Spanish']) {
    await expect(missing).toContainText(part);
  }
  await expect(missing).not.toContainText('text in French');
  // The author's own words are English.
  await expect(missing).not.toContainText('in English');
  const post = await publishedPost(server, title);
  for (const language of ['en', 'es', 'fr', 'de']) expect(post[`title_${language}`]).toBe(TITLE);
  expect(post).toMatchObject({
    content_en: CONTENT,
    content_es: CONTENT,
    content_fr: markedTranslation(CONTENT, 'fr'),
    content_de: markedTranslation(CONTENT, 'de'),
  });
  expectConsoleErrors(consoleErrors, /status of 50\d/);
});

test('what a model says around a translation reaches nobody, and a refusal or a language that nobody asked for is a failed translation', async ({
  page,
  journal,
}) => {
  const { server, provider } = journal;
  const spanish = 'El corazón se alimenta primero.\n\nSus arterias salen de la aorta.';
  for (const [text, when] of [
    ["I'm sorry, but I can't help with that request.", /title .* to German/],
    ['El corazón que se alimenta<|im_end|>', /title .* to Spanish/],
    ['```\nLe cœur qui se nourrit\n```', /title .* to French/],
    [
      'Il cuore si nutre per primo, ed è un muscolo.\n\nLe sue arterie non sono nel petto.',
      /following medical text to German/,
    ],
    [`Español:\n\n${spanish}</s>`, /following medical text to Spanish/],
    [
      'Voici la traduction :\n\nLe cœur se nourrit d&rsquo;abord.\n\nSes artères partent de l&rsquo;aorte.',
      /following medical text to French/,
    ],
  ] as const) {
    provider.behave({ kind: 'say', text, when });
  }
  await openForm(server, page);
  await visitor.publishButton.click();
  const { missingTranslations, success } = visitor.m.publish;
  expect(await publishedPost(server, missingTranslations.title)).toMatchObject({
    ...{ title_de: TITLE, title_es: 'El corazón que se alimenta', title_fr: 'Le cœur qui se nourrit' },
    ...{ content_de: CONTENT, content_es: spanish },
    content_fr: 'Le cœur se nourrit d’abord.\n\nSes artères partent de l’aorte.',
  });
  await expect(visitor.notice(success.title)).toHaveCount(0);
  await expect(visitor.notice(missingTranslations.title)).toContainText(
    'The original text stands in for: title in German, text in German.',
  );
  expect(callsOfPage(provider).map(({ temperature }) => temperature)).toEqual(Array(8).fill(0));
});

test('a stalled translation is aborted after 30 s, and the others are kept', async ({ page, journal }) => {
  const { server, provider } = journal;
  provider.behave({ kind: 'stall', when: /medical text to Spanish/ });
  await page.clock.install();
  await openForm(server, page);
  await visitor.publishButton.click();
  const translating = visitor.notice('Translating...');
  await expect(translating).toContainText('Generating translations for all languages');
  await expect(translating).toContainText('6 of 8');
  await expect(visitor.publishButton).toHaveText('Publishing...');
  await expect(visitor.publishButton).toBeDisabled();
  await expectAccessible(page);
  await page.clock.fastForward(AI_TIMEOUT_MS);
  const { title } = visitor.m.publish.missingTranslations;
  const post = await publishedPost(server, title);
  expect(post).toMatchObject({
    title_es: TITLE,
    content_es: CONTENT,
    title_de: markedTranslation(TITLE, 'de'),
    content_en: CONTENT,
  });
  await expect(visitor.notice(title)).toContainText('title in Spanish, text in Spanish');
  await expect(translating).toHaveCount(0);
  await expect.poll(() => provider.calls.filter(({ aborted }) => aborted).length).toBe(2);
});

test('a post without any translation is published in its original text with a notice', async ({
  page,
  journal,
  consoleErrors,
}) => {
  journal.provider.behave({ kind: 'fail', status: 400 });
  await openForm(journal.server, page);
  await visitor.publishButton.click();
  const { missingTranslations, success } = visitor.m.publish;
  const post = await publishedPost(journal.server, missingTranslations.allMissing);
  for (const language of ['en', 'es', 'fr', 'de']) {
    expect(post).toMatchObject({ [`title_${language}`]: TITLE, [`content_${language}`]: CONTENT });
  }
  await expect(visitor.notice(success.title)).toHaveCount(0);
  await expect(visitor.notice(missingTranslations.allMissing)).toContainText(
    missingTranslations.allDescription,
  );
  expectConsoleErrors(consoleErrors, /status of 50\d/);
});

test('a post is published without translations when no model is configured, with a notice', async ({
  page,
}) => {
  const server = await startServer({ DEMO: 'off', ...BEHIND_PROXY });
  try {
    await page.goto(server.url);
    ({ author, visitor } = await signInOn(page, server));
    await page.goto(`${server.url}/admin`);
    await visitor.hydrated();
    await expect(page.getByText(visitor.m.publish.leadWithoutModel)).toBeVisible();
    const asked = recordRequests(page, (request) => request.url().includes('/api/ai/'));
    await visitor.fillPost(TITLE, CONTENT);
    await visitor.publishButton.click();
    const { missingTranslations } = visitor.m.publish;
    expect(await publishedPost(server, missingTranslations.allMissing)).toMatchObject({
      title_de: TITLE,
      content_fr: CONTENT,
      untranslated: null,
    });
    const missing = visitor.notice(missingTranslations.allMissing);
    await expect(missing).toContainText(missingTranslations.notConfigured);
    await expect(missing).not.toContainText(missingTranslations.completed);
    await missing.getByRole('link', { name: visitor.m.publish.success.read }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(TITLE);
    expect(asked, 'nobody is there to be asked').toEqual([]);
  } finally {
    await page.close();
    await server.close();
    expect(limitedRequests(server)).toEqual([]);
  }
});

test('a reader without the permission to publish is offered no form, and nothing is spent', async ({
  page,
}) => {
  const server = await startServer({ DEMO: 'off', ...BEHIND_PROXY, SIGNUP_ROLE: 'reader' });
  try {
    ({ author, visitor } = await signInOn(page, server));
    const sent = recordRequests(page, (request) => request.method() === 'POST');
    await page.goto(`${server.url}/admin`);
    await visitor.hydrated();
    await expect(page.locator('main')).toContainText(visitor.m.publish.failure.forbidden);
    await expect(page.getByRole('link', { name: visitor.m.publish.askForRole.contact })).toBeVisible();
    await expect(page.locator('main form')).toHaveCount(0);
    const { createPost, signOut } = visitor.m.layout;
    await expect(page.getByRole('button', { name: signOut })).toBeVisible();
    await expect(page.getByRole('link', { name: createPost, exact: true })).toHaveCount(0);
    expect(sent).toEqual([]);
    for (const path of ['/admin/posts', '/admin/insights']) {
      await page.goto(`${server.url}${path}`);
      await expect(page.getByRole('link', { name: visitor.m.publish.askForRole.contact })).toBeVisible();
    }
    await page.goto(`${server.url}/account`);
    await expect(page.getByRole('region', { name: visitor.m.account.profile.title })).toBeVisible();
    await expect(page.getByRole('link', { name: visitor.m.layout.insights })).toHaveCount(0);
  } finally {
    await page.close();
    await server.close();
    expect(limitedRequests(server)).toEqual([]);
  }
});

test('a draft survives a network failure during the upload and can be published again', async ({
  page,
  journal,
  consoleErrors,
}) => {
  await openForm(journal.server, page);
  const restore = await failRequests(page, CALLS.upload, 'POST');
  await visitor.publishButton.click();
  const notice = visitor.notice('Failed to create post. Please try again.');
  await expect(notice).toContainText(visitor.m.publish.failure.title);
  await expect(notice).toContainText(visitor.m.publish.failure.offline);
  await expectDraft();
  expect(callsOfPage(journal.provider)).toEqual([]);
  expectConsoleErrors(consoleErrors, /ERR_CONNECTION_FAILED/);
  await restore();
  await visitor.publishButton.click();
  await publishedPost(journal.server);
  expectNoSecondTranslation(journal.provider);
});

test('every press that fails shows the error anew, on the server’s failure and offline, and neither uploads nor translates again', async ({
  page,
  journal,
  consoleErrors,
}) => {
  await openForm(journal.server, page);
  const uploads = recordRequests(page, (request) => request.url().endsWith('/upload'));
  const { failure } = visitor.m.publish;
  // A notice that goes moves the button, which a pointer that is down just then misses.
  const press = () => visitor.publishButton.press('Enter');
  const pressAndFail = async () => {
    await press();
    const fresh = page.locator('.notice[data-tone=error]:not([data-seen])');
    await expect(fresh).toContainText(failure.description);
    await fresh.evaluate((notice: HTMLElement) => {
      notice.dataset.seen = 'true';
    });
    await expect(visitor.publishButton).toBeEnabled();
  };
  const answerWith500 = (route: Route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 500, json: {} }) : route.fallback();
  await page.route(CALLS.posts, answerWith500);
  for (let times = 1; times <= 2; times += 1) await pressAndFail();
  await page.unroute(CALLS.posts, answerWith500);
  const restore = await failRequests(page, CALLS.posts, 'POST');
  for (let times = 1; times <= 2; times += 1) await pressAndFail();
  await expectDraft();
  expectConsoleErrors(consoleErrors, /status of 500/, /ERR_CONNECTION_FAILED/);
  await restore();
  await press();
  expect(await publishedPost(journal.server)).toMatchObject({ title_de: markedTranslation(TITLE, 'de') });
  expectNoSecondTranslation(journal.provider);
  expect(uploads).toHaveLength(1);
});

test('a post whose response was lost is not published twice', async ({ page, journal, consoleErrors }) => {
  await openForm(journal.server, page);
  await loseResponse(page, CALLS.posts, 'POST');
  await visitor.publishButton.click();
  await expect(visitor.notice(visitor.m.publish.failure.offline)).toBeVisible();
  expect(await rowsOf(journal.server, `journal_posts?user_id=eq.${author.id}`)).toHaveLength(1);
  await visitor.publishButton.click();
  await publishedPost(journal.server);
  expectConsoleErrors(consoleErrors, /ERR_CONNECTION_RESET/, /status of 409/);
});

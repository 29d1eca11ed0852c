import { readFileSync } from 'node:fs';
import type { Author } from '@fabrica/test-peers/author.ts';
import type { Page } from '@playwright/test';
import { expect, expectAccessible, test } from '../journal.ts';
import { endSession, rowsOf, signInOn } from '../people.ts';
import { PASSWORD, SMALL_ARTWORK, Visitor } from '../steps.ts';
import { CALLS, expectConsoleErrors, failRequests, pauseRequests } from '../traffic.ts';

/** A draft is kept in this browser until it is published, and by nobody after a sign-out. */

const TITLE = 'The heart';
const CONTENT = 'The heart feeds itself first.';

let author: Author;
let visitor: Visitor;

test.beforeEach(async ({ page, journal }) => {
  ({ author, visitor } = await signInOn(page, journal.server));
  await visitor.open('/admin');
  await visitor.fillPost(TITLE, CONTENT);
});
test.afterEach(({ journal }) => journal.provider.reset());

const titleIn = (page: Page) => page.getByLabel(visitor.m.publish.titleField.label);
const buttonIn = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function openSecondTab(page: Page): Promise<Visitor> {
  const second = new Visitor(await page.context().newPage());
  await second.open('/admin');
  return second;
}

/** Returns how many texts and images of drafts the browser stores. */
function storedDrafts(page: Page): Promise<{ texts: number; images: number }> {
  return page.evaluate(async () => {
    const settle = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve) => {
        request.onsuccess = () => resolve(request.result);
      });
    const database = await settle(indexedDB.open('fabrica'));
    const images = await settle(database.transaction('draft-images').objectStore('draft-images').count());
    database.close();
    const texts = Object.keys(localStorage).filter((key) => key.startsWith('fabrica_post_draft_')).length;
    return { texts, images };
  });
}

const NOTHING = { texts: 0, images: 0 };

test('signing out asks about a draft and leaves nothing of it on the computer, in no tab', async ({
  page,
}) => {
  const second = await openSecondTab(page);
  await second.fillPost('The lungs', CONTENT);
  await titleIn(page).fill('The skin');
  await expect.poll(() => storedDrafts(page)).toEqual({ texts: 2, images: 2 });

  const { confirmSignOut } = visitor.m.layout;
  const signOut = buttonIn(second.page, visitor.m.layout.signOut);
  const question = second.page.getByRole('alertdialog', { name: confirmSignOut.title });
  await signOut.click();
  await expect(question).toContainText(confirmSignOut.text);
  await buttonIn(second.page, confirmSignOut.stay).click();
  await expect(titleIn(second.page)).toHaveValue('The lungs');
  await signOut.click();
  await question.getByRole('button', { name: visitor.m.layout.signOut }).click();
  for (const tab of [page, second.page]) await expect(tab).toHaveURL(/\/gallery$/);
  // Each tab removes its own.
  await expect.poll(() => storedDrafts(page)).toEqual(NOTHING);
});

test('signing out everywhere says that the draft goes, and removes it', async ({ page }) => {
  const { everywhere } = visitor.m.account.sessions;
  await visitor.open('/account');
  await buttonIn(page, everywhere.open).click();
  const question = page.getByRole('alertdialog', { name: everywhere.title });
  await expect(question).toContainText(everywhere.removesDraft);
  await question.getByRole('button', { name: everywhere.confirm }).click();
  await expect(page).toHaveURL(/\/gallery$/);
  expect(await storedDrafts(page)).toEqual(NOTHING);
});

test('a session that ends by itself keeps the draft, and one that a form without a script ended does not', async ({
  page,
  context,
  journal,
  consoleErrors,
}) => {
  await endSession(page, author, journal.server);
  await visitor.open('/gallery');
  await expect(buttonIn(page, visitor.m.layout.signIn)).toBeVisible();
  expect(await storedDrafts(page)).toEqual({ texts: 1, images: 1 });

  // A browser that runs no script has the same cookies.
  const send = (path: string, form: Record<string, string>) =>
    context.request.post(path, { form, headers: { origin: journal.server.url }, maxRedirects: 0 });
  const signedIn = await send('/auth?return_to=/about-me', { email: author.email, password: PASSWORD });
  expect(signedIn.headers()['set-cookie']).toContain('fabrica_session=');
  await send('/auth/session', { intent: 'sign-out', return_to: '/about-me' });
  await visitor.open('/about-me');
  await expect.poll(() => storedDrafts(page)).toEqual(NOTHING);
  expect((await context.cookies()).filter(({ name }) => name.startsWith('fabrica_s'))).toEqual([]);
  expectConsoleErrors(consoleErrors, /401/);
});

test('two tabs that write on one draft overwrite nothing: the later one keeps a draft of its own', async ({
  page,
}) => {
  const { earlierDrafts, draftRestored } = visitor.m.publish;
  const second = await openSecondTab(page);
  await expect(titleIn(second.page)).toHaveValue(TITLE);
  await expect(second.page.getByText(draftRestored)).toBeVisible();
  await second.fillPost('The lungs', CONTENT);
  await titleIn(page).fill('The heart itself');
  await expect.poll(() => storedDrafts(page)).toEqual({ texts: 2, images: 2 });
  await second.page.close();
  await page.reload();
  await expect(titleIn(page)).toHaveValue('The heart itself');
  await expect(page.getByAltText(visitor.m.publish.image.preview)).toBeVisible();
  await expectAccessible(page);
  await buttonIn(page, earlierDrafts.open('The lungs')).click();
  await expect(titleIn(page)).toHaveValue('The lungs');
  await visitor.expectMedicalText(CONTENT);
  await expect(page.getByAltText(visitor.m.publish.image.preview)).toBeVisible();
  await expect(buttonIn(page, earlierDrafts.open('The heart itself'))).toBeVisible();
});

test('one draft that two tabs publish at once becomes one post', async ({ page, journal, consoleErrors }) => {
  const second = await openSecondTab(page);
  await expect(titleIn(second.page)).toHaveValue(TITLE);
  await expect(second.page.getByAltText(visitor.m.publish.image.preview)).toBeVisible();
  const creating = await pauseRequests(second.page, CALLS.posts, 'POST');
  await second.publishButton.click();
  await creating.paused;
  await visitor.publishButton.click();
  await expect(page).toHaveURL(/\/gallery/);
  creating.release();
  await expect(second.page).toHaveURL(/\/gallery/);
  expect(await rowsOf(journal.server, `journal_posts?user_id=eq.${author.id}`)).toMatchObject([
    { title: TITLE },
  ]);
  expectConsoleErrors(consoleErrors, /status of 409/);
});

test('what is written goes to the desk, with its image, and leaves the browser once it has arrived', async ({
  page,
  consoleErrors,
}) => {
  const restore = await failRequests(page, '**/api/desk/*/posts', 'POST');
  await buttonIn(page, visitor.m.publish.desk.action).click();
  await expect(visitor.notice(visitor.m.publish.failure.offline)).toBeVisible();
  await expect(titleIn(page)).toHaveValue(TITLE);
  await restore();
  expectConsoleErrors(consoleErrors, /ERR_CONNECTION_FAILED/);

  await buttonIn(page, visitor.m.publish.desk.action).click();
  await expect(page).toHaveURL(/\/admin\/posts\/post_/);
  await expect(titleIn(page)).toHaveValue(TITLE);
  await expect(visitor.postText).toHaveText(CONTENT);
  await expect(page.locator('main img[src*="/storage/"]').first()).toBeVisible();
  await expect.poll(() => storedDrafts(page)).toEqual(NOTHING);
});

/** Stores drafts as the version of the page before did: the texts in local storage, the images in a database. */
async function storeFormerDrafts(page: Page, drafts: Record<string, object>): Promise<void> {
  const image = readFileSync(SMALL_ARTWORK).toString('base64');
  await page.evaluate(
    async ([stored, base64]) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const opening = indexedDB.open('fabrica', 1);
      opening.onupgradeneeded = () => opening.result.createObjectStore('draft-images');
      const database = await new Promise<IDBDatabase>((resolve) => {
        opening.onsuccess = () => resolve(opening.result);
      });
      const transaction = database.transaction('draft-images', 'readwrite');
      for (const [id, draft] of Object.entries(stored)) {
        localStorage.setItem(`fabrica_draft_${id}`, JSON.stringify(draft));
        const file = new File([bytes], 'eye.webp', { type: 'image/webp', lastModified: 1 });
        transaction.objectStore('draft-images').put(file, id);
      }
      await new Promise((resolve) => {
        transaction.oncomplete = resolve;
      });
      database.close();
    },
    [drafts, image] as const,
  );
}

test('drafts of the version before are offered with their images: plain ones here, and all on the desk', async ({
  page,
  consoleErrors,
}) => {
  const { discardDraft, earlierDrafts, desk } = visitor.m.publish;
  const details = {
    ...{ language: null, slugs: {}, byline: [], focal: null, alt: {}, caption: {} },
    ...{ credit: '', licence: '' },
  };
  const draft = { sources: [], hasImage: true, details, achieved: {}, publishing: false };
  await storeFormerDrafts(page, {
    [author.id]: { ...draft, title: 'The skin', content: 'It covers.', contentFormat: 'plain' },
    [`${author.id}.2`]: {
      ...draft,
      ...{ title: 'The eye', content: 'It **sees**.', contentFormat: 'markdown' },
      details: { ...details, alt: { en: 'An eye' }, credit: 'Ada' },
      achieved: { desk: { id: 'post_1', version: 3 } },
    },
    [`${author.id}.3`]: {
      title: 'The old one',
      content: '',
      hasImage: false,
      achieved: {},
      publishing: false,
    },
    user_of_another: { ...draft, title: 'Not mine', content: 'No.' },
  });
  await page.reload();
  const offers = page.getByRole('navigation', { name: earlierDrafts.heading });
  await expect(offers.getByRole('button', { name: discardDraft })).toHaveCount(3);
  await expect(offers).not.toContainText('Not mine');
  await expectAccessible(page);
  await buttonIn(page, earlierDrafts.open('The skin')).click();
  await expect(titleIn(page)).toHaveValue('The skin');
  await visitor.expectMedicalText('It covers.');
  await expect(page.getByAltText(visitor.m.publish.image.preview)).toBeVisible();
  await offers
    .locator('div')
    .filter({ hasText: 'The old one' })
    .getByRole('button', { name: discardDraft })
    .click();
  await expect(offers).not.toContainText('The old one');

  await expect(buttonIn(page, earlierDrafts.open('The eye'))).toHaveCount(0);
  await offers
    .locator('div')
    .filter({ hasText: 'The eye' })
    .getByRole('button', { name: desk.action })
    .click();
  await expect(page).toHaveURL(/\/admin\/posts\/post_/);
  await expect(titleIn(page)).toHaveValue('The eye');
  await expect(visitor.postText.getByText('sees', { exact: true })).toBeVisible();
  await expect(page.locator('main img[src*="/storage/"]').first()).toBeVisible();

  await visitor.open('/admin');
  await expect(titleIn(page)).toHaveValue('The skin');
  await expect(buttonIn(page, earlierDrafts.open(TITLE))).toBeVisible();
  const left = await page.evaluate(() =>
    Object.keys(localStorage).filter((key) => key.startsWith('fabrica_draft_')),
  );
  expect(left).toEqual(['fabrica_draft_user_of_another']);
  // The working copy that the page had saved it into is gone.
  expectConsoleErrors(consoleErrors, /status of 404/);
});

test('a publish goes on while its author visits another page', async ({ page, journal }) => {
  const saved = await pauseRequests(page, CALLS.posts, 'POST');
  await visitor.publishButton.click();
  await saved.paused;
  await page.getByRole('link', { name: visitor.m.layout.about, exact: true }).first().click();
  await expect(page).toHaveURL(/\/about-me/);
  saved.release();
  await expect(visitor.notice(visitor.m.publish.success.title)).toBeVisible();
  await expect(page).toHaveURL(/\/about-me/);
  expect(await rowsOf(journal.server, `journal_posts?user_id=eq.${author.id}`)).toHaveLength(1);
  await expect.poll(() => storedDrafts(page)).toEqual(NOTHING);
});

for (const [step, call] of [
  ['before the post is sent', CALLS.translate],
  ['while the post is sent', CALLS.posts],
] as const) {
  test(`the browser asks before a publish is broken off ${step}, and the draft is there`, async ({
    page,
  }) => {
    const { publish } = visitor.m;
    const request = await pauseRequests(page, call, 'POST');
    await visitor.publishButton.click();
    await request.paused;
    const asked = page.waitForEvent('dialog');
    const reloaded = page.reload();
    const question = await asked;
    expect(question.type()).toBe('beforeunload');
    await question.accept();
    await reloaded;
    const interrupted = page.getByRole('alert').filter({ hasText: publish.interrupted });
    await expect(titleIn(page)).toHaveValue(TITLE);
    await expect(interrupted).toHaveCount(call === CALLS.posts ? 1 : 0);
    request.release();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await visitor.publishButton.click();
    await expect(visitor.notice(publish.success.title)).toBeVisible();
  });
}

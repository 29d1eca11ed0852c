import { type Author, serviceRest, signUp } from '@fabrica/test-peers/author.ts';
import type { RunningServer } from '@fabrica/test-peers/start-server.ts';
import type { Page } from '@playwright/test';
import { site as de } from '../../../apps/journal/messages/de/site.ts';
import { site as en } from '../../../apps/journal/messages/en/site.ts';
import { signInInPopup } from '../account/account-page.ts';
import { expect, expectAccessibleInBothThemes, expectNoSidewaysScroll, test } from '../journal.ts';
import { endSession, giveRole, setSession } from '../people.ts';
import { FULL_ARTWORK, Visitor } from '../steps.ts';
import { expectConsoleErrors, failRequests } from '../traffic.ts';

/** The other tests of this worker use the same server. */
test.afterEach(async ({ journal }) => {
  for (const table of ['site_settings', 'site_texts']) {
    await serviceRest(journal.server)('DELETE', `${table}?id=not.is.null`);
  }
});

async function signUpAdmin(server: RunningServer, name: string): Promise<Author> {
  const author = await signUp(server, name);
  await giveRole(server, author, 'admin');
  return author;
}

const settings = (page: Page) => page.locator('main form').first();
const texts = (page: Page) => page.locator('main form:visible').nth(1);

async function save(form: ReturnType<typeof settings>, m: typeof en): Promise<void> {
  await form.getByRole('button', { name: m.save }).click();
  await expect(form.getByText(m.saved)).toBeVisible();
}

test('an operator sets name, accent, logo, about and imprint, and readers see them at once', async ({
  page,
  browser,
  journal,
}) => {
  const { server } = journal;
  await setSession(page, await signUpAdmin(server, 'Ada Byron'), server);
  const operator = new Visitor(page, 'de');
  await operator.open('/account');
  await page.getByRole('link', { name: operator.m.layout.site }).click();
  await expect(page.getByRole('heading', { level: 1, name: operator.m.layout.site })).toBeVisible();
  const reading = await browser.newContext({ baseURL: server.url, javaScriptEnabled: false });
  const reader = await reading.newPage();
  await reader.goto('/about-me?lang=de');
  await expect(reader.locator('main')).toContainText(operator.m.about.whoIAm.text);
  await expect(reader.locator('footer a')).toHaveText([operator.m.layout.feed]);

  const form = settings(page);
  await form.getByLabel(de.name).fill('Atlas der Anatomie');
  const accent = form.locator('[name=accentLight]');
  await accent.fill('#e58a80');
  await form.getByRole('button', { name: de.save }).click();
  await expect(accent).toHaveAccessibleDescription(de.accentContrast('2.4'));
  await expect(accent).toBeFocused();
  await accent.fill('#1f5f8b');
  await form.locator('[type=file]').first().setInputFiles(FULL_ARTWORK);
  await expect(form.locator('img')).toBeVisible();
  await save(form, de);
  await expect(page.locator('header')).toContainText('Atlas der Anatomie');

  await texts(page).locator('[name=whoText]').fill('Ich bin **Ada**.\n\nIch zeichne. <b>x</b>');
  await texts(page).locator('[name=quoteText]').fill('Genau hinsehen.');
  await texts(page).locator('[name=imprint]').fill('## Angaben\n\nDr. Ada Byron\n\n[Kontakt](/contact)');
  await save(texts(page), de);
  await expectAccessibleInBothThemes(page);
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoSidewaysScroll(page);

  await reader.goto('/about-me?lang=de');
  await expect(reader).toHaveTitle('Über mich · Atlas der Anatomie');
  await expect(reader.locator('main strong')).toHaveText('Ada');
  await expect(reader.locator('main')).toContainText('<b>x</b>');
  await expect(reader.locator('main figure')).toContainText('Genau hinsehen.');
  await expect(reader.locator('header img')).toHaveAttribute('src', /^\/storage\/journal\/site\/logo-/);
  const colour = await reader
    .locator('main figure span')
    .first()
    .evaluate((one) => getComputedStyle(one).color);
  expect(colour).toBe('rgb(31, 95, 139)');
  await reader.getByRole('link', { name: 'Impressum' }).click();
  await expect(reader.getByRole('heading', { level: 2, name: 'Angaben' })).toBeVisible();
  await expect(reader.locator('main a[href="/contact"]')).toHaveText('Kontakt');
  // The language that has no imprint shows the one that is written.
  await reader.goto('/imprint?lang=fr');
  await expect(reader.locator('main [lang=de]')).toContainText('Dr. Ada Byron');
  await reading.close();
});

test('two operators at once lose nothing: the second sees what the first has saved', async ({
  page,
  browser,
  journal,
  consoleErrors,
}) => {
  const { server } = journal;
  await setSession(page, await signUpAdmin(server, 'Ada Byron'), server);
  const other = await browser.newContext({ baseURL: server.url });
  const second = await other.newPage();
  await setSession(second, await signUpAdmin(server, 'Ben Lind'), server);
  for (const one of [page, second]) await new Visitor(one).open('/admin/site');
  await texts(page).locator('[name=tagline]').fill('From Ada');
  await texts(page).locator('[name=imprint]').fill('Imprint of Ada');
  await texts(second).locator('[name=tagline]').fill('From Ben');
  await texts(second).locator('[name=privacy]').fill('Privacy of Ben');
  await save(texts(page), en);

  await texts(second).getByRole('button', { name: en.save }).click();
  await expect(texts(second).getByRole('alert')).toHaveText(en.conflict);
  await expect(texts(second).locator('[name=tagline]')).toHaveValue('From Ben');
  await expect(texts(second).locator('[name=tagline]')).toHaveAccessibleDescription(en.theirs('From Ada'));
  await expect(texts(second).locator('[name=imprint]')).toHaveValue('Imprint of Ada');
  await save(texts(second), en);
  const rows = await (await serviceRest(server)('GET', 'site_texts?id=eq.en')).json();
  expect(rows).toMatchObject([{ tagline: 'From Ben', imprint: 'Imprint of Ada', privacy: 'Privacy of Ben' }]);
  await other.close();
  // Chromium reports the response to the second one's first try.
  expectConsoleErrors(consoleErrors, /status of 409/);
});

test('words that could not be saved are asked about before the page is left, and outlive the session', async ({
  page,
  journal,
  consoleErrors,
}) => {
  const { server } = journal;
  const author = await signUpAdmin(server, 'Ada Byron');
  await setSession(page, author, server);
  const visitor = new Visitor(page);
  await visitor.open('/admin/site');
  const form = texts(page);
  await form.locator('[name=tagline]').fill('A tagline');
  const restore = await failRequests(page, '**/rest/v1/site_texts*', 'POST');
  await form.getByRole('button', { name: en.save }).click();
  await expect(form.getByRole('alert')).toHaveText(en.failed);
  const question = page.getByRole('alertdialog', { name: en.leave.title });
  await page.getByRole('link', { name: visitor.m.layout.about }).first().click();
  await question.getByRole('button', { name: en.leave.stay }).click();
  await restore();

  await endSession(page, author, server);
  await form.getByRole('button', { name: en.save }).click();
  const { sessionEnded } = visitor.m.publish;
  const ended = form.getByRole('alert').filter({ hasText: sessionEnded.title });
  await signInInPopup({ author, visitor }, () =>
    ended.getByRole('button', { name: sessionEnded.signIn }).click(),
  );
  await expect(form.locator('[name=tagline]')).toHaveValue('A tagline');
  await save(form, en);
  await settings(page).getByLabel(en.name).fill('Another name');
  await page.getByRole('link', { name: visitor.m.layout.about }).first().click();
  await question.getByRole('button', { name: en.leave.stay }).click();
  await expect(page).toHaveURL(/\/admin\/site\b/);
  expectConsoleErrors(consoleErrors, /ERR_CONNECTION_FAILED/, /status of 401/);
});

test('an account that may not edit the site finds no page for it, and the server refuses the change', async ({
  page,
  journal,
}) => {
  const author = await signUp(journal.server, 'Rea Reader');
  await setSession(page, author, journal.server);
  const visitor = new Visitor(page);
  await visitor.open('/account');
  await expect(page.getByRole('link', { name: visitor.m.layout.insights })).toBeVisible();
  await expect(page.getByRole('link', { name: visitor.m.layout.site })).toHaveCount(0);
  await visitor.open('/admin/site');
  await expect(page.getByRole('heading', { name: visitor.m.notFound.title })).toBeVisible();
  const response = await author.rest('POST', 'site_settings', { id: 'site', name: 'Mine' });
  expect(response.status).toBe(403);
});

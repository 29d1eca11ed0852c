import { readServerKey } from '@fabrica/backend/testing/auth/build-test-keys.ts';
import { fixedKey } from '@fabrica/backend/testing/fixed-key.ts';
import type { Author } from '@fabrica/test-peers/author.ts';
import type { RunningServer } from '@fabrica/test-peers/start-server.ts';
import type { Page } from '@playwright/test';
import { createStopToken } from '../../../packages/backend/src/services/notifications/stop-token.ts';
import { expect, expectAccessibleInBothThemes, test } from '../journal.ts';
import { signInOn } from '../people.ts';
import type { Visitor } from '../steps.ts';
import { expectConsoleErrors } from '../traffic.ts';

let author: Author;
let visitor: Visitor;

/** Returns the path of the link in a mail about this post. */
async function stopPage(server: RunningServer, aboutId = 'post_1'): Promise<string> {
  const keys = {
    refreshKeys: fixedKey(Buffer.from(await readServerKey(server.settings, 'refresh'), 'base64url')),
  };
  const subject = { projectId: 'journal', userId: author.id, kind: 'new-comments', aboutId };
  return `/auth/notices?token=${encodeURIComponent(createStopToken(keys, subject))}`;
}

/** Returns whether the author gets mails about comments. */
async function isWanted({ url }: RunningServer): Promise<boolean> {
  const headers = { authorization: `Bearer ${author.token}` };
  const response = await fetch(`${url}/api/notifications/journal/settings`, { headers });
  const { notices } = (await response.json()) as { notices: Record<string, boolean> };
  return notices['new-comments'] === true;
}

const choice = (page: Page) => page.getByRole('checkbox', { name: visitor.m.account.notices.newComments });

test('mails about comments can be switched off and on in the account, and a switch that could not be saved is reverted', async ({
  page,
  journal,
  consoleErrors,
}) => {
  ({ author, visitor } = await signInOn(page, journal.server, { language: 'de' }));
  await visitor.open('/account');
  const texts = visitor.m.account.notices;
  await expect(choice(page)).toBeChecked();
  await choice(page).click();
  await expect(page.getByText(texts.off)).toBeVisible();
  expect(await isWanted(journal.server)).toBe(false);
  await page.reload();
  await expect(choice(page)).not.toBeChecked();
  await visitor.hydrated();
  await choice(page).click();
  await expect(page.getByText(texts.on)).toBeVisible();
  expect(await isWanted(journal.server)).toBe(true);
  await page.route('**/api/notifications/journal/settings', (route) => route.abort());
  await choice(page).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(choice(page)).toBeChecked();
  expectConsoleErrors(consoleErrors, /ERR_FAILED/);
});

test('the link of a mail stops mails about one post or about all posts after a click, and an incomplete one is explained', async ({
  page,
  journal,
  consoleErrors,
}) => {
  ({ author, visitor } = await signInOn(page, journal.server));
  const { link, notices: texts } = visitor.m.authMail;
  await page.context().setStorageState({ cookies: [], origins: [] });
  await visitor.open('/auth/notices');
  await expect(page.getByRole('heading', { name: link.incompleteTitle })).toBeVisible();
  await visitor.open((await stopPage(journal.server)).slice(0, -5));
  await page.getByRole('button', { name: texts.all, exact: true }).click();
  await expect(page.getByRole('heading', { name: link.incompleteTitle })).toBeVisible();
  // Chromium reports the refused request.
  expectConsoleErrors(consoleErrors, /status of 400/);

  await visitor.open(await stopPage(journal.server));
  await expectAccessibleInBothThemes(page);
  expect(await isWanted(journal.server)).toBe(true);
  await page.getByRole('button', { name: texts.one, exact: true }).click();
  await expect(page.getByRole('heading', { name: texts.doneTitle })).toBeVisible();
  await expect(page.getByText(texts.doneOne)).toBeVisible();
  expect(await isWanted(journal.server)).toBe(true);
  await visitor.open(await stopPage(journal.server));
  await page.getByRole('button', { name: texts.all, exact: true }).click();
  await expect(page.getByText(texts.doneAll)).toBeVisible();
  expect(await isWanted(journal.server)).toBe(false);
});

test('mails can be stopped without JavaScript', async ({ page, browser, journal }) => {
  ({ author, visitor } = await signInOn(page, journal.server));
  const texts = visitor.m.authMail.notices;
  const context = await browser.newContext({ baseURL: journal.server.url, javaScriptEnabled: false });
  const plain = await context.newPage();
  await plain.goto(`${await stopPage(journal.server)}&lang=en`);
  await plain.getByRole('button', { name: texts.all, exact: true }).click();
  await expect(plain.getByText(texts.doneAll)).toBeVisible();
  expect(await isWanted(journal.server)).toBe(false);
  await context.close();
});

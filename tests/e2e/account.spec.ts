import { readFile } from 'node:fs/promises';
import type { SignInResponse } from '@fabrica/contract';
import type { Author } from '@fabrica/test-peers/author.ts';
import type { OutboxMail, RunningServer } from '@fabrica/test-peers/start-server.ts';
import type { Page } from '@playwright/test';
import {
  expect,
  expectAccessible,
  expectAccessibleInBothThemes,
  expectNoSidewaysScroll,
  test,
} from './journal.ts';
import { noisePng } from './noise-png.ts';
import { endSession, rowsOf, signInOn, writeComment, writePost } from './people.ts';
import { file, PASSWORD, Visitor } from './steps.ts';
import { CALLS, expectConsoleErrors, failRequests, pauseRequests, recordRequests } from './traffic.ts';

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
const NEW_PASSWORD = 'another long passphrase';
const AUTH = {
  me: '**/api/auth/me',
  sessions: '**/api/auth/sessions',
  account: '**/api/auth/account',
  export: '**/api/auth/export',
} as const;

let author: Author;
let visitor: Visitor;

/** Creates an account and opens its account page. */
async function openAccount(page: Page, server: RunningServer, language: Visitor['language'] = 'en') {
  ({ author, visitor } = await signInOn(page, server, { language }));
  await visitor.open('/account');
  await expect(section(page, 'profile')).toBeVisible();
}

function section(page: Page, name: 'profile' | 'email' | 'password' | 'sessions' | 'data') {
  return page.getByRole('region', { name: visitor.m.account[name].title, exact: true });
}

function profileParts(page: Page) {
  const { profile: texts } = visitor.m.account;
  const form = section(page, 'profile');
  return {
    form,
    name: form.getByLabel(texts.name, { exact: true }),
    photo: form.locator('input[type=file]'),
    image: form.getByRole('img'),
    remove: form.getByRole('button', { name: texts.removePhoto }),
    save: form.locator('button[type=submit]'),
    saved: form.getByRole('status').filter({ hasText: texts.saved }),
  };
}

async function call(server: RunningServer, path: string, body: unknown, headers = {}): Promise<Response> {
  return fetch(`${server.url}/api/auth${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

function signInAt(server: RunningServer, email: string, password: string): Promise<Response> {
  const body = { projectId: 'journal', email, password };
  return call(server, '/signin/email', body, { 'user-agent': FIREFOX });
}

/** Starts a session of the same account on another device. */
async function otherDevice(server: RunningServer): Promise<SignInResponse> {
  const response = await signInAt(server, author.email, PASSWORD);
  expect(response.status).toBe(200);
  return (await response.json()) as SignInResponse;
}

/** Returns the status of refreshing a session. */
async function refreshStatus(server: RunningServer, { refresh_token }: SignInResponse): Promise<number> {
  return (await call(server, '/refresh', { refresh_token })).status;
}

/** Waits for the next mail to the author after the first `count` mails. */
async function nextMail(server: RunningServer, count: number): Promise<OutboxMail> {
  await expect.poll(async () => (await server.mailsTo(author.email)).length).toBeGreaterThan(count);
  const mail = (await server.mailsTo(author.email)).at(-1);
  if (!mail) throw new Error('There is no mail.');
  return mail;
}

/** Waits for the mail to a new account and returns the number of mails. */
async function waitForWelcome(server: RunningServer): Promise<number> {
  await nextMail(server, 0);
  return (await server.mailsTo(author.email)).length;
}

function codeOf({ text }: OutboxMail): string {
  const code = /^\s*(\d{3})\s?(\d{3})\s*$/m.exec(text);
  if (!code) throw new Error(`There is no code in: ${text}`);
  return `${code[1]}${code[2]}`;
}

test('a visitor of the account page is asked to sign in and then returns to it', async ({
  page,
  journal,
}) => {
  ({ author, visitor } = await signInOn(page, journal.server));
  await page.context().setStorageState({ cookies: [], origins: [] });
  await visitor.open('/account');
  await expect(page).toHaveURL(/\/auth\?return_to=(\/|%2F)account/);
  await visitor.hydrated();
  await visitor.signIn(author.email);
  await expect(page).toHaveURL(/\/account$/);
  await expect(section(page, 'profile')).toBeVisible();
});

test('the header links to the account page of a signed-in reader, and signing out leaves the page', async ({
  page,
  journal,
}) => {
  ({ author, visitor } = await signInOn(page, journal.server));
  const { layout, account } = visitor.m;
  const link = page.getByRole('banner').getByRole('link', { name: layout.account, exact: true });
  await visitor.open('/about-me');
  await expect(link).not.toHaveAttribute('aria-current');
  await link.click();
  await expect(page).toHaveURL(/\/account$/);
  await expect(page.getByRole('heading', { level: 1, name: account.title })).toBeVisible();
  await expect(page).toHaveTitle(new RegExp(account.title));
  await expect(link).toHaveAttribute('aria-current', 'page');
  await page.getByRole('banner').getByRole('button', { name: layout.signOut, exact: true }).click();
  await expect(page).toHaveURL(/\/auth\?/);
  await expect(link).toHaveCount(0);
});

test('a new name is saved, confirmed, and shown beside the next comment', async ({ page, journal }) => {
  await openAccount(page, journal.server);
  const { name, save, saved } = profileParts(page);
  await expect(name).toHaveValue('Dr Ada Byron');
  await expect(name).toHaveAttribute('maxlength', '100');
  await name.fill('  Ada Lovelace ');
  await save.click();
  await expect(saved).toBeVisible();
  await expect(name).toHaveValue('Ada Lovelace');
  await page.reload();
  await expect(name).toHaveValue('Ada Lovelace');

  const postId = await writePost(journal.server, author);
  await visitor.open(`/post/${postId}`);
  await page.getByRole('button', { name: visitor.m.post.comments.count(0) }).click();
  await page.getByLabel(visitor.m.post.comments.label).fill('A heart.');
  await page.getByRole('button', { name: visitor.m.post.comments.submit }).click();
  await expect(page.locator('main li')).toContainText('Ada Lovelace');

  await visitor.open('/account');
  await name.fill(' ');
  await save.click();
  await expect(saved).toBeVisible();
  expect(await rowsOf(journal.server, `profiles?id=eq.${author.id}`)).toMatchObject([{ display_name: null }]);
});

test('a photo is previewed, saved, replaced and removed, and replaced files are deleted', async ({
  page,
  journal,
}) => {
  await openAccount(page, journal.server);
  const { profile: texts } = visitor.m.account;
  const { photo, image, remove, save, saved } = profileParts(page);
  const shown = async () => {
    const [row] = await rowsOf(journal.server, `profiles?id=eq.${author.id}`);
    // The path alone is stored, since a journal may change its domain.
    expect(row?.photo_url ?? '/').toMatch(/^\//);
    return row?.photo_url ? `${journal.server.url}${row.photo_url}` : null;
  };
  const writes = recordRequests(page, (request) => !['GET', 'HEAD'].includes(request.method()));
  await expect(image).toHaveCount(0);
  await expect(remove).toHaveCount(0);
  await photo.setInputFiles(file('me.png', 'image/png', noisePng(40, 40)));
  await expect(image).toHaveAccessibleName(texts.photoPreview);
  expect(writes).toEqual([]);

  await save.click();
  await expect(saved).toBeVisible();
  await expect(image).toHaveAccessibleName(texts.yourPhoto);
  const first = (await shown()) ?? '';
  expect(new URL(first).pathname).toMatch(new RegExp(`/avatars/${author.id}-\\d+\\.png$`));
  expect((await fetch(first)).status).toBe(200);
  await page.reload();
  await expect.poll(() => image.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(40);

  await photo.setInputFiles(file('again.png', 'image/png', noisePng(50, 50)));
  // Nothing is sent while the file is still being checked.
  await expect(image).toHaveAccessibleName(texts.photoPreview);
  await save.click();
  await expect(saved).toBeVisible();
  const second = (await shown()) ?? '';
  expect(second).not.toBe(first);
  expect((await fetch(second)).status).toBe(200);
  await expect.poll(async () => (await fetch(first)).status).toBe(404);

  await remove.click();
  await expect(image).toHaveCount(0);
  await expect(photo).toBeFocused();
  expect((await fetch(second)).status).toBe(200);
  await save.click();
  await expect(saved).toBeVisible();
  expect(await shown()).toBeNull();
  await expect.poll(async () => (await fetch(second)).status).toBe(404);
});

test('a file that is no photo is refused before a request is sent', async ({ page, journal }) => {
  await openAccount(page, journal.server);
  const { publish, account } = visitor.m;
  const { photo, image } = profileParts(page);
  const writes = recordRequests(page, (request) => request.method() !== 'GET');
  const large = noisePng(1_500, 1_500);
  expect(large.length).toBeGreaterThan(5 * 1024 * 1024);
  for (const [chosen, words] of [
    [file('notes.txt', 'text/plain', Buffer.from('no image')), publish.image.notAnImage],
    [file('torn.png', 'image/png', noisePng(20, 20).subarray(0, 200)), publish.image.unreadable],
    [file('large.png', 'image/png', large), account.profile.photoTooLarge],
  ] as const) {
    await photo.setInputFiles({ ...chosen });
    await expect(photo).toHaveAccessibleDescription(words);
    await expect(image).toHaveCount(0);
  }
  await expectAccessible(page);
  expect(writes).toEqual([]);
});

test('a profile that could not be saved keeps its values, and its photo is uploaded once', async ({
  page,
  journal,
  consoleErrors,
}) => {
  await openAccount(page, journal.server);
  const { form, name, photo, image, save, saved } = profileParts(page);
  const uploads = recordRequests(page, (request) => request.url().endsWith('/upload'));
  await name.fill('Ada Lovelace');
  await photo.setInputFiles(file('me.png', 'image/png', noisePng(40, 40)));
  await expect(image).toBeVisible();
  const restore = await failRequests(page, AUTH.me, 'PATCH');
  await save.click();
  await expect(form.getByRole('alert')).toHaveText(visitor.m.signIn.errors.NETWORK_ERROR);
  await expect(name).toHaveValue('Ada Lovelace');
  await expect(image).toBeVisible();
  await restore();
  await save.click();
  await expect(saved).toBeVisible();
  expect(uploads).toHaveLength(1);
  expectConsoleErrors(consoleErrors, /ERR_CONNECTION_FAILED/);
});

test('the save button is disabled and labelled while the profile is saved', async ({ page, journal }) => {
  await openAccount(page, journal.server);
  const { save, saved } = profileParts(page);
  const saving = await pauseRequests(page, AUTH.me, 'PATCH');
  const changes = recordRequests(page, (request) => request.method() === 'PATCH');
  await save.evaluate((button: HTMLElement) => {
    button.click();
    button.click();
  });
  await saving.paused;
  await expect(save).toHaveText(visitor.m.account.profile.saving);
  await expect(save).toBeDisabled();
  saving.release();
  await expect(saved).toBeVisible();
  expect(changes).toHaveLength(1);
});

test('an e-mail address is verified on the account page with the code of the mail', async ({
  page,
  journal,
  consoleErrors,
}) => {
  await openAccount(page, journal.server);
  const { email: texts } = visitor.m.account;
  const { code: words } = visitor.m.authMail;
  const part = section(page, 'email');
  const code = part.getByLabel(words.label);
  const verify = part.getByRole('button', { name: texts.verify, exact: true });
  const before = await waitForWelcome(journal.server);
  await expect(part).toContainText(author.email);
  await expect(part).toContainText(texts.unverified);
  await expect(code).toHaveCount(0);
  await part.getByRole('button', { name: texts.send }).click();
  await expect(part.getByRole('status').filter({ hasText: texts.sent(author.email) })).toBeVisible();
  const sent = codeOf(await nextMail(journal.server, before));
  await expect(code).toHaveAttribute('autocomplete', 'one-time-code');

  await verify.click();
  await expect(code).toHaveAccessibleDescription(words.missing);
  await expect(code).toBeFocused();
  await code.fill(sent.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10)));
  await verify.click();
  await expect(code).toHaveAccessibleDescription(words.wrong(5));
  await expect(code).toBeFocused();
  await expectAccessible(page);
  expectConsoleErrors(consoleErrors, /status of 400/);

  await code.fill(`${sent.slice(0, 3)} ${sent.slice(3)}`);
  await code.press('Enter');
  await expect(part.getByRole('status').filter({ hasText: texts.nowVerified })).toBeVisible();
  await expect(part.getByText(texts.verified, { exact: true })).toBeVisible();
  await expect(code).toHaveCount(0);
  await expect(part.getByRole('heading')).toBeFocused();
  await page.reload();
  await expect(part.getByText(texts.verified, { exact: true })).toBeVisible();
});

test('the account page shows a verification by the mail’s link when its tab is visible again', async ({
  page,
  journal,
}) => {
  await openAccount(page, journal.server);
  const { email: texts } = visitor.m.account;
  const part = section(page, 'email');
  const before = await waitForWelcome(journal.server);
  await part.getByRole('button', { name: texts.send }).click();
  const { text } = await nextMail(journal.server, before);
  const token = /\/auth\/verify\?token=([^&\s]+)/.exec(text)?.[1];
  const response = await call(journal.server, '/email/verify', { projectId: 'journal', token });
  expect(response.status).toBe(200);
  await expect(part).toContainText(texts.unverified);
  // Playwright keeps every page visible, so the test dispatches the event of a change of tabs.
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await expect(part.getByText(texts.verified, { exact: true })).toBeVisible();
});

test('a new password signs other devices out and replaces the old one', async ({
  page,
  journal,
  consoleErrors,
}) => {
  const { server } = journal;
  await openAccount(page, server);
  const { password: texts, sessions } = visitor.m.account;
  const other = await otherDevice(server);
  const part = section(page, 'password');
  const old = part.getByLabel(texts.old, { exact: true });
  const next = part.getByLabel(texts.new, { exact: true });
  const change = part.getByRole('button', { name: texts.change });
  await expect(old).toHaveAttribute('autocomplete', 'current-password');
  await expect(next).toHaveAttribute('autocomplete', 'new-password');
  await expect(part.locator('[autocomplete=username]')).toHaveValue(author.email);

  const tryWith = async (before: string, wanted: string) => {
    await old.fill(before);
    await next.fill(wanted);
    await change.click();
  };
  await tryWith('', NEW_PASSWORD);
  await expect(old).toHaveAccessibleDescription(visitor.m.signIn.passwordMissing);
  await expect(old).toBeFocused();
  await tryWith(PASSWORD, 'short');
  await expect(next).toHaveAccessibleDescription(visitor.m.signIn.errors.WEAK_PASSWORD);
  await expect(next).toBeFocused();
  await tryWith(PASSWORD, 'password1234');
  await expect(next).toHaveAccessibleDescription(visitor.m.signIn.errors.WEAK_PASSWORD);
  await tryWith('not the passphrase', NEW_PASSWORD);
  await expect(old).toHaveAccessibleDescription(texts.oldWrong);
  await expect(old).toBeFocused();
  await expect(next).toHaveValue(NEW_PASSWORD);
  await expectAccessible(page);
  expect(await refreshStatus(server, other)).toBe(200);
  expectConsoleErrors(consoleErrors, /status of 400/, /status of 401/);

  const third = await otherDevice(server);
  await page.reload();
  await expect(section(page, 'sessions').getByText('Firefox, Windows')).toHaveCount(2);
  await tryWith(PASSWORD, NEW_PASSWORD);
  await expect(part.getByRole('status').filter({ hasText: texts.changed })).toBeVisible();
  await expect(old).toHaveValue('');
  await expect(next).toHaveValue('');
  await expect(section(page, 'sessions').getByText('Firefox, Windows')).toHaveCount(0);
  await expect(section(page, 'sessions').getByText(sessions.thisOne)).toBeVisible();
  expect(await refreshStatus(server, third)).toBe(401);
  expect((await signInAt(server, author.email, PASSWORD)).status).toBe(401);
  expect((await signInAt(server, author.email, NEW_PASSWORD)).status).toBe(200);
});

test('an account without its password can request a reset mail', async ({ page, journal }) => {
  await openAccount(page, journal.server);
  const { password: texts } = visitor.m.account;
  const before = await waitForWelcome(journal.server);
  const part = section(page, 'password');
  await part.getByRole('button', { name: texts.sendReset }).click();
  await expect(part.getByRole('status').filter({ hasText: texts.resetSent(author.email) })).toBeVisible();
  expect((await nextMail(journal.server, before)).text).toMatch(/\/auth\/reset\?token=/);
});

test('the sessions are listed by device, and one of another device can be ended', async ({
  page,
  journal,
  consoleErrors,
}) => {
  const { server } = journal;
  ({ author, visitor } = await signInOn(page, server));
  const other = await otherDevice(server);
  const third = await otherDevice(server);
  const { sessions: texts } = visitor.m.account;
  await visitor.open('/account');
  const part = section(page, 'sessions');
  const items = part.getByRole('listitem');
  const ends = part.getByRole('button', { name: texts.endOn('Firefox, Windows') });
  await expect(items).toHaveCount(3);
  await expect(items.first()).toContainText(texts.thisOne);
  await expect(items.first().getByRole('button')).toHaveCount(0);
  await expect(items.nth(1)).toContainText(texts.method.password);
  await expect(items.nth(1)).toContainText(texts.lastUsed);

  const restore = await failRequests(page, `${AUTH.sessions}/*`, 'DELETE');
  await ends.first().click();
  await expect(items.nth(1).getByRole('alert')).toHaveText(visitor.m.signIn.errors.NETWORK_ERROR);
  await restore();
  expectConsoleErrors(consoleErrors, /ERR_CONNECTION_FAILED/);
  await ends.first().click();
  await expect(part.getByRole('status').filter({ hasText: texts.ended('Firefox, Windows') })).toBeVisible();
  await expect(items).toHaveCount(2);
  await expect(part.getByRole('heading')).toBeFocused();
  const left = [await refreshStatus(server, other), await refreshStatus(server, third)];
  expect(left.sort()).toEqual([200, 401]);
});

test('a session that has already ended is removed from the list when it is ended again', async ({
  page,
  journal,
  consoleErrors,
}) => {
  const { server } = journal;
  ({ author, visitor } = await signInOn(page, server));
  const { refresh_token } = await otherDevice(server);
  const { sessions: texts } = visitor.m.account;
  await visitor.open('/account');
  const items = section(page, 'sessions').getByRole('listitem');
  await expect(items).toHaveCount(2);
  expect((await call(server, '/logout', { refresh_token })).status).toBe(200);
  await page.getByRole('button', { name: texts.endOn('Firefox, Windows') }).click();
  await expect(items).toHaveCount(1);
  expectConsoleErrors(consoleErrors, /status of 404/);
});

test('sessions that could not be loaded can be loaded with another try', async ({
  page,
  journal,
  consoleErrors,
}) => {
  ({ author, visitor } = await signInOn(page, journal.server));
  const restore = await failRequests(page, AUTH.sessions, 'GET');
  await visitor.open('/account');
  const part = section(page, 'sessions');
  await expect(part.getByRole('alert')).toHaveText(visitor.m.account.sessions.loadFailed);
  await restore();
  await part.getByRole('button', { name: visitor.m.layout.tryAgain }).click();
  await expect(part.getByRole('listitem')).toHaveCount(1);
  expectConsoleErrors(consoleErrors, /ERR_CONNECTION_FAILED/, /Network error/);
});

test('signing out everywhere asks first, ends all sessions and opens the gallery', async ({
  page,
  journal,
  consoleErrors,
}) => {
  const { server } = journal;
  await openAccount(page, server);
  const other = await otherDevice(server);
  const { everywhere: texts } = visitor.m.account.sessions;
  const dialog = page.getByRole('alertdialog', { name: texts.title });
  const confirm = dialog.getByRole('button', { name: texts.confirm });
  const open = section(page, 'sessions').getByRole('button', { name: texts.open });
  await open.click();
  await expect(dialog).toContainText(texts.question);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(open).toBeFocused();
  expect(await refreshStatus(server, other)).toBe(200);

  await open.click();
  const restore = await failRequests(page, AUTH.sessions, 'DELETE');
  await confirm.click();
  await expect(dialog.getByRole('alert')).toHaveText(visitor.m.signIn.errors.NETWORK_ERROR);
  await restore();
  expectConsoleErrors(consoleErrors, /ERR_CONNECTION_FAILED/);
  const third = await otherDevice(server);
  await confirm.click();
  await expect(page).toHaveURL(/\/gallery$/);
  await expect(visitor.notice(texts.done)).toBeVisible();
  await expect(page.getByRole('button', { name: visitor.m.layout.signIn, exact: true })).toBeVisible();
  expect(await refreshStatus(server, third)).toBe(401);
  expect(await refreshStatus(server, author.session)).toBe(401);
});

test('all data of an account can be downloaded as a file', async ({ page, journal, consoleErrors }) => {
  await openAccount(page, journal.server);
  const { data: texts } = visitor.m.account;
  const postId = await writePost(journal.server, author);
  await writeComment(author, postId, 'A remark of mine.');
  const part = section(page, 'data');
  const button = part.getByRole('button', { name: texts.export });
  const restore = await failRequests(page, AUTH.export, 'GET');
  await button.click();
  await expect(part.getByRole('alert')).toHaveText(visitor.m.signIn.errors.NETWORK_ERROR);
  await restore();
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  expect(download.suggestedFilename()).toMatch(/^fabrica-\d{4}-\d\d-\d\d\.json$/);
  await expect(part.getByRole('status').filter({ hasText: texts.exported })).toBeVisible();
  const text = await readFile(await download.path(), 'utf8');
  expect(JSON.parse(text)).toBeInstanceOf(Object);
  for (const kept of [author.email, 'Dr Ada Byron', postId, 'A remark of mine.']) {
    expect(text).toContain(kept);
  }
  expectConsoleErrors(consoleErrors, /ERR_CONNECTION_FAILED/);
});

test('an account is deleted only after its e-mail address was typed, and its data is removed', async ({
  page,
  journal,
  consoleErrors,
}) => {
  const { server } = journal;
  await openAccount(page, server);
  const { delete: texts } = visitor.m.account.data;
  const postId = await writePost(server, author);
  const elsewhere = await writePost(server, { id: 'user_other' });
  const commentId = await writeComment(author, elsewhere, 'It stays.');
  const deletions = recordRequests(page, (request) => request.method() === 'DELETE');
  await page.evaluate((id) => localStorage.setItem(`fabrica_draft_${id}`, '{"title":"Mine"}'), author.id);

  const open = section(page, 'data').getByRole('button', { name: texts.open });
  const dialog = page.getByRole('alertdialog', { name: texts.title });
  const typed = dialog.getByLabel(texts.email(author.email));
  const confirm = dialog.getByRole('button', { name: texts.confirm });
  await open.click();
  await expect(dialog).toContainText(texts.consequence);
  await expect(typed).toBeFocused();
  await typed.fill('somebody@example.org');
  await confirm.click();
  await expect(typed).toHaveAccessibleDescription(texts.emailWrong);
  await expect(typed).toBeFocused();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: visitor.m.account.cancel }).click();
  await expect(open).toBeFocused();
  expect(deletions).toEqual([]);

  await open.click();
  await typed.fill(author.email.toUpperCase());
  const restore = await failRequests(page, AUTH.account, 'DELETE');
  await confirm.click();
  await expect(dialog.getByRole('alert')).toHaveText(visitor.m.signIn.errors.NETWORK_ERROR);
  await expect(typed).toHaveValue(author.email.toUpperCase());
  await restore();
  await confirm.click();
  await expect(page).toHaveURL(/\/gallery$/);
  await expect(visitor.notice(texts.done)).toBeVisible();
  await expect(page.getByRole('button', { name: visitor.m.layout.signIn, exact: true })).toBeVisible();
  expect(await page.evaluate(() => Object.keys(localStorage))).not.toContain(`fabrica_draft_${author.id}`);

  expect((await signInAt(server, author.email, PASSWORD)).status).toBe(401);
  expect(await refreshStatus(server, author.session)).toBe(401);
  expect(await rowsOf(server, `journal_posts?id=eq.${postId}`)).toEqual([]);
  expect(await rowsOf(server, `profiles?id=eq.${author.id}`)).toEqual([]);
  expect(await rowsOf(server, `post_comments?id=eq.${commentId}`)).toMatchObject([
    { content: 'It stays.', user_name: 'Anonymous' },
  ]);
  expectConsoleErrors(consoleErrors, /ERR_CONNECTION_FAILED/);
});

test('after a session has ended, signing in again in a popup keeps the typed values', async ({
  page,
  journal,
  consoleErrors,
}) => {
  await openAccount(page, journal.server);
  const { sessionEnded } = visitor.m.publish;
  const { name, save, saved } = profileParts(page);
  await name.fill('Ada Lovelace');
  await endSession(page, author, journal.server);
  await save.click();
  const ended = page.getByRole('alert').filter({ hasText: sessionEnded.title });
  await expect(ended).toContainText(visitor.m.account.sessionEnded);
  await expect(name).toHaveValue('Ada Lovelace');
  await expectAccessible(page);
  await signInInWindow(page, () => ended.getByRole('button', { name: sessionEnded.signIn }).click());
  await expect(ended).toHaveCount(0);
  await expect(name).toHaveValue('Ada Lovelace');
  await expect(section(page, 'sessions').getByRole('listitem')).toHaveCount(1);
  await save.click();
  await expect(saved).toBeVisible();
  expect(await rowsOf(journal.server, `profiles?id=eq.${author.id}`)).toMatchObject([
    { display_name: 'Ada Lovelace' },
  ]);
  expectConsoleErrors(consoleErrors, /status of 401/);
});

/** Signs in through the popup that `open` opens, and waits until it is closed. */
async function signInInWindow(page: Page, open: () => Promise<void>): Promise<void> {
  const [popup] = await Promise.all([page.waitForEvent('popup'), open()]);
  const inPopup = new Visitor(popup, visitor.language);
  await inPopup.hydrated();
  await popup.getByLabel(inPopup.m.signIn.email, { exact: true }).fill(author.email);
  await popup.getByLabel(inPopup.m.signIn.password, { exact: true }).fill(PASSWORD);
  const closed = popup.waitForEvent('close');
  await popup.getByRole('button', { name: inPopup.m.signIn.signIn, exact: true }).click();
  await closed;
}

test.describe('signing in again while a post is published', () => {
  const TITLE = 'The heart';
  const CONTENT = 'The heart feeds itself first.';

  test.afterEach(({ journal }) => journal.provider.reset());

  /** Publishes a post whose session ends meanwhile. */
  async function publishWithoutSession(page: Page, server: RunningServer) {
    ({ author, visitor } = await signInOn(page, server));
    const { sessionEnded } = visitor.m.publish;
    await visitor.open('/admin');
    await visitor.fillPost(TITLE, CONTENT);
    const translations = await pauseRequests(page, CALLS.translate, 'POST');
    await visitor.publishButton.click();
    await translations.paused;
    await endSession(page, author, server);
    translations.release();
    const ended = page.locator('form').getByRole('alert').filter({ hasText: sessionEnded.title });
    await expect(ended).toContainText(sessionEnded.description);
    return { ended, signIn: ended.getByRole('button', { name: sessionEnded.signIn }) };
  }

  test('signing in again in a popup keeps the post, which can then be published', async ({
    page,
    journal,
    consoleErrors,
  }) => {
    const { ended, signIn } = await publishWithoutSession(page, journal.server);
    let navigations = 0;
    page.on('framenavigated', () => {
      navigations += 1;
    });
    await signInInWindow(page, () => signIn.click());
    await expect(ended).toHaveCount(0);
    await expect(page.getByLabel(visitor.m.publish.titleField.label)).toHaveValue(TITLE);
    await expect(page.getByLabel(visitor.m.publish.contentField.label)).toHaveValue(CONTENT);
    await expect(page.getByAltText(visitor.m.publish.image.preview)).toBeVisible();
    await expect(visitor.publishButton).toBeFocused();
    expect(navigations).toBe(0);
    await visitor.publishButton.click();
    await expect(page).toHaveURL(/\/gallery/);
    expect(await rowsOf(journal.server, `journal_posts?user_id=eq.${author.id}`)).toMatchObject([
      { title: TITLE },
    ]);
    expectConsoleErrors(consoleErrors, /status of 401/);
  });

  test('closing the popup of signing in again is explained, and it can be opened again', async ({
    page,
    journal,
    consoleErrors,
  }) => {
    const { ended, signIn } = await publishWithoutSession(page, journal.server);
    const [popup] = await Promise.all([page.waitForEvent('popup'), signIn.click()]);
    await popup.close();
    await expect(ended).toContainText(visitor.m.signIn.errors.POPUP_CANCELED);
    await expectAccessible(page);
    await signInInWindow(page, () => signIn.click());
    await expect(ended).toHaveCount(0);
    expectConsoleErrors(consoleErrors, /status of 401/);
  });

  test('without popups, signing in again happens on the sign-in page and keeps the draft', async ({
    page,
    journal,
    consoleErrors,
  }) => {
    await page.addInitScript(() => {
      window.open = () => null;
    });
    const { signIn } = await publishWithoutSession(page, journal.server);
    await signIn.click();
    await expect(page).toHaveURL(/\/auth\?/);
    await visitor.hydrated();
    await visitor.signIn(author.email);
    await expect(page).toHaveURL(/\/admin/);
    await expect(page.getByText(visitor.m.publish.draftRestored)).toBeVisible();
    await expect(page.getByLabel(visitor.m.publish.titleField.label)).toHaveValue(TITLE);
    await expect(page.getByAltText(visitor.m.publish.image.preview)).toBeVisible();
    expectConsoleErrors(consoleErrors, /status of 401/);
  });
});

test('the account page works with the keyboard alone', async ({ page, journal }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  ({ author, visitor } = await signInOn(page, journal.server));
  const { layout, account } = visitor.m;
  await visitor.open('/about-me');
  /** Presses Tab until the element with that role and name has the focus. */
  const tabTo = async (role: 'link' | 'button' | 'textbox', name: string) => {
    const target = page.getByRole(role, { name, exact: true });
    await expect(target).toBeVisible();
    for (let presses = 0; presses < 60; presses += 1) {
      if (await target.evaluate((element) => element === document.activeElement)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not reach ${name}.`);
  };
  await tabTo('link', layout.account);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/account$/);
  await tabTo('textbox', account.profile.name);
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('Ada Lovelace');
  await page.keyboard.press('Enter');
  await expect(profileParts(page).saved).toBeVisible();
  await tabTo('button', account.sessions.everywhere.open);
  await page.keyboard.press('Space');
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await tabTo('button', account.data.delete.open);
  await page.keyboard.press('Enter');
  await page.keyboard.type(author.email);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/gallery$/);
  await expect(visitor.notice(account.data.delete.done)).toBeVisible();
});

test('the German account page and its header fit into every width', async ({ page, journal }) => {
  const atEachWidth = async (check: () => Promise<void>) => {
    for (const width of [320, 360, 1024, 1280]) {
      await page.setViewportSize({ width, height: 740 });
      await test.step(`at ${width} px`, check);
    }
  };
  await openAccount(page, journal.server, 'de');
  const { layout, account } = visitor.m;
  await expect(section(page, 'sessions').getByRole('listitem')).toHaveCount(1);
  await atEachWidth(() => expectNoSidewaysScroll(page));
  await section(page, 'email').getByRole('button', { name: account.email.send }).click();
  await expect(section(page, 'email').getByLabel(visitor.m.authMail.code.label)).toBeVisible();
  await atEachWidth(() => expectNoSidewaysScroll(page));
  await section(page, 'data').getByRole('button', { name: account.data.delete.open }).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await atEachWidth(() => expectNoSidewaysScroll(page));
  await page.keyboard.press('Escape');

  const header = page.getByRole('banner');
  await atEachWidth(async () => {
    await visitor.unfoldMenu();
    await expectNoSidewaysScroll(page);
    for (const part of [
      header.getByRole('link', { name: layout.createPost, exact: true }),
      header.getByRole('link', { name: layout.account, exact: true }),
      header.getByRole('button', { name: layout.signOut, exact: true }),
    ]) {
      const { lines, scrolls } = await part.evaluate((element) => {
        const texts = document.createRange();
        const tops = new Set<number>();
        const nodes = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
        while (nodes.nextNode()) {
          texts.selectNodeContents(nodes.currentNode);
          for (const { top } of texts.getClientRects()) tops.add(Math.round(top));
        }
        return { lines: tops.size, scrolls: element.scrollWidth > element.clientWidth };
      });
      expect(lines, 'lines of words').toBe(1);
      expect(scrolls).toBe(false);
    }
  });
});

test('axe finds nothing on the account page, in light and in dark', async ({ page, journal }) => {
  await openAccount(page, journal.server);
  await expect(section(page, 'sessions').getByRole('listitem')).toHaveCount(1);
  await profileParts(page).save.click();
  await expect(profileParts(page).saved).toBeVisible();
  await section(page, 'email').getByRole('button', { name: visitor.m.account.email.send }).click();
  await expect(section(page, 'email').getByLabel(visitor.m.authMail.code.label)).toBeVisible();
  await expectAccessibleInBothThemes(page);
  await section(page, 'data').getByRole('button', { name: visitor.m.account.data.delete.open }).click();
  await page.getByRole('alertdialog').getByRole('button').last().click();
  await expectAccessibleInBothThemes(page);
});

import type { Author } from '@fabrica/test-peers/author.ts';
import type { OutboxMail, RunningServer } from '@fabrica/test-peers/start-server.ts';
import type { Browser, Page } from '@playwright/test';
import { expect } from '../journal.ts';
import type { Visitor } from '../steps.ts';

export const NEW_PASSWORD = 'a passphrase that is newer';

interface Delivery {
  mail: OutboxMail;
  /** The URL of the page with the button. */
  link: string;
  /** The code as it is written in the mail. */
  code: string;
}

let accounts = 0;

/** Returns an e-mail address that no account has. */
export function newEmail(): string {
  accounts += 1;
  return `reader-${accounts}-${Date.now()}@example.org`;
}

/** Waits for the `count`th mail to an e-mail address that links to a page, and returns it. */
export async function mailFor(
  server: RunningServer,
  email: string,
  page: 'verify' | 'magic' | 'reset',
  count = 1,
): Promise<Delivery> {
  const find = async () =>
    (await server.mailsTo(email)).filter(({ text }) => text.includes(`/auth/${page}?`));
  await expect.poll(async () => (await find()).length, { message: `mails to ${email}` }).toBe(count);
  const mail = (await find()).at(-1) as OutboxMail;
  const link = /https?:\/\/\S+\/auth\/\S+/.exec(mail.text)?.[0] ?? '';
  const code = /^\s*(\d{3}\s?\d{3})\s*$/m.exec(mail.text)?.[1] ?? '';
  expect(link, 'the link of the mail').toContain('token=');
  expect(code, 'the code of the mail').not.toBe('');
  return { mail, link, code };
}

/** Returns a code of six digits other than this one. */
export function otherThan(code: string): string {
  return String((Number(code.replace(/\D/g, '')) + 1) % 1_000_000).padStart(6, '0');
}

/** Returns the fields of the pages of mails. */
export const mailFields = (page: Page) => ({
  email: page.locator('main [name=email]:visible'),
  code: page.locator('[name=code]'),
  password: page.locator('[name=password]'),
});

export const mainButton = (page: Page, name: string) =>
  page.getByRole('main').getByRole('button', { name, exact: true });

export const mainHeading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true });

/** Expects that the page shows the button to sign out. */
export async function expectSignedIn({ page, m }: Visitor): Promise<void> {
  await expect(
    page.getByRole('button', { name: m.layout.signOut, exact: true, includeHidden: true }),
  ).toBeVisible();
}

/** Returns whether the e-mail address of an account is verified. */
export async function isVerified(server: RunningServer, { token }: Author): Promise<boolean> {
  const response = await fetch(`${server.url}/api/auth/me`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return ((await response.json()) as { user: { emailVerified: boolean } }).user.emailVerified;
}

/** Opens a page in another browser context. */
export async function otherBrowser(
  browser: Browser,
  options: { javaScriptEnabled?: boolean } = {},
): Promise<Page> {
  const context = await browser.newContext(options);
  return context.newPage();
}

/** Requests the mail of a page and waits for the field for its code. */
export async function requestMail(visitor: Visitor, path: string, email: string): Promise<void> {
  const { page, m } = visitor;
  const texts = path.startsWith('/auth/forgot') ? m.authMail.forgot : m.authMail.magic;
  await visitor.open(path);
  await mailFields(page).email.fill(email);
  await mainButton(page, texts.send).click();
  await expect(mainHeading(page, texts.sentTitle)).toBeVisible();
}

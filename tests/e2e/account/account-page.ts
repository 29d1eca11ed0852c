import type { SignInResponse } from '@fabrica/contract';
import { type Author, signIn } from '@fabrica/test-peers/author.ts';
import { forwardedFor } from '@fabrica/test-peers/ip-addresses.ts';
import type { OutboxMail, RunningServer } from '@fabrica/test-peers/start-server.ts';
import type { Locator, Page } from '@playwright/test';
import { expect } from '../journal.ts';
import { type SignedIn, signInOn } from '../people.ts';
import { PASSWORD, Visitor } from '../steps.ts';

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
/** URL patterns of the calls of the account page for `page.route`. */
export const AUTH_CALLS = {
  me: '**/api/auth/me',
  sessions: '**/api/auth/sessions',
  account: '**/api/auth/account',
  export: '**/api/auth/export',
} as const;

/** Creates an account and opens its account page. */
export async function openAccount(
  page: Page,
  server: RunningServer,
  language: Visitor['language'] = 'en',
): Promise<SignedIn> {
  const signedIn = await signInOn(page, server, { language });
  await signedIn.visitor.open('/account');
  await expect(accountSection(signedIn.visitor, 'profile')).toBeVisible();
  return signedIn;
}

/** Returns a section of the account page. */
export function accountSection(
  { page, m }: Visitor,
  name: 'profile' | 'email' | 'password' | 'sessions' | 'data',
): Locator {
  return page.getByRole('region', { name: m.account[name].title, exact: true });
}

/** Returns the parts of the section for the profile. */
export function profileParts(visitor: Visitor) {
  const { profile: texts } = visitor.m.account;
  const form = accountSection(visitor, 'profile');
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

/** Sends a POST request to the auth service. */
export async function callAuth(
  server: RunningServer,
  path: string,
  body: unknown,
  headers = {},
): Promise<Response> {
  return fetch(`${server.url}/api/auth${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

/** Starts a session of the same account on another device, which has Firefox on Windows. */
export async function otherDevice(server: RunningServer, { email }: Author): Promise<SignInResponse> {
  const response = await signIn(server, email, { headers: { 'user-agent': FIREFOX } });
  expect(response.status).toBe(200);
  return (await response.json()) as SignInResponse;
}

/** Returns the author with a session that was handed to another app at home, which is no proof of who uses it. */
export async function handedOver(server: RunningServer, author: Author): Promise<Author> {
  const path = `/mobile-session/app-${crypto.randomUUID()}`;
  const headers = forwardedFor(author.ipAddress);
  await callAuth(server, path, {}, { authorization: `Bearer ${author.token}`, ...headers });
  const response = await fetch(`${server.url}/api/auth${path}`, { headers });
  expect(response.status).toBe(200);
  const session = (await response.json()) as SignInResponse;
  return { ...author, token: session.access_token, session };
}

/** Returns the status of refreshing a session. */
export async function refreshStatus(
  server: RunningServer,
  { refresh_token }: SignInResponse,
): Promise<number> {
  return (await callAuth(server, '/refresh', { refresh_token })).status;
}

/** Waits for the next mail to the author after the first `count` mails. */
export async function nextMail(server: RunningServer, { email }: Author, count: number): Promise<OutboxMail> {
  await expect.poll(async () => (await server.mailsTo(email)).length).toBeGreaterThan(count);
  const mail = (await server.mailsTo(email)).at(-1);
  if (!mail) throw new Error('There is no mail.');
  return mail;
}

/** Waits for the mail to a new account and returns the number of mails. */
export async function waitForWelcome(server: RunningServer, author: Author): Promise<number> {
  await nextMail(server, author, 0);
  return (await server.mailsTo(author.email)).length;
}

/** Returns the six digits of a mail. */
export function codeOf({ text }: OutboxMail): string {
  const code = /^\s*(\d{3})\s?(\d{3})\s*$/m.exec(text);
  if (!code) throw new Error(`There is no code in: ${text}`);
  return `${code[1]}${code[2]}`;
}

/** Signs in through the popup that `open` opens, and waits until it is closed. */
export async function signInInPopup({ author, visitor }: SignedIn, open: () => Promise<void>): Promise<void> {
  const { page } = visitor;
  const [popup] = await Promise.all([page.waitForEvent('popup'), open()]);
  const inPopup = new Visitor(popup, visitor.language);
  await inPopup.hydrated();
  await popup.getByLabel(inPopup.m.signIn.email, { exact: true }).fill(author.email);
  await popup.getByLabel(inPopup.m.signIn.password, { exact: true }).fill(PASSWORD);
  const closed = popup.waitForEvent('close');
  await popup.getByRole('button', { name: inPopup.m.signIn.signIn, exact: true }).click();
  await closed;
}

import { type Author, buildPost, serviceRest, signUp } from '@fabrica/test-peers/author.ts';
import { runFabricaHere } from '@fabrica/test-peers/run-fabrica.ts';
import type { RunningServer } from '@fabrica/test-peers/start-server.ts';
import type { Page } from '@playwright/test';
import type { Language } from '../../apps/journal/project/languages.ts';
import { expect } from './journal.ts';
import { Visitor } from './steps.ts';

const TOKENS_KEY = 'fabrica_tokens_journal';
/** An image that every server has, so that no post needs an upload. */
const IMAGE_PATH = '/favicon.svg';

export interface SignedIn {
  author: Author;
  visitor: Visitor;
}

/** Signs the page's browser context in with the session of an account. */
export async function setSession(page: Page, author: Author, server: RunningServer): Promise<void> {
  const localStorage = [{ name: TOKENS_KEY, value: storedTokens(author) }];
  await page.context().setStorageState({ cookies: [], origins: [{ origin: server.url, localStorage }] });
}

/** Replaces the stored session alone. It applies once the page is reloaded. */
export async function replaceSession(page: Page, author: Author): Promise<void> {
  await page.evaluate(([key, value]) => localStorage.setItem(key, value), [
    TOKENS_KEY,
    storedTokens(author),
  ] as const);
}

/** Ends the session on the server, and makes the page's access token look expired. */
export async function endSession(page: Page, { session }: Author, server: RunningServer): Promise<void> {
  const response = await fetch(`${server.url}/api/auth/logout`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ refresh_token: session.refresh_token }),
  });
  expect(response.ok, 'the session is ended').toBe(true);
  await page.evaluate((key) => {
    const tokens = JSON.parse(localStorage.getItem(key) ?? '{}');
    localStorage.setItem(key, JSON.stringify({ ...tokens, issued_at: tokens.issued_at - tokens.expires_in }));
  }, TOKENS_KEY);
}

function storedTokens({ session }: Author): string {
  return JSON.stringify({ ...session, issued_at: Math.floor(Date.now() / 1000) });
}

/** Creates an account over HTTP and signs this page's browser context in. */
export async function signInOn(
  page: Page,
  server: RunningServer,
  { name = 'Dr Ada Byron', language = 'en' }: { name?: string; language?: Language } = {},
): Promise<SignedIn> {
  const author = await signUp(server, name);
  await setSession(page, author, server);
  return { author, visitor: new Visitor(page, language) };
}

/** Writes a post with the secret key, which may set its date, and returns its id. */
export async function writePost(
  server: RunningServer,
  author: Pick<Author, 'id'>,
  over: Record<string, unknown> = {},
): Promise<string> {
  const post = buildPost(author, { image_url: IMAGE_PATH, ...over });
  const response = await serviceRest(server)('POST', 'journal_posts', post);
  expect(response.status, 'the post is written').toBe(201);
  return String(post.id);
}

export async function writeComment(author: Author, postId: string, content: string): Promise<string> {
  const id = `comment_${Date.now()}${Math.floor(Math.random() * 1e6)}`;
  const comment = { id, post_id: postId, user_id: author.id, content };
  const response = await author.rest('POST', 'post_comments', comment);
  expect(response.status, 'the comment is written').toBe(201);
  return id;
}

/** Deletes every post with its likes and comments. */
export async function emptyJournal(server: RunningServer): Promise<void> {
  const response = await serviceRest(server)('DELETE', 'journal_posts?id=not.is.null');
  expect(response.ok, 'the journal is empty').toBe(true);
}

/** Returns the rows that a query finds with the secret key. */
export async function rowsOf(
  server: RunningServer,
  tableAndQuery: string,
): Promise<Record<string, unknown>[]> {
  const response = await serviceRest(server)('GET', tableAndQuery);
  expect(response.status).toBe(200);
  return (await response.json()) as Record<string, unknown>[];
}

/** Gives an account a role, as an operator does. */
export async function giveRole({ settings }: RunningServer, { email }: Author, role: string): Promise<void> {
  const { exitCode } = await runFabricaHere(['user', 'set-role', email, role], settings);
  expect(exitCode).toBe(0);
}

/** Marks an account's e-mail address as verified, as an operator does. Nobody has a second factor before. */
export async function verifyAddress({ settings }: RunningServer, { email }: Author): Promise<void> {
  const { exitCode } = await runFabricaHere(['user', 'verify', email], settings);
  expect(exitCode).toBe(0);
}

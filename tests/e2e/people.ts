import { type Author, buildPost, serviceRest, signUp } from '@fabrica/test-peers/author.ts';
import type { RunningServer } from '@fabrica/test-peers/start-server.ts';
import type { Page } from '@playwright/test';
import type { Language } from '../../apps/journal/app/language/languages.ts';
import { expect } from './journal.ts';
import { Visitor } from './steps.ts';

const TOKENS_KEY = 'fabrica_tokens_journal';
/** A picture that every server has, so that no post needs an upload. */
const PICTURE = '/favicon.svg';

export interface SignedIn {
  author: Author;
  visitor: Visitor;
}

/** Gives the page's browser the session of an account: the way there is not what the test is about. */
export async function bringSession(page: Page, author: Author, server: RunningServer): Promise<void> {
  const localStorage = [{ name: TOKENS_KEY, value: storedTokens(author) }];
  await page.context().setStorageState({ cookies: [], origins: [{ origin: server.url, localStorage }] });
}

/** Leaves all else as it is; the page must be loaded again. */
export async function changeSession(page: Page, author: Author): Promise<void> {
  await page.evaluate(([key, value]) => localStorage.setItem(key, value), [
    TOKENS_KEY,
    storedTokens(author),
  ] as const);
}

/** The server ends the session; the page knows only that its access token is old. */
export async function endSession(page: Page, { session }: Author, server: RunningServer): Promise<void> {
  const answer = await fetch(`${server.url}/api/auth/logout`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ refresh_token: session.refresh_token }),
  });
  expect(answer.ok, 'the session is ended').toBe(true);
  await page.evaluate((key) => {
    const tokens = JSON.parse(localStorage.getItem(key) ?? '{}');
    localStorage.setItem(key, JSON.stringify({ ...tokens, issued_at: tokens.issued_at - tokens.expires_in }));
  }, TOKENS_KEY);
}

function storedTokens({ session }: Author): string {
  return JSON.stringify({ ...session, issued_at: Math.floor(Date.now() / 1000) });
}

/** A new account over HTTP, signed in on this page's browser. */
export async function signInOn(
  page: Page,
  server: RunningServer,
  { name = 'Dr Ada Byron', language = 'en' }: { name?: string; language?: Language } = {},
): Promise<SignedIn> {
  const author = await signUp(server, name);
  await bringSession(page, author, server);
  return { author, visitor: new Visitor(page, language) };
}

/** Writes a post over HTTP and answers its id. The service role may set its date. */
export async function writePost(
  server: RunningServer,
  author: Pick<Author, 'id'>,
  over: Record<string, unknown> = {},
): Promise<string> {
  const post = buildPost(author, { image_url: PICTURE, ...over });
  const answer = await serviceRest(server)('POST', 'journal_posts', post);
  expect(answer.status, 'the post is written').toBe(201);
  return String(post.id);
}

export async function writeComment(author: Author, postId: string, content: string): Promise<string> {
  const id = `comment_${Date.now()}${Math.floor(Math.random() * 1e6)}`;
  const userName = author.session.user.displayName ?? author.email;
  const comment = { id, post_id: postId, user_id: author.id, user_name: userName, content };
  const answer = await author.rest('POST', 'post_comments', comment);
  expect(answer.status, 'the comment is written').toBe(201);
  return id;
}

/** Takes every post off the wall, and with them what hangs on them. */
export async function emptyJournal(server: RunningServer): Promise<void> {
  const answer = await serviceRest(server)('DELETE', 'journal_posts?id=not.is.null');
  expect(answer.ok, 'the journal is empty').toBe(true);
}

/** The rows of a table that fit a query, as the operator sees them. */
export async function rowsOf(
  server: RunningServer,
  tableAndQuery: string,
): Promise<Record<string, unknown>[]> {
  const answer = await serviceRest(server)('GET', tableAndQuery);
  expect(answer.status).toBe(200);
  return (await answer.json()) as Record<string, unknown>[];
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SignInResponse } from '../../packages/contract/src/auth.ts';
import type { RunningServer } from './start-server.ts';

/** Somebody who is signed in, calling over plain HTTP. */
export interface Author {
  id: string;
  email: string;
  token: string;
  /** The whole answer of the sign-up: a token set and the user. */
  session: SignInResponse;
  /** A call of the REST database, with the author's token. */
  rest(method: string, tableAndQuery: string, body?: unknown): Promise<Response>;
}

let people = 0;

/** Signs a new account up. */
export async function signUp(server: RunningServer, displayName = 'Ada Byron'): Promise<Author> {
  people += 1;
  const email = `person-${people}-${Date.now()}@example.org`;
  const answer = await fetch(`${server.url}/api/auth/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ projectId: 'journal', email, password: 'a long enough passphrase', displayName }),
  });
  if (!answer.ok) throw new Error(`Nobody could sign up: ${answer.status} ${await answer.text()}`);
  const session = (await answer.json()) as SignInResponse;
  const token = session.access_token;
  return { id: session.user.id, email, token, session, rest: restWith(server, token) };
}

/** Uploads a file of the journal under this path, as whoever holds the token. */
export async function uploadFile(
  server: RunningServer,
  token: string,
  { path, bytes }: { path: string; bytes: Uint8Array },
): Promise<void> {
  const form = new FormData();
  form.set('path', path);
  form.set('file', new File([new Uint8Array(bytes)], 'file'));
  const answer = await fetch(`${server.url}/api/storage/journal/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  if (!answer.ok) throw new Error(`The upload failed: ${answer.status} ${await answer.text()}`);
}

/** The service role: the project's secret key, as an operator reads it from the data folder. */
export function serviceRest(server: RunningServer): Author['rest'] {
  return restWith(
    server,
    readFileSync(join(server.dataDir, 'keys', 'project-journal.secret'), 'utf8').trim(),
  );
}

function restWith(server: RunningServer, token: string): Author['rest'] {
  return (method, tableAndQuery, body) =>
    fetch(`${server.url}/api/db/journal/rest/v1/${tableAndQuery}`, {
      method,
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${token}`,
        prefer: 'return=representation',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
}

/** The fields of a post in four languages, told apart by what stands in front. */
export function buildPost(
  author: Pick<Author, 'id'>,
  over: Record<string, unknown> = {},
): Record<string, unknown> {
  const id = `post_${Date.now()}${Math.floor(Math.random() * 1e6)}`;
  const post: Record<string, unknown> = {
    id,
    user_id: author.id,
    title: 'The eye',
    content: 'Light comes in.\n\nAn image is made.',
    image_url: '/storage/journal/posts/1.png',
    published: 1,
  };
  for (const language of ['en', 'es', 'fr', 'de']) {
    post[`title_${language}`] = `${language}: The eye`;
    post[`content_${language}`] = `${language}: Light comes in.\n\nAn image is made.`;
  }
  return { ...post, ...over };
}

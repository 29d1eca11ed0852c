import { readServerKey } from '@fabrica/backend/testing/auth/build-test-keys.ts';
import type { SignInResponse, UploadResponse } from '@fabrica/contract';
import { forwardedFor, newIpAddress } from './ip-addresses.ts';
import type { RunningServer } from './start-server.ts';

/** A signed-in account that calls the server over plain HTTP. */
export interface Author {
  id: string;
  email: string;
  token: string;
  /** The IP address that it signed up from. */
  ipAddress: string;
  /** The response to the sign-up: a token set and the user. */
  session: SignInResponse;
  /** Calls the REST database with the author's token. */
  rest(method: string, tableAndQuery: string, body?: unknown): Promise<Response>;
}

/** The password of every account that `signUp` makes. */
export const PASSWORD = 'a long enough passphrase';

let accounts = 0;

/** Signs up a new account of the journal, from a network of its own where the server is behind a proxy. */
export async function signUp(server: RunningServer, displayName = 'Ada Byron'): Promise<Author> {
  accounts += 1;
  const email = `person-${accounts}-${Date.now()}@example.org`;
  const ipAddress = newIpAddress();
  const response = await fetch(`${server.url}/api/auth/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...forwardedFor(ipAddress) },
    body: JSON.stringify({ projectId: 'journal', email, password: PASSWORD, displayName }),
  });
  if (!response.ok) throw new Error(`The sign-up failed: ${response.status} ${await response.text()}`);
  const session = (await response.json()) as SignInResponse;
  const token = session.access_token;
  return { id: session.user.id, email, token, ipAddress, session, rest: restWith(server, token) };
}

export interface SignInOptions {
  password?: string;
  headers?: Record<string, string>;
}

/** Signs in to an account of the journal by its password, and returns the response. */
export function signIn(
  { url }: Pick<RunningServer, 'url'>,
  email: string,
  { password = PASSWORD, headers = {} }: SignInOptions = {},
): Promise<Response> {
  return fetch(`${url}/api/auth/signin/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ projectId: 'journal', email, password }),
  });
}

/** Uploads a file to the journal's storage with this token, and returns the columns of a post that has it as its image. */
export async function uploadFile(
  server: RunningServer,
  token: string,
  { path, bytes }: { path: string; bytes: Uint8Array },
): Promise<Record<string, unknown>> {
  const form = new FormData();
  form.set('path', path);
  form.set('file', new File([new Uint8Array(bytes)], 'file'));
  const response = await fetch(`${server.url}/api/storage/journal/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  if (!response.ok) throw new Error(`The upload failed: ${response.status} ${await response.text()}`);
  const { publicUrl, width, height, placeholder } = (await response.json()) as UploadResponse;
  const { pathname, search } = new URL(publicUrl, server.url);
  return {
    image_url: `${pathname}${search}`,
    image_width: width ?? null,
    image_height: height ?? null,
    image_placeholder: placeholder ?? null,
  };
}

/** Returns calls of the REST database with the journal's secret key. */
export function serviceRest(server: RunningServer): Author['rest'] {
  let key: Promise<string> | undefined;
  return async (...call) => {
    key ??= secretKeyOf(server);
    return restWith(server, await key)(...call);
  };
}

/** Returns the secret key of a project, which `npx fabrica key show` prints to operators. */
export function secretKeyOf(
  { settings }: Pick<RunningServer, 'settings'>,
  projectId = 'journal',
): Promise<string> {
  return readServerKey(settings, `project-${projectId}`);
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

/** Builds a post in four languages, whose texts begin with the code of their language. */
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

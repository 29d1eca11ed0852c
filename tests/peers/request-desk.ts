import type { Author } from './author.ts';
import type { RunningServer } from './start-server.ts';

export interface DeskRequest {
  method: string;
  path: string;
  body?: unknown;
  /** The version of the post that the caller has read. */
  version?: number | undefined;
}

/** Sends a request to the desk with the author's token. */
export function requestDesk(
  { url }: Pick<RunningServer, 'url'>,
  { token }: Pick<Author, 'token'>,
  { method, path, body, version }: DeskRequest,
): Promise<Response> {
  return fetch(`${url}/api/desk/journal/${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
      ...(version !== undefined && { 'if-match': `"${version}"` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

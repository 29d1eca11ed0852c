/**
 * A stand-in for a GitHub Enterprise Server, with its paths and its errors of a code, which it sends with
 * status 200. Its page signs in at once, or cancels while `error` is set.
 */
import { hash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readForm, readQuery, sendBack, sendJson, startStandInServer } from './stand-in-server.ts';

interface GitHubAccount {
  id: number;
  login: string;
  name: string | null;
  avatar_url: string;
  emails: { email: string; primary: boolean; verified: boolean }[];
}

export interface GitHubStandIn {
  /** The value of OAUTH_GITHUB_ISSUER. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The account that is signed in there; may be changed at any time. */
  account: GitHubAccount;
  /** The `error` that browsers come back with, while it is set. */
  error: string | undefined;
  /** The API responds with this status while it is set. */
  failure: number | undefined;
  close(): Promise<void>;
}

const ADA: GitHubAccount = {
  id: 583_231,
  login: 'ada',
  name: 'Ada Lovelace',
  avatar_url: 'https://avatars.example/ada.png',
  emails: [
    { email: 'ada@work.example', primary: false, verified: true },
    { email: 'ada@example.org', primary: true, verified: true },
  ],
};

export async function startGitHubStandIn(): Promise<GitHubStandIn> {
  /** The query that the browser was sent with, by code. */
  const begun = new Map<string, URLSearchParams>();
  const tokens = new Set<string>();
  const { origin, close } = await startStandInServer({
    '/login/oauth/authorize': (request, response) => {
      const query = readQuery(request);
      const code = randomBytes(10).toString('hex');
      begun.set(code, query);
      const outcome = standIn.error ? { error: standIn.error } : { code };
      sendBack(response, query, { ...outcome, state: query.get('state') ?? '' });
    },
    '/login/oauth/access_token': async (request, response) =>
      sendJson(response, exchange(await readForm(request))),
    '/api/v3/user': (request, response) => {
      const { emails, ...user } = standIn.account;
      sendToOwner(request, response, user);
    },
    '/api/v3/user/emails': (request, response) => sendToOwner(request, response, standIn.account.emails),
  });

  function exchange(body: URLSearchParams): Record<string, string> {
    const query = begun.get(body.get('code') ?? '');
    begun.delete(body.get('code') ?? '');
    const isClient =
      body.get('client_id') === standIn.clientId && body.get('client_secret') === standIn.clientSecret;
    if (!isClient) return { error: 'incorrect_client_credentials' };
    const challenge = hash('sha256', body.get('code_verifier') ?? '', 'base64url');
    if (!query || query.get('code_challenge') !== challenge) return { error: 'bad_verification_code' };
    if (query.get('redirect_uri') !== body.get('redirect_uri')) return { error: 'redirect_uri_mismatch' };
    const token = `gho_${randomBytes(18).toString('hex')}`;
    tokens.add(token);
    return { access_token: token, token_type: 'bearer', scope: query.get('scope') ?? '' };
  }

  function sendToOwner(request: IncomingMessage, response: ServerResponse, body: unknown): void {
    const [, token = ''] = request.headers.authorization?.split(' ') ?? [];
    if (standIn.failure) sendJson(response, { message: 'Told to fail' }, standIn.failure);
    else if (tokens.has(token)) sendJson(response, body);
    else sendJson(response, { message: 'Bad credentials' }, 401);
  }

  const standIn: GitHubStandIn = {
    issuer: origin,
    clientId: 'Iv1.fabrica',
    clientSecret: randomBytes(20).toString('hex'),
    account: ADA,
    error: undefined,
    failure: undefined,
    close,
  };
  return standIn;
}

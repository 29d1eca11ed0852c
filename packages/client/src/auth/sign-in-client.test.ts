import { BrowserStandIn } from '@fabrica/client/testing/browser-stand-in.ts';
import { ScriptedServer } from '@fabrica/client/testing/scripted-server.ts';
import {
  buildStored,
  buildTokens,
  KEY,
  START,
  scriptedError,
  scriptSession,
  vesalia,
} from '@fabrica/client/testing/session-script.ts';
import type { RoleMap } from '@fabrica/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ClientOptions, createClient, type FabricaClient } from '../client.ts';

const MAGIC = 'POST /api/auth/signin/magic';
const VERIFY = 'POST /api/auth/signin/magic/verify';

let backend: ScriptedServer;
let browser: BrowserStandIn;
const open: FabricaClient[] = [];

function openClient(options: Partial<ClientOptions> = {}): FabricaClient {
  const client = createClient({
    projectId: 'journal',
    origin: backend.origin,
    window: browser.openTab(),
    now: () => START,
    ...options,
  });
  open.push(client);
  return client;
}

beforeEach(async () => {
  backend = await ScriptedServer.start();
  browser = new BrowserStandIn();
});

afterEach(async () => {
  for (const client of open.splice(0)) client.auth.destroy();
  await backend.close();
});

it('sign-up and sign-in with a password are rejected in managed mode', async () => {
  const { auth } = openClient({ authMode: 'managed' });
  const account = { email: 'vesalia@example.org', password: 'De humani corporis' };
  await expect(auth.signUp(account)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  await expect(auth.signInWithEmail(account.email, account.password)).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
  });
  expect(backend.requests).toEqual([]);
});

describe('a magic link', () => {
  it('a magic link is requested with its redirect and the language of the page', async () => {
    backend.on(MAGIC, { body: { success: true } });
    let language: string | undefined = 'de';
    const { auth } = openClient({ language: () => language });
    await auth.sendMagicLink('vesalia@example.org', { redirectUrl: 'https://guest.example/in' });
    language = 'fr';
    await auth.sendMagicLink('vesalia@example.org', { returnTo: '/gallery' });
    language = undefined;
    await auth.sendMagicLink('vesalia@example.org');
    expect(backend.requests.map(({ json }) => json)).toEqual([
      { email: 'vesalia@example.org', projectId: 'journal', redirectUrl: 'https://guest.example/in' },
      { email: 'vesalia@example.org', projectId: 'journal', returnTo: '/gallery' },
      { email: 'vesalia@example.org', projectId: 'journal' },
    ]);
    expect(backend.requests.map(({ headers }) => headers['accept-language']).slice(0, 2)).toEqual([
      'de',
      'fr',
    ]);
    expect(backend.requests[2]?.headers['accept-language']).not.toMatch(/de|fr/);
  });

  it('a magic link signs in with its token or its code', async () => {
    backend.on(VERIFY, { body: { ...buildTokens(1), user: vesalia } });
    const { auth } = openClient();
    await expect(auth.verifyMagicLink('token-1')).resolves.toEqual(vesalia);
    await expect(auth.verifyMagicCode('vesalia@example.org', '123456')).resolves.toEqual(vesalia);
    expect(backend.requests.map(({ json }) => json)).toEqual([
      { token: 'token-1', projectId: 'journal' },
      { email: 'vesalia@example.org', code: '123456', projectId: 'journal' },
    ]);
    expect(auth.getState().status).toBe('authenticated');
  });

  it('the token of a magic link is removed from the URL and the history before it is sent', async () => {
    backend.on(VERIFY, { body: { ...buildTokens(1), user: vesalia } });
    const window = browser.openTab('https://journal.example/in?magic_token=token-1&lang=de#top');
    const { auth } = openClient({ window });
    const signingIn = auth.verifyMagicLink();
    expect(window.location.href).toBe('https://journal.example/in?lang=de#top');
    expect(window.history.state).toEqual({ idx: 3 });
    await signingIn;
    expect(backend.requests[0]?.json).toEqual({ token: 'token-1', projectId: 'journal' });
  });

  it('opening the page of a magic link does not use its token', async () => {
    const window = browser.openTab('https://journal.example/in?magic_token=token-1');
    await openClient({ window }).auth.ready();
    expect(backend.requests).toEqual([]);
    expect(window.location.href).toContain('magic_token=token-1');
  });

  it('a used or missing token of a magic link has expired', async () => {
    backend.on(VERIFY, scriptedError(400, 'MAGIC_LINK_EXPIRED'));
    const { auth } = openClient();
    const expired = {
      name: 'AuthError',
      code: 'MAGIC_LINK_EXPIRED',
      message: 'Magic link has expired. Please request a new one.',
    };
    await expect(auth.verifyMagicLink('token-1')).rejects.toMatchObject(expired);
    await expect(auth.verifyMagicLink()).rejects.toMatchObject(expired);
    await expect(openClient({ window: undefined }).auth.verifyMagicLink()).rejects.toMatchObject(expired);
    expect(backend.requests).toHaveLength(1);
  });
});

describe('a sign-in at an identity provider', () => {
  it('a sign-in at an identity provider is completed with its code', async () => {
    backend.on('POST /api/auth/complete', { body: { ...buildTokens(1), user: vesalia } });
    const { auth } = openClient();
    await expect(auth.completeSignIn('code-1')).resolves.toEqual(vesalia);
    expect(backend.requests[0]?.json).toEqual({ code: 'code-1' });
    expect(auth.getState().status).toBe('authenticated');
    expect(browser.getItem(KEY)).toContain('refresh-1');
  });

  it('the providers are those that the server lists', async () => {
    backend.on('GET /api/auth/providers', { body: { providers: ['email', 'github'] } });
    await expect(openClient().auth.providers()).resolves.toEqual(['email', 'github']);
    expect(backend.requests[0]?.query.get('projectId')).toBe('journal');
  });

  it.each([
    ['the connection breaks', 'hang up' as const],
    ['there are too many requests', scriptedError(429, 'RATE_LIMITED')],
    ['the response is invalid', { body: { providers: 5 } }],
    ['the response is empty', {}],
  ])('the providers are e-mail and Google when %s', async (_, response) => {
    backend.on('GET /api/auth/providers', () => response);
    await expect(openClient().auth.providers()).resolves.toEqual(['email', 'google']);
  });
});

describe('an account whose e-mail address must be verified first', () => {
  it('a sign-up whose e-mail address must be verified first stays anonymous and says so', async () => {
    backend.on('POST /api/auth/signup', scriptedError(403, 'EMAIL_NOT_VERIFIED'));
    const { auth } = openClient();
    await expect(
      auth.signUp({ email: 'vesalia@example.org', password: 'de fabrica 1543' }),
    ).rejects.toMatchObject({
      code: 'EMAIL_NOT_VERIFIED',
      status: 403,
      message: 'Please verify your email address before signing in.',
    });
    expect(auth.getState().status).toBe('anonymous');
  });
});

describe('roles', () => {
  const roles: RoleMap = {
    reader: { permissions: ['comments'] },
    author: { permissions: ['posts.create'], inherits: ['reader'] },
  };

  it("roles and permissions of the signed-in user follow the project's map", async () => {
    browser.setItem(KEY, buildStored(1));
    scriptSession(backend, { number: 1 });
    const { auth } = openClient({ roles });
    expect([auth.hasRole('author'), auth.can('posts.create')]).toEqual([false, false]);
    await auth.ready();
    expect([auth.hasRole('author'), auth.hasRole(['admin', 'author']), auth.hasRole('admin')]).toEqual([
      true,
      true,
      false,
    ]);
    expect([auth.can('posts.create'), auth.can('posts', 'create'), auth.can('comments', 'delete')]).toEqual([
      true,
      true,
      true,
    ]);
    expect([auth.can('posts.delete'), auth.can('posts'), auth.can('users')]).toEqual([false, false, false]);
  });

  it('a role grants nothing without a map', async () => {
    browser.setItem(KEY, buildStored(1));
    scriptSession(backend, { number: 1 });
    const { auth } = openClient();
    await auth.ready();
    expect([auth.hasRole('author'), auth.can('posts.create')]).toEqual([true, false]);
  });
});

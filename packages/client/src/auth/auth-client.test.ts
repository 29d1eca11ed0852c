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
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ClientOptions, createClient, type FabricaClient } from '../client.ts';
import type { AuthState } from './auth-state.ts';

let backend: ScriptedServer;
let browser: BrowserStandIn;
let clock: number;
const open: FabricaClient[] = [];

function openClient(options: Partial<ClientOptions> = {}): FabricaClient {
  const window = 'window' in options ? options.window : browser.openTab();
  const client = createClient({
    projectId: 'journal',
    origin: backend.origin,
    now: () => clock,
    ...options,
    window,
  });
  open.push(client);
  return client;
}

function stored(): Record<string, unknown> | null {
  const text = browser.getItem(KEY);
  return text ? (JSON.parse(text) as Record<string, unknown>) : null;
}

beforeEach(async () => {
  backend = await ScriptedServer.start();
  browser = new BrowserStandIn();
  clock = START;
});

afterEach(async () => {
  vi.useRealTimers();
  for (const client of open.splice(0)) client.auth.destroy();
  await backend.close();
});

describe('starting', () => {
  it('the state goes from loading to anonymous without a call if there are no tokens', async () => {
    const { auth } = openClient();
    const seen: AuthState['status'][] = [auth.getState().status];
    auth.subscribe(({ status }) => seen.push(status));
    await auth.ready();
    expect(seen).toEqual(['loading', 'anonymous']);
    expect(backend.requests).toEqual([]);
  });

  it('the state stays loading with stored tokens until the server has returned the user', async () => {
    browser.setItem(KEY, buildStored(1));
    const renamed = { ...vesalia, displayName: 'Dr Vesalia' };
    let respond = () => {};
    const requested = new Promise<void>((resolve) => {
      backend.on('GET /api/auth/me', () => {
        resolve();
        return new Promise((go) => {
          respond = () => go({ body: { user: renamed } });
        });
      });
    });
    const { auth } = openClient();
    await requested;
    expect(auth.getState()).toEqual({ status: 'loading', isLoading: true, user: null, tokens: null });
    respond();
    const state = await auth.ready();
    expect(state).toMatchObject({ status: 'authenticated', isLoading: false, user: renamed });
    expect(auth.getState()).toBe(state);
    expect(backend.calls('GET /api/auth/me')[0]?.bearer).toBe('access-1');
    expect(stored()).toMatchObject({ user: renamed });
  });

  it('loading ends after 5 s with the stored user, and a late response is still shown', async () => {
    browser.setItem(KEY, buildStored(1));
    const renamed = { ...vesalia, displayName: 'Late' };
    let respond = () => {};
    const requested = new Promise<void>((resolve) => {
      backend.on('GET /api/auth/me', () => {
        resolve();
        return new Promise((go) => {
          respond = () => go({ body: { user: renamed } });
        });
      });
    });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { auth } = openClient();
    await requested;
    await vi.advanceTimersByTimeAsync(4_999);
    expect(auth.getState().status).toBe('loading');
    await vi.advanceTimersByTimeAsync(1);
    expect(auth.getState()).toMatchObject({ status: 'authenticated', user: vesalia });
    const changed = new Promise<AuthState>((resolve) => auth.subscribe(resolve));
    respond();
    expect((await changed).user).toEqual(renamed);
  });

  it('the session is kept if the server cannot be reached, and checked when the network is back', async () => {
    browser.setItem(KEY, buildStored(1));
    backend.on('GET /api/auth/me', () => 'hang up');
    const window = browser.openTab();
    const { auth } = openClient({ window });
    expect(await auth.ready()).toMatchObject({ status: 'authenticated', user: vesalia });
    const renamed = { ...vesalia, displayName: 'Back' };
    backend.on('GET /api/auth/me', { body: { user: renamed } });
    const changed = new Promise<AuthState>((resolve) => auth.subscribe(resolve));
    window.dispatchEvent(new Event('online'));
    expect((await changed).user).toEqual(renamed);
  });

  it('tokens without a stored user are kept if the server cannot be reached', async () => {
    browser.setItem(KEY, buildStored(1, { user: null }));
    backend.on('GET /api/auth/me', scriptedError(503, 'INTERNAL_ERROR'));
    const { auth } = openClient();
    expect((await auth.ready()).status).toBe('anonymous');
    expect(stored()).toMatchObject({ refresh_token: 'refresh-1' });
    backend.on('GET /api/auth/me', { body: { user: vesalia } });
    await auth.me();
    expect(auth.getState().status).toBe('authenticated');
  });

  it('tokens that the server does not know are removed', async () => {
    browser.setItem(KEY, buildStored(1));
    scriptSession(backend, { number: 7 });
    const { auth } = openClient();
    expect((await auth.ready()).status).toBe('anonymous');
    expect(stored()).toBeNull();
  });

  it('an invalid stored session counts as none', async () => {
    browser.setItem(KEY, '{"access_token": 5');
    expect((await openClient().auth.ready()).status).toBe('anonymous');
  });
});

describe('signing in, up and out', () => {
  it('a sign-in stores tokens and user, and later calls send the token', async () => {
    scriptSession(backend, { number: 1 });
    backend.on('POST /api/auth/signin/email', { body: { ...buildTokens(1), user: vesalia } });
    const client = openClient();
    await client.auth.ready();
    await expect(client.auth.signInWithEmail('vesalia@example.org', 'de fabrica')).resolves.toEqual(vesalia);
    expect(backend.requests[0]?.json).toEqual({
      email: 'vesalia@example.org',
      password: 'de fabrica',
      projectId: 'journal',
    });
    expect(client.auth.getState()).toMatchObject({ status: 'authenticated', user: vesalia });
    expect(stored()).toEqual({ ...buildTokens(1), issued_at: START / 1000, user: vesalia });
    await client.db.table('journalPosts').list();
    expect(backend.requests[1]?.bearer).toBe('access-1');
  });

  it('a sign-up sends the display name and signs in', async () => {
    backend.on('POST /api/auth/signup', { body: { ...buildTokens(1), user: vesalia } });
    const { auth } = openClient();
    await auth.signUp({ email: 'vesalia@example.org', password: 'de fabrica 1543', displayName: 'Vesalia' });
    expect(backend.requests[0]?.json).toMatchObject({ displayName: 'Vesalia', projectId: 'journal' });
    expect(auth.getState().status).toBe('authenticated');
  });

  it('a late response about an earlier user is not shown', async () => {
    browser.setItem(KEY, buildStored(1));
    const fuchs = { ...vesalia, id: 'user_2', displayName: 'Fuchs' };
    backend.on('POST /api/auth/signin/email', { body: { ...buildTokens(2), user: fuchs } });
    const { auth } = openClient();
    const { promise: released, resolve: respond } = Promise.withResolvers<void>();
    const { promise: requested, resolve: onRequest } = Promise.withResolvers<void>();
    backend.on('GET /api/auth/me', async () => {
      onRequest();
      await released;
      return { body: { user: vesalia } };
    });
    const loading = auth.me();
    await requested;
    await auth.signInWithEmail('fuchs@example.org', 'de historia');
    respond();
    await loading;
    expect(auth.getState()).toMatchObject({ user: fuchs, tokens: { access_token: 'access-2' } });
    expect(stored()).toMatchObject({ user: fuchs });
  });

  it('wrong credentials fail with the message of the contract, and the state stays anonymous', async () => {
    backend.on('POST /api/auth/signin/email', scriptedError(401, 'INVALID_CREDENTIALS'));
    const { auth } = openClient();
    await auth.ready();
    await expect(auth.signInWithEmail('a@b.org', 'wrong')).rejects.toMatchObject({
      name: 'AuthError',
      code: 'INVALID_CREDENTIALS',
      status: 401,
      message: 'Invalid email or password. Please try again.',
    });
    expect(auth.getState().status).toBe('anonymous');
    expect(backend.requests).toHaveLength(1);
  });

  it('a successful sign-in response without tokens is an error', async () => {
    backend.on('POST /api/auth/signin/email', { body: '<html>Log in to the hotel</html>' });
    const { auth } = openClient();
    await expect(auth.signInWithEmail('a@b.org', 'x')).rejects.toMatchObject({ code: 'NETWORK_ERROR' });
  });

  it('a sign-out sends the refresh token to the server', async () => {
    browser.setItem(KEY, buildStored(1));
    scriptSession(backend, { number: 1 });
    backend.on('POST /api/auth/logout', { body: { success: true } });
    const { auth } = openClient();
    await auth.ready();
    await auth.signOut();
    expect(backend.calls('POST /api/auth/logout')[0]).toMatchObject({
      bearer: 'access-1',
      json: { refresh_token: 'refresh-1' },
    });
    expect(auth.getState().status).toBe('anonymous');
    expect(stored()).toBeNull();
  });

  it('calls that are under way are responded to before a sign-out ends their session', async () => {
    browser.setItem(KEY, buildStored(1));
    scriptSession(backend, { number: 1 });
    backend.on('POST /api/auth/logout', { body: { success: true } });
    const posts = Promise.withResolvers<void>();
    backend.on('GET /api/db/journal/rest/v1/posts', async () => {
      await posts.promise;
      return { body: [] };
    });
    const { auth, db } = openClient();
    await auth.ready();
    const listing = db.table('posts').list();
    await expect.poll(() => backend.calls('GET /api/db/journal/rest/v1/posts')).toHaveLength(1);
    const leaving = auth.signOut();
    await expect.poll(() => auth.getState().status).toBe('anonymous');
    expect(backend.calls('POST /api/auth/logout')).toEqual([]);
    posts.resolve();
    await leaving;
    expect(await listing).toEqual([]);
    expect(backend.calls('POST /api/auth/logout')).toHaveLength(1);
  });

  it('a sign-out with an expired access token is sent without a refresh', async () => {
    browser.setItem(KEY, buildStored(1));
    scriptSession(backend, { number: 1 });
    backend.on('POST /api/auth/logout', { body: { success: true } });
    const { auth } = openClient();
    await auth.ready();
    clock = START + 900_000;
    await auth.signOut();
    expect(backend.requests.map(({ path }) => path)).toEqual(['/api/auth/me', '/api/auth/logout']);
  });

  it('a sign-out takes effect here even if the server cannot be reached', async () => {
    browser.setItem(KEY, buildStored(1));
    scriptSession(backend, { number: 1 });
    backend.on('POST /api/auth/logout', () => 'hang up');
    const { auth } = openClient();
    await auth.ready();
    await auth.signOut();
    expect(auth.getState().status).toBe('anonymous');
    expect(stored()).toBeNull();
  });

  it('login redirects to the sign-in page, which returns to a path of this site only', () => {
    const window = browser.openTab('https://journal.example/post/1?lang=fr#comments');
    const { auth } = openClient({ window, origin: '' });
    auth.login();
    auth.login('/admin');
    auth.login('https://thief.example/gallery');
    auth.login('//thief.example/');
    expect(window.visits).toEqual([
      '/auth?return_to=%2Fpost%2F1%3Flang%3Dfr%23comments',
      '/auth?return_to=%2Fadmin',
      '/auth?return_to=%2F',
      '/auth?return_to=%2F',
    ]);
  });
});

describe('a client without a browser', () => {
  it('a client without a browser stores a sign-in in its own memory', async () => {
    scriptSession(backend, { number: 1 });
    backend.on('POST /api/auth/signin/email', { body: { ...buildTokens(1), user: vesalia } });
    const [one, other] = [openClient({ window: undefined }), openClient({ window: undefined })];
    await one.auth.signInWithEmail('vesalia@example.org', 'de fabrica');
    expect(one.auth.getState().status).toBe('authenticated');
    expect((await other.auth.ready()).status).toBe('anonymous');
    expect(() => one.auth.login()).toThrow(expect.objectContaining({ code: 'REDIRECT_FAILED' }));
  });

  it('a client sends its secret key on a server, and rejects one in a browser', async () => {
    backend.on('GET /api/db/journal/rest/v1/journal_posts', { body: [] });
    await openClient({ window: undefined, secretKey: 'sk_1' }).db.table('journalPosts').list();
    expect(backend.requests[0]?.bearer).toBe('sk_1');
    expect(() => openClient({ secretKey: 'sk_1' })).toThrow('A secret key belongs on a server');
  });
});

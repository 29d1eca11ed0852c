import { BrowserStandIn, type TabStandIn } from '@fabrica/client/testing/browser-stand-in.ts';
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
import { createClient, type FabricaClient } from '../../client.ts';

const REFRESH = 'POST /api/auth/refresh';
const POSTS = 'GET /api/db/journal/rest/v1/journal_posts';

let backend: ScriptedServer;
let browser: BrowserStandIn;
let valid: { number: number };
let clock: number;
const open: FabricaClient[] = [];

async function openSignedIn(window: TabStandIn = browser.openTab()): Promise<FabricaClient> {
  const client = createClient({ projectId: 'journal', origin: backend.origin, window, now: () => clock });
  open.push(client);
  await client.auth.ready();
  return client;
}

function list(client: FabricaClient): Promise<unknown> {
  return client.db.table('journalPosts').list();
}

beforeEach(async () => {
  backend = await ScriptedServer.start();
  browser = new BrowserStandIn();
  browser.setItem(KEY, buildStored(1));
  clock = START;
  valid = { number: 1 };
  scriptSession(backend, valid);
});

afterEach(async () => {
  vi.useRealTimers();
  for (const client of open.splice(0)) client.auth.destroy();
  await backend.close();
});

describe('an expired access token', () => {
  it('an access token is refreshed from 30 s before its end, and not earlier', async () => {
    const client = await openSignedIn();
    clock = START + 869_999;
    await list(client);
    expect(backend.calls(REFRESH)).toHaveLength(0);
    clock = START + 870_000;
    await list(client);
    expect(backend.calls(REFRESH).map(({ json }) => json)).toEqual([{ refresh_token: 'refresh-1' }]);
    expect(backend.calls(POSTS).map(({ bearer }) => bearer)).toEqual(['access-1', 'access-2']);
    expect(client.auth.getState().tokens).toMatchObject({
      access_token: 'access-2',
      issued_at: clock / 1000,
    });
  });

  it.each([true, false])(
    'a hundred calls with an expired token share one refresh (Web Locks: %s)',
    async (locks) => {
      const client = await openSignedIn(browser.openTab(undefined, { locks }));
      clock = START + 900_000;
      await Promise.all(Array.from({ length: 100 }, () => list(client)));
      expect(backend.calls(REFRESH)).toHaveLength(1);
      expect(new Set(backend.calls(POSTS).map(({ bearer }) => bearer))).toEqual(new Set(['access-2']));
    },
  );

  it('a hundred calls that fail with 401 share one refresh, and each is retried once', async () => {
    const client = await openSignedIn();
    backend.on(POSTS, ({ bearer }) =>
      bearer === 'access-2' ? { body: [] } : scriptedError(401, 'TOKEN_EXPIRED'),
    );
    await Promise.all(Array.from({ length: 100 }, () => list(client)));
    expect(backend.calls(REFRESH)).toHaveLength(1);
    expect(backend.calls(POSTS)).toHaveLength(200);
  });

  it('a second 401 after a refresh is thrown', async () => {
    const client = await openSignedIn();
    backend.on(POSTS, scriptedError(401, 'UNAUTHENTICATED'));
    await expect(list(client)).rejects.toMatchObject({
      name: 'AuthError',
      code: 'UNAUTHENTICATED',
      message: 'Authentication error. Please try again.',
    });
    expect(backend.calls(POSTS)).toHaveLength(2);
    expect(backend.calls(REFRESH)).toHaveLength(1);
    expect(client.auth.getState().status).toBe('authenticated');
  });
});

describe('a refresh', () => {
  it('a refresh that fails with 401 ends the session', async () => {
    const client = await openSignedIn();
    backend.on(REFRESH, scriptedError(401, 'TOKEN_EXPIRED'));
    clock = START + 900_000;
    await expect(list(client)).rejects.toMatchObject({
      code: 'TOKEN_EXPIRED',
      message: 'Session expired. Please sign in again.',
      retryable: false,
    });
    expect(client.auth.getState().status).toBe('anonymous');
    expect(browser.getItem(KEY)).toBeNull();
  });

  it('a refresh token that is older than 30 days is not sent', async () => {
    const client = await openSignedIn();
    clock = START + 2_592_000_000;
    await expect(list(client)).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' });
    expect(backend.calls(REFRESH)).toHaveLength(0);
    expect(client.auth.getState().status).toBe('anonymous');
  });

  it.each([
    ['a broken connection', 'hang up' as const],
    ['a 503', scriptedError(503, 'INTERNAL_ERROR')],
    ['a 429', scriptedError(429, 'RATE_LIMITED')],
    ['the page of a proxy', { body: '<html>Welcome to the hotel</html>' }],
    ['a set without tokens', { body: { token_type: 'Bearer' } }],
  ])('a refresh that meets %s keeps the session and can be retried', async (_, response) => {
    const client = await openSignedIn();
    const before = client.auth.getState();
    backend.on(REFRESH, () => response);
    clock = START + 900_000;
    await expect(list(client)).rejects.toMatchObject({ name: 'NetworkError', retryable: true });
    expect(client.auth.getState()).toBe(before);
    expect(browser.getItem(KEY)).not.toBeNull();
    scriptSession(backend, valid);
    await list(client);
    expect(client.auth.getState().tokens?.access_token).toBe('access-2');
  });

  it('a refresh whose response is lost is retried at once with the same token', async () => {
    const client = await openSignedIn();
    let isUsed = false;
    backend.on(REFRESH, () => {
      if (isUsed) return { body: buildTokens(2) };
      isUsed = true;
      valid.number = 2;
      return 'hang up';
    });
    clock = START + 900_000;
    await list(client);
    expect(backend.calls(REFRESH).map(({ json }) => json?.refresh_token)).toEqual(['refresh-1', 'refresh-1']);
    expect(client.auth.getState().tokens?.access_token).toBe('access-2');
  });

  it('a refresh without a response is retried after 3.5 s and times out after 9 s', async () => {
    const client = await openSignedIn();
    const before = client.auth.getState();
    const requested = Promise.withResolvers<void>();
    backend.on(REFRESH, () => {
      requested.resolve();
      return new Promise(() => {});
    });
    clock = START + 900_000;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const result = expect(list(client)).rejects.toMatchObject({ code: 'NETWORK_ERROR', retryable: true });
    await requested.promise;
    await vi.advanceTimersByTimeAsync(3_499);
    expect(backend.calls(REFRESH)).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    await expect.poll(() => backend.calls(REFRESH)).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(5_500);
    await result;
    expect(client.auth.getState()).toBe(before);
    expect(browser.getItem(KEY)).not.toBeNull();
  });

  it('a refresh with any response is not retried', async () => {
    const client = await openSignedIn();
    backend.on(REFRESH, scriptedError(503, 'INTERNAL_ERROR'));
    clock = START + 900_000;
    await expect(list(client)).rejects.toMatchObject({ status: 503 });
    expect(backend.calls(REFRESH)).toHaveLength(1);
  });

  it('`refresh` refreshes the tokens at once', async () => {
    const client = await openSignedIn();
    await expect(client.auth.refresh()).resolves.toMatchObject({ access_token: 'access-2' });
    expect(client.auth.getState()).toMatchObject({ user: vesalia, tokens: { access_token: 'access-2' } });
  });

  it('a pending refresh of an earlier user does not delay the next one', async () => {
    const client = await openSignedIn();
    const requested = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    backend.on(REFRESH, async () => {
      requested.resolve();
      await released.promise;
      return scriptedError(401, 'TOKEN_EXPIRED');
    });
    clock = START + 900_000;
    const earlier = expect(list(client)).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' });
    await requested.promise;
    valid.number = 5;
    backend.on('POST /api/auth/signin/email', {
      body: { ...buildTokens(5), user: { ...vesalia, id: 'user_2' } },
    });
    await client.auth.signInWithEmail('fuchs@example.org', 'de historia');
    await list(client);
    released.resolve();
    await earlier;
    expect(client.auth.getState()).toMatchObject({
      user: { id: 'user_2' },
      tokens: { access_token: 'access-5' },
    });
  });

  it('a refresh whose response arrives after a sign-out does not sign in again', async () => {
    const client = await openSignedIn();
    let respond = () => {};
    const requested = new Promise<void>((resolve) => {
      backend.on(REFRESH, () => {
        resolve();
        return new Promise((go) => {
          respond = () => go({ body: buildTokens(2) });
        });
      });
    });
    const refreshing = client.auth.refresh();
    await requested;
    // Another tab signs out meanwhile.
    const other = browser.openTab();
    other.localStorage.removeItem(KEY);
    respond();
    await expect(refreshing).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' });
    expect(client.auth.getState().status).toBe('anonymous');
    expect(browser.getItem(KEY)).toBeNull();
  });
});

describe('several tabs', () => {
  it('another tab may write the same tokens during a refresh without undoing it', async () => {
    const client = await openSignedIn();
    const other = browser.openTab();
    backend.on(REFRESH, async () => {
      other.localStorage.setItem(KEY, buildStored(1, { user: { ...vesalia, displayName: 'Renamed' } }));
      await Promise.resolve();
      return { body: buildTokens(2) };
    });
    await client.auth.refresh();
    expect(client.auth.getState()).toMatchObject({
      user: { displayName: 'Renamed' },
      tokens: { access_token: 'access-2' },
    });
    expect(JSON.parse(browser.getItem(KEY) ?? '')).toMatchObject({ refresh_token: 'refresh-2' });
  });

  it('two tabs without locks that refresh at the same time stay signed in', async () => {
    const clients = await Promise.all([
      openSignedIn(browser.openTab(undefined, { locks: false })),
      openSignedIn(browser.openTab(undefined, { locks: false })),
    ]);
    clock = START + 900_000;
    // The first tab uses the token: the second gets a 401 and finds the first one's tokens in the storage.
    await Promise.all(clients.map(list));
    expect(backend.calls(REFRESH)).toHaveLength(2);
    expect(clients.map(({ auth }) => auth.getState().tokens?.access_token)).toEqual(['access-2', 'access-2']);
  });
});

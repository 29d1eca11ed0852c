import {
  BrowserStandIn,
  type TabOptions,
  type TabStandIn,
} from '@fabrica/client/testing/browser-stand-in.ts';
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
import type { AuthState } from '../auth-state.ts';

const REFRESH = 'POST /api/auth/refresh';
const ME = 'GET /api/auth/me';
const fuchs = { ...vesalia, id: 'user_2', displayName: 'Fuchs' };

let backend: ScriptedServer;
let browser: BrowserStandIn;
let valid: { number: number };
let clock: number;
const open: FabricaClient[] = [];

interface OpenTab extends FabricaClient {
  window: TabStandIn;
  seen: AuthState['status'][];
}

async function openTab(options: TabOptions = {}): Promise<OpenTab> {
  const window = browser.openTab(undefined, options);
  const client = createClient({ projectId: 'journal', origin: backend.origin, window, now: () => clock });
  open.push(client);
  await client.auth.ready();
  const seen: AuthState['status'][] = [];
  client.auth.subscribe(({ status }) => seen.push(status));
  return { ...client, window, seen };
}

function list(client: FabricaClient): Promise<unknown> {
  return client.db.table('journalPosts').list();
}

function accessToken({ auth }: FabricaClient): string | undefined {
  return auth.getState().tokens?.access_token;
}

/** Delays the response of a route until `respond` is called. */
function delayResponse(
  route: string,
  body: () => unknown,
): { requested: Promise<void>; respond: () => void } {
  const requested = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  backend.on(route, async () => {
    requested.resolve();
    await released.promise;
    return { body: body() };
  });
  return { requested: requested.promise, respond: released.resolve };
}

beforeEach(async () => {
  backend = await ScriptedServer.start();
  browser = new BrowserStandIn();
  browser.setItem(KEY, buildStored(1));
  valid = { number: 1 };
  clock = START;
  scriptSession(backend, valid);
  backend.on('POST /api/auth/signin/email', () => ({ body: { ...buildTokens(valid.number), user: fuchs } }));
  backend.on('POST /api/auth/logout', { body: { success: true } });
});

afterEach(async () => {
  vi.useRealTimers();
  for (const client of open.splice(0)) client.auth.destroy();
  await backend.close();
});

describe('tabs', () => {
  it.each<[string, TabOptions]>([
    ['through storage and channel', {}],
    ['through the channel only', { storageEvents: false }],
    ['through the storage only', { channel: false }],
  ])('a tab follows each refresh, sign-out and sign-in of another one once %s', async (_, options) => {
    const [one, other] = [await openTab(options), await openTab(options)];
    await one.auth.refresh();
    await Promise.resolve();
    expect(accessToken(other)).toBe('access-2');
    await one.auth.signOut();
    await Promise.resolve();
    expect(other.auth.getState().status).toBe('anonymous');
    await one.auth.signInWithEmail('fuchs@example.org', 'de historia');
    await Promise.resolve();
    expect(other.auth.getState()).toMatchObject({ user: fuchs, tokens: { access_token: 'access-2' } });
    expect(other.seen).toEqual(['authenticated', 'anonymous', 'authenticated']);
    expect(backend.calls(ME)).toHaveLength(2);
  });

  it('no message between tabs holds a token', async () => {
    const [one] = [await openTab(), await openTab({ locks: false })];
    await one.auth.refresh();
    await one.auth.signOut();
    expect(browser.messages).not.toHaveLength(0);
    expect(JSON.stringify(browser.messages)).not.toMatch(/access-|refresh-/);
  });

  it('tabs of another project do not receive messages', async () => {
    const window = browser.openTab(undefined, { storageEvents: false });
    const stranger = createClient({ projectId: 'atlas', origin: backend.origin, window });
    open.push(stranger);
    await stranger.auth.ready();
    browser.setItem('fabrica_tokens_atlas', buildStored(1));
    const one = await openTab();
    await one.auth.signOut();
    await Promise.resolve();
    expect(stranger.auth.getState().status).toBe('anonymous');
  });

  it('a tab stays loading if another tab has only loaded the same user again', async () => {
    const { requested, respond } = delayResponse(ME, () => ({ user: vesalia }));
    const first = createClient({
      projectId: 'journal',
      origin: backend.origin,
      window: browser.openTab(),
      now: () => clock,
    });
    const window = browser.openTab();
    const second = createClient({ projectId: 'journal', origin: backend.origin, window, now: () => clock });
    open.push(first, second);
    await requested;
    window.dispatchEvent(new Event('pageshow'));
    window.dispatchEvent(new Event('visibilitychange'));
    window.dispatchEvent(new Event('storage'));
    expect(second.auth.getState().status).toBe('loading');
    respond();
    expect(await second.auth.ready()).toMatchObject({ status: 'authenticated', user: vesalia });
    expect(backend.calls(ME)).toHaveLength(2);
  });
});

describe('a tab that wakes up', () => {
  it.each([
    ['was suspended', 'visibilitychange'],
    ['was in the back/forward cache', 'pageshow'],
  ])('a tab that %s follows the others without their events', async (_, type) => {
    const [one, other] = [await openTab(), await openTab({ channel: false, storageEvents: false })];
    await one.auth.refresh();
    expect(accessToken(other)).toBe('access-1');
    other.window.dispatchEvent(new Event(type));
    expect(accessToken(other)).toBe('access-2');
    await one.auth.signOut();
    other.window.dispatchEvent(new Event(type));
    expect(other.auth.getState().status).toBe('anonymous');
  });

  it('a tab that wakes up refreshes its expired token once and stays signed in', async () => {
    const { auth, window, seen, ...tab } = await openTab();
    window.sleep();
    clock = START + 8 * 3_600_000;
    window.wake();
    await Promise.all([list({ ...tab, auth }), list({ ...tab, auth })]);
    expect(backend.calls(REFRESH)).toHaveLength(1);
    expect(seen).toEqual(['authenticated']);
  });

  it('a tab that wakes up uses the tokens that another tab has refreshed', async () => {
    const [one, other] = [await openTab(), await openTab()];
    other.window.sleep();
    clock = START + 900_000;
    await list(one);
    await list(other);
    expect(backend.calls(REFRESH)).toHaveLength(1);
    expect(accessToken(other)).toBe('access-2');
  });

  it('a tab that wakes up shows the user whose tokens its calls send', async () => {
    const [one, other] = [await openTab(), await openTab()];
    other.window.sleep();
    valid.number = 5;
    await one.auth.signInWithEmail('fuchs@example.org', 'de historia');
    const calling = list(other);
    await calling;
    expect(other.auth.getState()).toMatchObject({ user: fuchs, tokens: { access_token: 'access-5' } });
  });

  it('a tab that wakes up loads the user again if that has failed before', async () => {
    backend.on(ME, scriptedError(503, 'INTERNAL_ERROR'));
    const { auth, window } = await openTab();
    const renamed = { ...vesalia, displayName: 'Back' };
    backend.on(ME, { body: { user: renamed } });
    const changed = new Promise<AuthState>((resolve) => auth.subscribe(resolve));
    window.dispatchEvent(new Event('visibilitychange'));
    expect((await changed).user).toEqual(renamed);
  });

  it('a tab leaves the channel for the back/forward cache and joins it again', async () => {
    const [one, other] = [await openTab(), await openTab({ storageEvents: false })];
    expect(browser.openChannels).toBe(2);
    other.window.dispatchEvent(new Event('pagehide'));
    expect(browser.openChannels).toBe(1);
    other.window.dispatchEvent(new Event('pageshow'));
    await one.auth.refresh();
    await Promise.resolve();
    expect(accessToken(other)).toBe('access-2');
  });
});

describe('a refresh of another tab', () => {
  it("a tab without Web Locks waits for another tab's refresh", async () => {
    const [one, other] = [await openTab({ locks: false }), await openTab({ locks: false })];
    const { requested, respond } = delayResponse(REFRESH, () => buildTokens(++valid.number));
    clock = START + 900_000;
    const calls = [list(one)];
    await requested;
    calls.push(list(other));
    respond();
    await Promise.all(calls);
    expect(backend.calls(REFRESH)).toHaveLength(1);
    expect([one, other].map(accessToken)).toEqual(['access-2', 'access-2']);
  });

  it("a tab without Web Locks waits 2 s at most for another tab's refresh", async () => {
    const [one, other] = [await openTab({ locks: false }), await openTab({ locks: false })];
    const { requested, respond } = delayResponse(REFRESH, () => buildTokens(2));
    clock = START + 900_000;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const stalled = list(one);
    await requested;
    valid.number = 2;
    backend.on(REFRESH, { body: buildTokens(2) });
    const second = list(other);
    await vi.advanceTimersByTimeAsync(1_999);
    expect(backend.calls(REFRESH)).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    await second;
    expect(backend.calls(REFRESH)).toHaveLength(2);
    respond();
    await stalled;
    expect([one, other].map(accessToken)).toEqual(['access-2', 'access-2']);
  });

  it('a tab waits 9 s at most for a lock', async () => {
    const otherTab = browser.openTab();
    const client = await openTab();
    void otherTab.navigator.locks?.request(
      'fabrica_refresh_journal',
      { signal: new AbortController().signal },
      () => new Promise(() => {}),
    );
    clock = START + 900_000;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const calling = list(client);
    await vi.advanceTimersByTimeAsync(8_999);
    expect(backend.calls(REFRESH)).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(1);
    await calling;
    expect(accessToken(client)).toBe('access-2');
  });

  it("a rejected refresh does not replace the tokens of another tab's refresh", async () => {
    const client = await openTab();
    backend.on(REFRESH, () => {
      valid.number = 2;
      browser.setItem(KEY, buildStored(2));
      return scriptedError(401, 'TOKEN_EXPIRED');
    });
    await client.auth.refresh();
    await list(client);
    expect(client.auth.getState()).toMatchObject({ user: vesalia, tokens: { access_token: 'access-2' } });
    expect(browser.getItem(KEY)).toBe(buildStored(2));
    expect(client.seen).toEqual(['authenticated']);
  });

  it("expired tokens of another tab's refresh are refreshed and not removed", async () => {
    const client = await openTab();
    backend.on(REFRESH, () => {
      valid.number = 2;
      browser.setItem(KEY, buildStored(2, { issued_at: START / 1000 - 900 }));
      scriptSession(backend, valid);
      return scriptedError(401, 'TOKEN_EXPIRED');
    });
    await client.auth.refresh();
    expect(accessToken(client)).toBe('access-3');
  });

  it('a call of an earlier user is not sent with the tokens of the next one', async () => {
    const client = await openTab();
    clock = START + 900_000;
    backend.on(REFRESH, () => {
      browser.setItem(KEY, buildStored(5, { user: fuchs, issued_at: clock / 1000 }));
      return { body: buildTokens(2) };
    });
    await expect(list(client)).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' });
    expect(client.auth.getState()).toMatchObject({ user: fuchs, tokens: { access_token: 'access-5' } });
    expect(backend.calls('GET /api/db/journal/rest/v1/journal_posts')).toHaveLength(0);
  });
});

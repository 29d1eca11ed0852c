import { BrowserStandIn, ParentStandIn, type TabStandIn } from '@fabrica/client/testing/browser-stand-in.ts';
import { ScriptedServer } from '@fabrica/client/testing/scripted-server.ts';
import {
  buildStored,
  buildTokens,
  KEY,
  START,
  scriptSession,
  vesalia,
} from '@fabrica/client/testing/session-script.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ClientOptions, createClient, type FabricaClient } from '../../client.ts';

const EMBEDDER = 'https://editor.example';

let backend: ScriptedServer;
let browser: BrowserStandIn;
let valid: { number: number };
let clock: number;
const open: FabricaClient[] = [];

function openClient(window: TabStandIn, options: Partial<ClientOptions> = {}): FabricaClient {
  const client = createClient({
    projectId: 'journal',
    origin: backend.origin,
    window,
    now: () => clock,
    ...options,
  });
  open.push(client);
  return client;
}

beforeEach(async () => {
  backend = await ScriptedServer.start();
  browser = new BrowserStandIn();
  valid = { number: 1 };
  clock = START;
  scriptSession(backend, valid);
});

afterEach(async () => {
  vi.useRealTimers();
  for (const client of open.splice(0)) client.auth.destroy();
  await backend.close();
});

describe('tokens in the address', () => {
  /** Leaves a page of another origin for the sign-in page, and answers the state that it left with. */
  function leave(window: TabStandIn): string {
    openClient(window).auth.login();
    return new URL(window.visits.at(-1) ?? '').searchParams.get('state') ?? '';
  }

  it('are taken out of it at once, with nothing else touched, and come before stored ones', async () => {
    const window = browser.openTab();
    const state = leave(window);
    browser.setItem(KEY, buildStored(9));
    window.location.href =
      'https://journal.example/gallery?search=heart&access_token=access-1&refresh_token=refresh-1&token_type=Bearer' +
      `&expires_in=60&refresh_expires_in=600&project_id=journal&state=${state}&lang=de#plates`;
    const { auth } = openClient(window);
    expect(window.location.href).toBe('https://journal.example/gallery?search=heart&lang=de#plates');
    expect(window.history.state).toEqual({ idx: 3 });
    expect(await auth.ready()).toMatchObject({
      status: 'authenticated',
      user: vesalia,
      tokens: { access_token: 'access-1', expires_in: 60, refresh_expires_in: 600, issued_at: START / 1000 },
    });
  });

  it('live 900 s and 30 days unless they say otherwise', async () => {
    const window = browser.openTab();
    const state = leave(window);
    window.location.href = `https://journal.example/?access_token=access-1&refresh_token=refresh-1&state=${state}`;
    const { tokens } = await openClient(window).auth.ready();
    expect(tokens).toMatchObject({ expires_in: 900, refresh_expires_in: 2_592_000 });
  });

  it.each([
    ['without a state', ''],
    ['with an empty state', '&state='],
    ['with a state that this tab did not make', '&state=made-elsewhere'],
  ])('%s are a stranger’s: refused, and taken out all the same', async (_, query) => {
    browser.setItem(KEY, buildStored(1));
    const window = browser.openTab(
      `https://journal.example/?access_token=theirs&refresh_token=theirs${query}`,
    );
    const { auth } = openClient(window);
    expect(window.location.href).toBe('https://journal.example/');
    expect(await auth.ready()).toMatchObject({ tokens: { access_token: 'access-1' } });
    expect(browser.getItem(KEY)).toBe(buildStored(1));
  });

  it('without a state are refused also while a sign-in is under way', async () => {
    const window = browser.openTab();
    leave(window);
    window.location.href = 'https://journal.example/?access_token=theirs&refresh_token=theirs';
    expect((await openClient(window).auth.ready()).status).toBe('anonymous');
  });

  it('for another project are refused', async () => {
    const window = browser.openTab();
    const state = leave(window);
    window.location.href = `https://journal.example/?access_token=access-1&refresh_token=refresh-1&project_id=other&state=${state}`;
    expect((await openClient(window).auth.ready()).status).toBe('anonymous');
    expect(window.location.href).toBe('https://journal.example/');
  });

  it('without a state are taken by a client that says so; a wrong state is not', async () => {
    const solicit = async (query: string) => {
      const window = browser.openTab(
        `https://journal.example/?access_token=access-1&refresh_token=refresh-1${query}`,
      );
      const { status } = await openClient(window, { acceptUnsolicitedTokens: true }).auth.ready();
      return status;
    };
    expect(await solicit('&state=made-elsewhere')).toBe('anonymous');
    expect(await solicit('')).toBe('authenticated');
  });

  it('are taken with the state that this tab left for another origin with, once', async () => {
    const window = browser.openTab('https://guest.example/page');
    openClient(window).auth.login();
    const left = new URL(window.visits[0] ?? '');
    expect(`${left.origin}${left.pathname}`).toBe(`${backend.origin}/auth`);
    expect(left.searchParams.get('redirect_url')).toBe('https://guest.example/page');
    const back = `https://guest.example/page?access_token=access-1&refresh_token=refresh-1&state=${left.searchParams.get('state')}`;
    window.location.href = back;
    expect((await openClient(window).auth.ready()).status).toBe('authenticated');
    browser.openTab().localStorage.removeItem(KEY);
    window.location.href = back;
    expect((await openClient(window).auth.ready()).status).toBe('anonymous');
  });

  it('leave an address alone that has a state parameter of its own', async () => {
    const window = browser.openTab('https://journal.example/?state=bavaria&title=de%20fabrica');
    await openClient(window).auth.ready();
    expect(window.location.href).toBe('https://journal.example/?state=bavaria&title=de%20fabrica');
  });
});

describe('a token that is set by hand', () => {
  it('signs this tab in, until it is left, and is kept from the other tabs', async () => {
    const window = browser.openTab();
    const client = openClient(window);
    await client.auth.ready();
    await expect(client.auth.setToken('access-1')).resolves.toEqual(vesalia);
    expect(client.auth.getState()).toMatchObject({ user: vesalia, tokens: { expires_in: 900 } });
    await client.db.table('journalPosts').list();
    expect(backend.requests.at(-1)?.bearer).toBe('access-1');
    expect(browser.getItem(KEY)).toBeNull();
    expect((await openClient(window).auth.ready()).status).toBe('anonymous');
  });

  it.each([
    ['30 s before its 900 s are over', 870_000],
    ['when the server refuses it', 0],
  ])('ends %s, without a refresh', async (_, later) => {
    const client = openClient(browser.openTab());
    await client.auth.setToken('access-1');
    clock = START + later;
    valid.number = 2;
    await expect(client.db.table('journalPosts').list()).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' });
    expect(client.auth.getState().status).toBe('anonymous');
    expect(backend.calls('POST /api/auth/refresh')).toHaveLength(0);
  });

  it('changes nothing when it is nobody’s', async () => {
    browser.setItem(KEY, buildStored(1));
    const { auth } = openClient(browser.openTab());
    const before = await auth.ready();
    await expect(auth.setToken('access-9')).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' });
    await expect(auth.setToken('')).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(auth.getState()).toBe(before);
  });

  it('is signed out by itself, for it has no refresh token', async () => {
    backend.on('POST /api/auth/logout', { body: { success: true } });
    const { auth } = openClient(browser.openTab());
    await auth.setToken('access-1');
    await auth.signOut();
    expect(backend.requests.at(-1)?.bearer).toBe('access-1');
    expect(backend.requests.at(-1)?.json).toEqual({});
    expect(auth.getState().status).toBe('anonymous');
  });
});

describe('tokens of a parent window', () => {
  let parent: ParentStandIn;
  let window: TabStandIn;

  beforeEach(() => {
    parent = new ParentStandIn();
    window = browser.openTab('https://journal.example/gallery', { parent });
  });

  const handDown = (message: object, from: { origin?: string; source?: unknown } = {}) =>
    window.receive(message, { origin: EMBEDDER, source: parent, ...from });

  it('are asked for, taken from an allowed origin, and kept from the other tabs', async () => {
    browser.setItem(KEY, buildStored(9));
    parent.onMessage = () => handDown({ type: 'BLINK_AUTH_TOKENS', tokens: buildTokens(1) });
    const client = openClient(window, { allowedParentOrigins: [EMBEDDER] });
    expect(await client.auth.ready()).toMatchObject({
      status: 'authenticated',
      user: vesalia,
      tokens: { access_token: 'access-1' },
    });
    expect(parent.messages).toEqual([{ type: 'BLINK_REQUEST_AUTH_TOKENS', projectId: 'journal' }]);
    expect(browser.getItem(KEY)).toBe(buildStored(9));
  });

  it('of a stranger are not heard', async () => {
    const client = openClient(window, { allowedParentOrigins: [EMBEDDER] });
    handDown({ type: 'BLINK_AUTH_TOKENS', tokens: buildTokens(1) }, { origin: 'https://thief.example' });
    handDown({ type: 'BLINK_AUTH_TOKENS', tokens: buildTokens(1) }, { source: new ParentStandIn() });
    handDown({ type: 'BLINK_AUTH_TOKENS', tokens: buildTokens(1), projectId: 'other' });
    handDown({ type: 'BLINK_AUTH_TOKENS', tokens: { access_token: 5 } });
    expect((await client.auth.ready()).status).toBe('anonymous');
    expect(backend.requests).toEqual([]);
  });

  it('are neither asked for nor heard when no origin is allowed', async () => {
    const client = openClient(window);
    handDown({ type: 'BLINK_AUTH_TOKENS', tokens: buildTokens(1) });
    expect((await client.auth.ready()).status).toBe('anonymous');
    expect(parent.messages).toEqual([]);
  });

  it('are waited for 100 ms, then the stored ones count', async () => {
    browser.setItem(KEY, buildStored(1));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const client = openClient(window, { allowedParentOrigins: [EMBEDDER] });
    await vi.advanceTimersByTimeAsync(99);
    expect(backend.requests).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    vi.useRealTimers();
    expect(await client.auth.ready()).toMatchObject({ tokens: { access_token: 'access-1' } });
  });

  it('may come later, and a sign-out too', async () => {
    const client = openClient(window, { allowedParentOrigins: [EMBEDDER] });
    await client.auth.ready();
    const changed = new Promise((resolve) => client.auth.subscribe(resolve));
    handDown({ type: 'BLINK_AUTH_TOKENS', ...buildTokens(1), projectId: 'journal' });
    expect(await changed).toMatchObject({ status: 'authenticated' });
    handDown({ type: 'BLINK_AUTH_LOGOUT' });
    expect(client.auth.getState().status).toBe('anonymous');
  });

  it('stay when another tab signs out of the shared session', async () => {
    parent.onMessage = () => handDown({ type: 'BLINK_AUTH_TOKENS', tokens: buildTokens(1) });
    const client = openClient(window, { allowedParentOrigins: [EMBEDDER] });
    await client.auth.ready();
    browser.setItem(KEY, buildStored(9));
    browser.openTab().localStorage.removeItem(KEY);
    await Promise.resolve();
    expect(client.auth.getState()).toMatchObject({
      status: 'authenticated',
      tokens: { access_token: 'access-1' },
    });
  });

  it('are asked for anew before the shared refresh token is spent', async () => {
    parent.onMessage = () => handDown({ type: 'BLINK_AUTH_TOKENS', tokens: buildTokens(valid.number) });
    const client = openClient(window, { allowedParentOrigins: [EMBEDDER] });
    await client.auth.ready();
    valid.number = 2;
    clock = START + 900_000;
    await client.db.table('journalPosts').list();
    expect(backend.calls('POST /api/auth/refresh')).toHaveLength(0);
    expect(backend.calls('GET /api/db/journal/rest/v1/journal_posts')[0]?.bearer).toBe('access-2');
  });
});

describe('a storage that fails', () => {
  it('is stood in for by memory', async () => {
    backend.on('POST /api/auth/signin/email', { body: { ...buildTokens(1), user: vesalia } });
    const broken = () => {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
    };
    const tokenStorage = { getItem: () => null, setItem: broken, removeItem: broken };
    const client = openClient(browser.openTab(), { tokenStorage });
    await client.auth.signInWithEmail('vesalia@example.org', 'de fabrica');
    await client.db.table('journalPosts').list();
    expect(backend.requests[1]?.bearer).toBe('access-1');
  });
});

describe('destroy', () => {
  it('removes every handler, and nothing changes any more', async () => {
    browser.setItem(KEY, buildStored(1));
    const parent = new ParentStandIn();
    const window = browser.openTab(undefined, { parent });
    const client = openClient(window, { allowedParentOrigins: [EMBEDDER] });
    expect(window.listenerCount).toBeGreaterThan(0);
    const ready = client.auth.ready();
    client.auth.destroy();
    expect([window.listenerCount, browser.openChannels]).toEqual([0, 0]);
    expect((await ready).status).toBe('loading');
    window.receive(
      { type: 'BLINK_AUTH_TOKENS', tokens: buildTokens(1) },
      { origin: EMBEDDER, source: parent },
    );
    expect(client.auth.getState().status).toBe('loading');
    backend.on('GET /later', {});
    await fetch(`${backend.origin}/later`);
    expect(backend.requests.map(({ path }) => path)).toEqual(['/later']);
  });
});

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

describe('tokens in the URL', () => {
  /** Redirects to the sign-in page of another origin, and returns the state that the tab has stored. */
  function redirect(window: TabStandIn): string {
    openClient(window).auth.login();
    return new URL(window.visits.at(-1) ?? '').searchParams.get('state') ?? '';
  }

  it('tokens in the URL are removed from it and replace stored ones', async () => {
    const window = browser.openTab();
    const state = redirect(window);
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

  it('tokens in the URL are valid for 900 s and 30 days by default', async () => {
    const window = browser.openTab();
    const state = redirect(window);
    window.location.href = `https://journal.example/?access_token=access-1&refresh_token=refresh-1&state=${state}`;
    const { tokens } = await openClient(window).auth.ready();
    expect(tokens).toMatchObject({ expires_in: 900, refresh_expires_in: 2_592_000 });
  });

  it.each([
    ['without a state', ''],
    ['with an empty state', '&state='],
    ['with a state of another tab', '&state=made-elsewhere'],
  ])('tokens in the URL %s are rejected and removed from it', async (_, query) => {
    browser.setItem(KEY, buildStored(1));
    const window = browser.openTab(
      `https://journal.example/?access_token=theirs&refresh_token=theirs${query}`,
    );
    const { auth } = openClient(window);
    expect(window.location.href).toBe('https://journal.example/');
    expect(await auth.ready()).toMatchObject({ tokens: { access_token: 'access-1' } });
    expect(browser.getItem(KEY)).toBe(buildStored(1));
  });

  it('tokens in the URL without a state are rejected even during a sign-in', async () => {
    const window = browser.openTab();
    redirect(window);
    window.location.href = 'https://journal.example/?access_token=theirs&refresh_token=theirs';
    expect((await openClient(window).auth.ready()).status).toBe('anonymous');
  });

  it('tokens in the URL for another project are rejected', async () => {
    const window = browser.openTab();
    const state = redirect(window);
    window.location.href = `https://journal.example/?access_token=access-1&refresh_token=refresh-1&project_id=other&state=${state}`;
    expect((await openClient(window).auth.ready()).status).toBe('anonymous');
    expect(window.location.href).toBe('https://journal.example/');
  });

  it('a client with `acceptUnsolicitedTokens` accepts tokens without a state, but not with a wrong one', async () => {
    const openWith = async (query: string) => {
      const window = browser.openTab(
        `https://journal.example/?access_token=access-1&refresh_token=refresh-1${query}`,
      );
      const { status } = await openClient(window, { acceptUnsolicitedTokens: true }).auth.ready();
      return status;
    };
    expect(await openWith('&state=made-elsewhere')).toBe('anonymous');
    expect(await openWith('')).toBe('authenticated');
  });

  it('tokens in the URL are accepted once with the state that this tab stored', async () => {
    const window = browser.openTab('https://guest.example/page');
    openClient(window).auth.login();
    const visited = new URL(window.visits[0] ?? '');
    expect(`${visited.origin}${visited.pathname}`).toBe(`${backend.origin}/auth`);
    expect(visited.searchParams.get('redirect_url')).toBe('https://guest.example/page');
    const back = `https://guest.example/page?access_token=access-1&refresh_token=refresh-1&state=${visited.searchParams.get('state')}`;
    window.location.href = back;
    expect((await openClient(window).auth.ready()).status).toBe('authenticated');
    browser.openTab().localStorage.removeItem(KEY);
    window.location.href = back;
    expect((await openClient(window).auth.ready()).status).toBe('anonymous');
  });

  it('a URL with only a state parameter is not changed', async () => {
    const window = browser.openTab('https://journal.example/?state=bavaria&title=de%20fabrica');
    await openClient(window).auth.ready();
    expect(window.location.href).toBe('https://journal.example/?state=bavaria&title=de%20fabrica');
  });
});

describe('setToken', () => {
  it('a token from `setToken` signs in this tab only, until it is left', async () => {
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
    ['30 s before the end of its 900 s', 870_000],
    ['when the server rejects it', 0],
  ])('a token from `setToken` ends %s without a refresh', async (_, later) => {
    const client = openClient(browser.openTab());
    await client.auth.setToken('access-1');
    clock = START + later;
    valid.number = 2;
    await expect(client.db.table('journalPosts').list()).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' });
    expect(client.auth.getState().status).toBe('anonymous');
    expect(backend.calls('POST /api/auth/refresh')).toHaveLength(0);
  });

  it('an invalid token in `setToken` changes nothing', async () => {
    browser.setItem(KEY, buildStored(1));
    const { auth } = openClient(browser.openTab());
    const before = await auth.ready();
    await expect(auth.setToken('access-9')).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' });
    await expect(auth.setToken('')).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(auth.getState()).toBe(before);
  });

  it('a token from `setToken` is signed out without a refresh token', async () => {
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

  const sendFromParent = (message: object, from: { origin?: string; source?: unknown } = {}) =>
    window.receive(message, { origin: EMBEDDER, source: parent, ...from });

  it('tokens from a parent window of an allowed origin are used in this tab only', async () => {
    browser.setItem(KEY, buildStored(9));
    parent.onMessage = () => sendFromParent({ type: 'BLINK_AUTH_TOKENS', tokens: buildTokens(1) });
    const client = openClient(window, { allowedParentOrigins: [EMBEDDER] });
    expect(await client.auth.ready()).toMatchObject({
      status: 'authenticated',
      user: vesalia,
      tokens: { access_token: 'access-1' },
    });
    expect(parent.messages).toEqual([{ type: 'BLINK_REQUEST_AUTH_TOKENS', projectId: 'journal' }]);
    expect(browser.getItem(KEY)).toBe(buildStored(9));
  });

  it('tokens are ignored unless window, origin and project are those of the parent window', async () => {
    const client = openClient(window, { allowedParentOrigins: [EMBEDDER] });
    sendFromParent(
      { type: 'BLINK_AUTH_TOKENS', tokens: buildTokens(1) },
      { origin: 'https://thief.example' },
    );
    sendFromParent({ type: 'BLINK_AUTH_TOKENS', tokens: buildTokens(1) }, { source: new ParentStandIn() });
    sendFromParent({ type: 'BLINK_AUTH_TOKENS', tokens: buildTokens(1), projectId: 'other' });
    sendFromParent({ type: 'BLINK_AUTH_TOKENS', tokens: { access_token: 5 } });
    expect((await client.auth.ready()).status).toBe('anonymous');
    expect(backend.requests).toEqual([]);
  });

  it('tokens are neither requested nor accepted if no parent origin is allowed', async () => {
    const client = openClient(window);
    sendFromParent({ type: 'BLINK_AUTH_TOKENS', tokens: buildTokens(1) });
    expect((await client.auth.ready()).status).toBe('anonymous');
    expect(parent.messages).toEqual([]);
  });

  it('stored tokens are used after 100 ms without tokens from the parent window', async () => {
    browser.setItem(KEY, buildStored(1));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const client = openClient(window, { allowedParentOrigins: [EMBEDDER] });
    await vi.advanceTimersByTimeAsync(99);
    expect(backend.requests).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    vi.useRealTimers();
    expect(await client.auth.ready()).toMatchObject({ tokens: { access_token: 'access-1' } });
  });

  it('a parent window may send tokens and a sign-out later', async () => {
    const client = openClient(window, { allowedParentOrigins: [EMBEDDER] });
    await client.auth.ready();
    const changed = new Promise((resolve) => client.auth.subscribe(resolve));
    sendFromParent({ type: 'BLINK_AUTH_TOKENS', ...buildTokens(1), projectId: 'journal' });
    expect(await changed).toMatchObject({ status: 'authenticated' });
    sendFromParent({ type: 'BLINK_AUTH_LOGOUT' });
    expect(client.auth.getState().status).toBe('anonymous');
  });

  it('tokens from a parent window stay when another tab signs out', async () => {
    parent.onMessage = () => sendFromParent({ type: 'BLINK_AUTH_TOKENS', tokens: buildTokens(1) });
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

  it('newer tokens are requested from the parent window before a refresh', async () => {
    parent.onMessage = () => sendFromParent({ type: 'BLINK_AUTH_TOKENS', tokens: buildTokens(valid.number) });
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
  it('a session is held in memory if the storage fails', async () => {
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
  it('`destroy` removes every handler, and the state does not change any more', async () => {
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

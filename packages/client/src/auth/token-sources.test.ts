import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ClientOptions, createClient, type FabricaClient } from '../client.ts';
import { BrowserStandIn, ParentStandIn, type TabStandIn } from '../testing/browser-stand-in.ts';
import { buildStored, buildTokens, KEY, START, scriptSession, vesalia } from '../testing/journal-script.ts';
import { ScriptedBackend } from '../testing/scripted-backend.ts';

const EMBEDDER = 'https://editor.example';

let backend: ScriptedBackend;
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
  backend = await ScriptedBackend.start();
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
  it('are taken out of it at once, with nothing else touched, and come before stored ones', async () => {
    browser.setItem(KEY, buildStored(9));
    const window = browser.openTab(
      'https://journal.example/gallery?search=heart&access_token=access-1&refresh_token=refresh-1&token_type=Bearer' +
        '&expires_in=60&refresh_expires_in=600&project_id=journal&lang=de#plates',
    );
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
    const { auth } = openClient(
      browser.openTab('https://journal.example/?access_token=access-1&refresh_token=refresh-1'),
    );
    expect((await auth.ready()).tokens).toMatchObject({ expires_in: 900, refresh_expires_in: 2_592_000 });
  });

  it.each([
    ['for another project', 'project_id=other'],
    ['with a state that this tab did not make', 'state=made-elsewhere'],
  ])('%s are refused, and taken out all the same', async (_, query) => {
    const window = browser.openTab(
      `https://journal.example/?access_token=access-1&refresh_token=refresh-1&${query}`,
    );
    const { auth } = openClient(window);
    expect(window.location.href).toBe('https://journal.example/');
    expect((await auth.ready()).status).toBe('anonymous');
    expect(browser.getItem(KEY)).toBeNull();
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
    const window = browser.openTab('https://journal.example/?state=bavaria');
    await openClient(window).auth.ready();
    expect(window.location.href).toBe('https://journal.example/?state=bavaria');
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
    expect(window.listenerCount).toBe(0);
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

import {
  BrowserStandIn,
  ParentStandIn,
  type PopupStandIn,
  type TabStandIn,
} from '@fabrica/client/testing/browser-stand-in.ts';
import { ScriptedServer } from '@fabrica/client/testing/scripted-server.ts';
import {
  buildTokens,
  KEY,
  START,
  scriptedError,
  scriptSession,
  vesalia,
} from '@fabrica/client/testing/session-script.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ClientOptions, createClient, type FabricaClient } from '../client.ts';

let backend: ScriptedServer;
let browser: BrowserStandIn;
let window: TabStandIn;
const open: FabricaClient[] = [];

async function openClient(options: Partial<ClientOptions> = {}): Promise<FabricaClient> {
  const client = createClient({
    projectId: 'journal',
    origin: backend.origin,
    now: () => START,
    window,
    ...options,
  });
  open.push(client);
  await client.auth.ready();
  return client;
}

function lastPopup(): PopupStandIn {
  const popup = window.popups.at(-1);
  if (!popup) throw new Error('No popup was opened.');
  return popup;
}

/** Returns the message that `/auth` posts after a sign-in. */
function buildMessage(popup = lastPopup(), changes: Record<string, unknown> = {}) {
  const state = popup.url.searchParams.get('state');
  return { type: 'BLINK_AUTH_TOKENS', ...buildTokens(1), projectId: 'journal', state, ...changes };
}

function post(message: unknown, from: { origin?: string; source?: unknown } = {}): void {
  window.receive(message, { origin: backend.origin, source: lastPopup(), ...from });
}

beforeEach(async () => {
  backend = await ScriptedServer.start();
  browser = new BrowserStandIn();
  window = browser.openTab('https://journal.example/post/1?lang=fr');
  scriptSession(backend, { number: 1 });
});

afterEach(async () => {
  vi.useRealTimers();
  for (const client of open.splice(0)) client.auth.destroy();
  await backend.close();
});

describe('a popup', () => {
  it('a popup is opened in the click itself, with the origin and the page of its opener', async () => {
    const { auth } = await openClient();
    const result = auth.signInWithProvider('google');
    expect(window.popups).toHaveLength(1);
    const { url, target, features } = lastPopup();
    expect(`${url.origin}${url.pathname}`).toBe(`${backend.origin}/auth`);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      provider: 'google',
      project_id: 'journal',
      mode: 'popup',
      state: expect.stringMatching(/^[a-z0-9]{28}$/),
      opener_origin: 'https://journal.example',
      redirect_url: 'https://journal.example/post/1?lang=fr',
    });
    expect([target, features]).toEqual(['_blank', expect.stringContaining('popup')]);
    post(buildMessage());
    await result;
  });

  it('the tokens from a popup sign in, and the popup and its listeners are gone', async () => {
    const { auth } = await openClient();
    const listeners = window.listenerCount;
    const result = auth.signInWithPopup();
    expect(lastPopup().url.searchParams.has('provider')).toBe(false);
    post(buildMessage());
    await expect(result).resolves.toEqual(vesalia);
    expect(auth.getState()).toMatchObject({ user: vesalia, tokens: { access_token: 'access-1' } });
    expect(JSON.parse(browser.getItem(KEY) ?? '')).toMatchObject({
      refresh_token: 'refresh-1',
      user: vesalia,
    });
    expect(lastPopup().closed).toBe(true);
    expect(window.listenerCount).toBe(listeners);
  });

  it('a popup sign-in ignores messages from other windows and other origins', async () => {
    const { auth } = await openClient();
    const result = auth.signInWithPopup();
    post(buildMessage(lastPopup(), { ...buildTokens(9) }), { origin: 'https://thief.example' });
    post(buildMessage(lastPopup(), { ...buildTokens(9) }), { source: window });
    post({ type: 'BLINK_AUTH_ERROR', code: 'RATE_LIMITED' }, { origin: 'https://thief.example' });
    post({ type: 'SOMETHING_ELSE' });
    post('hello');
    post(null);
    post(buildMessage());
    await expect(result).resolves.toEqual(vesalia);
    expect(backend.calls('GET /api/auth/me').map(({ bearer }) => bearer)).toEqual(['access-1']);
  });

  it.each<[string, Record<string, unknown>]>([
    ['another state', { state: 'made-elsewhere' }],
    ['no state', { state: undefined }],
    ['an empty state', { state: null }],
    ['another project', { projectId: 'other' }],
    ['no project', { projectId: undefined }],
    ['no tokens', { access_token: undefined }],
    [
      'an error of another state',
      { type: 'BLINK_AUTH_ERROR', code: 'RATE_LIMITED', state: 'made-elsewhere' },
    ],
  ])('a popup that returns %s is closed, rejected, and stores nothing', async (_, changes) => {
    const { auth } = await openClient();
    const result = auth.signInWithPopup();
    post(buildMessage(lastPopup(), changes));
    await expect(result).rejects.toMatchObject({ name: 'AuthError', code: 'VERIFICATION_FAILED' });
    expect(lastPopup().closed).toBe(true);
    expect(browser.getItem(KEY)).toBeNull();
    expect(auth.getState().status).toBe('anonymous');
    expect(backend.requests).toEqual([]);
  });

  it.each([
    ['EMAIL_ALREADY_EXISTS', 'EMAIL_ALREADY_EXISTS', false],
    ['POPUP_CANCELED', 'POPUP_CANCELED', false],
    ['RATE_LIMITED', 'RATE_LIMITED', true],
    ['NETWORK_ERROR', 'NETWORK_ERROR', true],
    ['BRAND_NEW_CODE', 'NETWORK_ERROR', true],
    [undefined, 'NETWORK_ERROR', true],
  ])('a popup that reports %s fails with %s', async (code, expected, retryable) => {
    const { auth } = await openClient();
    const result = auth.signInWithPopup();
    const { state } = buildMessage();
    post({ type: 'BLINK_AUTH_ERROR', code, message: 'As the page put it.', state });
    await expect(result).rejects.toMatchObject({ code: expected, retryable });
    expect(lastPopup().closed).toBe(true);
  });

  it('the tokens of a popup are not stored if the user cannot be loaded', async () => {
    backend.on('GET /api/auth/me', scriptedError(503, 'INTERNAL_ERROR'));
    const { auth } = await openClient();
    const result = auth.signInWithPopup();
    post(buildMessage());
    await expect(result).rejects.toMatchObject({ code: 'NETWORK_ERROR' });
    expect(browser.getItem(KEY)).toBeNull();
  });
});

describe('a popup without a result', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  });

  it('a popup times out and is closed after 300 s', async () => {
    const { auth } = await openClient();
    const result = expect(auth.signInWithPopup()).rejects.toMatchObject({ code: 'AUTH_TIMEOUT' });
    await vi.advanceTimersByTimeAsync(299_999);
    expect(lastPopup().closed).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await result;
    expect(lastPopup().closed).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('a sign-in is canceled a second after its popup was closed', async () => {
    const { auth } = await openClient();
    const result = expect(auth.signInWithPopup()).rejects.toMatchObject({
      code: 'POPUP_CANCELED',
      message: 'Sign-in was canceled. Please try again.',
      retryable: false,
    });
    await vi.advanceTimersByTimeAsync(30_000);
    lastPopup().closed = true;
    await vi.advanceTimersByTimeAsync(1_100);
    await result;
    expect(vi.getTimerCount()).toBe(0);
  });

  it('a popup that is closed just before or after its message signs in', async () => {
    const { auth } = await openClient();
    const first = auth.signInWithPopup();
    post(buildMessage());
    lastPopup().closed = true;
    await expect(first).resolves.toEqual(vesalia);

    const second = auth.signInWithPopup();
    lastPopup().closed = true;
    await vi.advanceTimersByTimeAsync(1_050);
    post(buildMessage());
    await expect(second).resolves.toEqual(vesalia);
  });

  it('a popup is closed when the client is destroyed', async () => {
    const { auth } = await openClient();
    const result = expect(auth.signInWithPopup()).rejects.toMatchObject({ code: 'POPUP_CANCELED' });
    auth.destroy();
    await result;
    expect(lastPopup().closed).toBe(true);
    expect([vi.getTimerCount(), window.listenerCount]).toEqual([0, 0]);
  });
});

describe('a second call', () => {
  it('a second call focuses the open popup and shares its result', async () => {
    const { auth } = await openClient();
    const results = [auth.signInWithPopup(), auth.signInWithPopup()];
    expect(window.popups).toHaveLength(1);
    expect(lastPopup().focusCount).toBe(1);
    post(buildMessage());
    await expect(Promise.all(results)).resolves.toEqual([vesalia, vesalia]);
  });

  it('a second call for another provider replaces the first popup', async () => {
    const { auth } = await openClient();
    const first = auth.signInWithProvider('google');
    const second = auth.signInWithProvider('github');
    await expect(first).rejects.toMatchObject({ code: 'POPUP_CANCELED' });
    expect(window.popups.map(({ closed }) => closed)).toEqual([true, false]);
    post(buildMessage());
    await expect(second).resolves.toEqual(vesalia);
  });

  it('a second call opens a new popup if the first one was just closed', async () => {
    const { auth } = await openClient();
    const first = auth.signInWithPopup();
    lastPopup().closed = true;
    const second = auth.signInWithPopup();
    expect(window.popups).toHaveLength(2);
    await expect(first).rejects.toMatchObject({ code: 'POPUP_CANCELED' });
    post(buildMessage());
    await expect(second).resolves.toEqual(vesalia);
  });
});

describe('without a popup', () => {
  const visited = () => new URL(window.visits.at(-1) ?? '', window.location.origin);

  it('a blocked popup makes the page redirect, and its state is accepted on return', async () => {
    window.blocksPopups = true;
    const { auth } = await openClient();
    await expect(auth.signInWithProvider('google', { returnTo: '/gallery' })).resolves.toBeNull();
    const { origin, pathname, searchParams } = visited();
    expect(`${origin}${pathname}`).toBe(`${backend.origin}/auth`);
    expect(Object.fromEntries(searchParams)).toEqual({
      provider: 'google',
      redirect_url: 'https://journal.example/gallery',
      project_id: 'journal',
      mode: 'redirect',
      state: expect.stringMatching(/^[a-z0-9]{28}$/),
    });
    window.location.href = `https://journal.example/gallery?access_token=access-1&refresh_token=refresh-1&state=${searchParams.get('state')}`;
    const back = await openClient();
    expect(back.auth.getState()).toMatchObject({ status: 'authenticated', user: vesalia });
  });

  it.each([
    ['embedded', { parent: new ParentStandIn() }],
    ['isolated from other windows', { crossOriginIsolated: true }],
  ])('a page that is %s redirects instead of opening a popup', async (_, options) => {
    window = browser.openTab('https://journal.example/', options);
    const { auth } = await openClient();
    await expect(auth.signInWithPopup()).resolves.toBeNull();
    expect(window.popups).toEqual([]);
    expect(visited().searchParams.get('mode')).toBe('redirect');
  });

  it("the mode `redirect` redirects the page, on the backend's own origin to a path", async () => {
    const { auth } = await openClient({ origin: '' });
    await expect(auth.signInWithProvider('google', { mode: 'redirect' })).resolves.toBeNull();
    expect(window.popups).toEqual([]);
    expect(window.visits).toEqual(['/auth?provider=google&return_to=%2Fpost%2F1%3Flang%3Dfr']);
  });

  it("a page on the backend's own origin accepts a popup of that origin", async () => {
    window = browser.openTab(`${backend.origin}/create`);
    const { auth } = await openClient({
      origin: '',
      fetch: (path, init) => fetch(`${backend.origin}${path}`, init),
    });
    const result = auth.signInWithPopup();
    expect(lastPopup().url.searchParams.get('opener_origin')).toBe(backend.origin);
    post(buildMessage());
    await expect(result).resolves.toEqual(vesalia);
  });

  it('signing in through the sign-in page fails without a window', async () => {
    const { auth } = await openClient({ window: undefined });
    await expect(auth.signInWithPopup()).rejects.toMatchObject({ code: 'REDIRECT_FAILED' });
    await expect(auth.signInWithProvider('google')).rejects.toMatchObject({ code: 'REDIRECT_FAILED' });
  });
});

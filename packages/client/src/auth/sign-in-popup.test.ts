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
  refuse,
  START,
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

/** What `/auth` posts when all went well. */
function buildMessage(popup = lastPopup(), changes: Record<string, unknown> = {}) {
  const state = popup.address.searchParams.get('state');
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
  it('is opened in the click itself, and says where it comes from', async () => {
    const { auth } = await openClient();
    const outcome = auth.signInWithProvider('google');
    expect(window.popups).toHaveLength(1);
    const { address, target, features } = lastPopup();
    expect(`${address.origin}${address.pathname}`).toBe(`${backend.origin}/auth`);
    expect(Object.fromEntries(address.searchParams)).toEqual({
      provider: 'google',
      project_id: 'journal',
      mode: 'popup',
      state: expect.stringMatching(/^[a-z0-9]{28}$/),
      opener_origin: 'https://journal.example',
      redirect_url: 'https://journal.example/post/1?lang=fr',
    });
    expect([target, features]).toEqual(['_blank', expect.stringContaining('popup')]);
    post(buildMessage());
    await outcome;
  });

  it('signs in with what it hands back, closes, and leaves nothing behind', async () => {
    const { auth } = await openClient();
    const listeners = window.listenerCount;
    const outcome = auth.signInWithPopup();
    expect(lastPopup().address.searchParams.has('provider')).toBe(false);
    post(buildMessage());
    await expect(outcome).resolves.toEqual(vesalia);
    expect(auth.getState()).toMatchObject({ user: vesalia, tokens: { access_token: 'access-1' } });
    expect(JSON.parse(browser.getItem(KEY) ?? '')).toMatchObject({
      refresh_token: 'refresh-1',
      user: vesalia,
    });
    expect(lastPopup().closed).toBe(true);
    expect(window.listenerCount).toBe(listeners);
  });

  it('is the only window that is heard, and only from the origin of the backend', async () => {
    const { auth } = await openClient();
    const outcome = auth.signInWithPopup();
    post(buildMessage(lastPopup(), { ...buildTokens(9) }), { origin: 'https://thief.example' });
    post(buildMessage(lastPopup(), { ...buildTokens(9) }), { source: window });
    post({ type: 'BLINK_AUTH_ERROR', code: 'RATE_LIMITED' }, { origin: 'https://thief.example' });
    post({ type: 'SOMETHING_ELSE' });
    post('hello');
    post(null);
    post(buildMessage());
    await expect(outcome).resolves.toEqual(vesalia);
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
  ])('that hands back %s is refused, closed, and nothing is kept', async (_, changes) => {
    const { auth } = await openClient();
    const outcome = auth.signInWithPopup();
    post(buildMessage(lastPopup(), changes));
    await expect(outcome).rejects.toMatchObject({ name: 'AuthError', code: 'VERIFICATION_FAILED' });
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
  ])('that failed with %s fails with %s', async (code, expected, retryable) => {
    const { auth } = await openClient();
    const outcome = auth.signInWithPopup();
    const { state } = buildMessage();
    post({ type: 'BLINK_AUTH_ERROR', code, message: 'As the page put it.', state });
    await expect(outcome).rejects.toMatchObject({ code: expected, retryable });
    expect(lastPopup().closed).toBe(true);
  });

  it('keeps nothing when its owner cannot be asked for', async () => {
    backend.on('GET /api/auth/me', refuse(503, 'INTERNAL_ERROR'));
    const { auth } = await openClient();
    const outcome = auth.signInWithPopup();
    post(buildMessage());
    await expect(outcome).rejects.toMatchObject({ code: 'NETWORK_ERROR' });
    expect(browser.getItem(KEY)).toBeNull();
  });
});

describe('a popup that comes to nothing', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  });

  it('is given up and closed after 300 s', async () => {
    const { auth } = await openClient();
    const outcome = expect(auth.signInWithPopup()).rejects.toMatchObject({ code: 'AUTH_TIMEOUT' });
    await vi.advanceTimersByTimeAsync(299_999);
    expect(lastPopup().closed).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await outcome;
    expect(lastPopup().closed).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is canceled a second after it was closed', async () => {
    const { auth } = await openClient();
    const outcome = expect(auth.signInWithPopup()).rejects.toMatchObject({
      code: 'POPUP_CANCELED',
      message: 'Sign-in was canceled. Please try again.',
      retryable: false,
    });
    await vi.advanceTimersByTimeAsync(30_000);
    lastPopup().closed = true;
    await vi.advanceTimersByTimeAsync(1_100);
    await outcome;
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is no cancel when its message came just before, or right after it was seen to be closed', async () => {
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

  it('is closed when the client is destroyed', async () => {
    const { auth } = await openClient();
    const outcome = expect(auth.signInWithPopup()).rejects.toMatchObject({ code: 'POPUP_CANCELED' });
    auth.destroy();
    await outcome;
    expect(lastPopup().closed).toBe(true);
    expect([vi.getTimerCount(), window.listenerCount]).toEqual([0, 0]);
  });
});

describe('a second call', () => {
  it('brings the open popup to the front and shares its outcome', async () => {
    const { auth } = await openClient();
    const outcomes = [auth.signInWithPopup(), auth.signInWithPopup()];
    expect(window.popups).toHaveLength(1);
    expect(lastPopup().focusCount).toBe(1);
    post(buildMessage());
    await expect(Promise.all(outcomes)).resolves.toEqual([vesalia, vesalia]);
  });

  it('for another provider takes the place of the first', async () => {
    const { auth } = await openClient();
    const first = auth.signInWithProvider('google');
    const second = auth.signInWithProvider('github');
    await expect(first).rejects.toMatchObject({ code: 'POPUP_CANCELED' });
    expect(window.popups.map(({ closed }) => closed)).toEqual([true, false]);
    post(buildMessage());
    await expect(second).resolves.toEqual(vesalia);
  });

  it('opens anew when the first popup was closed a moment ago', async () => {
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

  it('a blocked one leads the page there, with a state that lets it come back once', async () => {
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
  ])('a page that is %s goes there itself', async (_, options) => {
    window = browser.openTab('https://journal.example/', options);
    const { auth } = await openClient();
    await expect(auth.signInWithPopup()).resolves.toBeNull();
    expect(window.popups).toEqual([]);
    expect(visited().searchParams.get('mode')).toBe('redirect');
  });

  it('the page goes there when that is asked for; on its own origin by a path', async () => {
    const { auth } = await openClient({ origin: '' });
    await expect(auth.signInWithProvider('google', { mode: 'redirect' })).resolves.toBeNull();
    expect(window.popups).toEqual([]);
    expect(window.visits).toEqual(['/auth?provider=google&return_to=%2Fpost%2F1%3Flang%3Dfr']);
  });

  it('a page of the backend itself hears a popup of its own origin', async () => {
    window = browser.openTab(`${backend.origin}/create`);
    const { auth } = await openClient({
      origin: '',
      fetch: (path, init) => fetch(`${backend.origin}${path}`, init),
    });
    const outcome = auth.signInWithPopup();
    expect(lastPopup().address.searchParams.get('opener_origin')).toBe(backend.origin);
    post(buildMessage());
    await expect(outcome).resolves.toEqual(vesalia);
  });

  it('there is no way in where there is no window', async () => {
    const { auth } = await openClient({ window: undefined });
    await expect(auth.signInWithPopup()).rejects.toMatchObject({ code: 'REDIRECT_FAILED' });
    await expect(auth.signInWithProvider('google')).rejects.toMatchObject({ code: 'REDIRECT_FAILED' });
  });
});

import { buildTestAuth, type TestAuth } from '@fabrica/backend/testing/auth/build-test-auth.ts';
import {
  createInProcessBroker,
  signUpTestPerson,
} from '@fabrica/backend/testing/realtime/build-test-realtime.ts';
import { BrowserStandIn } from '@fabrica/client/testing/browser-stand-in.ts';
import { openRealtimeFixture, type TestClient } from '@fabrica/client/testing/realtime-fixture.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

const PASSWORD = 'a long enough passphrase';

let accounts: TestAuth;
beforeAll(async () => {
  // Tokens are renewed before the first ping.
  accounts = await buildTestAuth({ settings: { accessTokenSeconds: 45 } });
});
afterAll(() => accounts.close());
afterEach(() => vi.useRealTimers());

let people = 0;
async function signUp({ client }: TestClient): Promise<{ id: string; token: string }> {
  people += 1;
  const { id } = await client.auth.signUp({ email: `user-${people}@example.org`, password: PASSWORD });
  return { id, token: tokenOf({ client }) };
}

const tokenOf = ({ client }: Pick<TestClient, 'client'>) => client.auth.getState().tokens?.access_token ?? '';
const auths = ({ sent }: TestClient) =>
  sent.flatMap((message) => (message.type === 'auth' ? [message.payload.token] : []));
/** Advances the client's clock and the time at which the server issues tokens. */
function advance(ms: number, { clock }: Pick<TestClient, 'clock'>): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
  clock.advance(ms);
}
const untilSubscribed = ({ states }: { states: string[] }) =>
  expect.poll(() => states.at(-1), { interval: 2 }).toBe('subscribed');

describe('a socket', () => {
  it('a socket authenticates as the signed-in user with its first message, and not in its URL', async () => {
    const { connect } = await openRealtimeFixture({ accounts });
    const own = connect();
    const { id, token } = await signUp(own);
    const team = own.subscribe('team');
    await untilSubscribed(team);
    expect(own.sent.map(({ type }) => type)).toEqual(['auth', 'subscribe']);
    expect(auths(own)).toEqual([token]);
    expect(own.sockets.join()).not.toContain('token');
    await own.client.realtime.publish('team', 'note', 1);
    await expect.poll(() => team.messages).toMatchObject([{ userId: id, data: 1 }]);
  });

  it('a socket authenticates with a new token before the old one expires', async () => {
    const { connect } = await openRealtimeFixture({ accounts });
    const own = connect();
    const { token } = await signUp(own);
    const team = own.subscribe('team');
    await untilSubscribed(team);
    advance(16_000, own);
    await expect.poll(() => auths(own)).toHaveLength(2);
    expect(auths(own)).toEqual([token, tokenOf(own)]);
    await own.client.realtime.publish('team', 'note', 1);
    await expect.poll(() => team.received).toEqual([1]);
    expect([own.sockets.length, team.errors, team.states.length]).toEqual([1, [], 4]);
  });

  it('a socket whose token expires earlier on the server is authenticated again and misses nothing', async () => {
    let ahead = 0;
    const broker = createInProcessBroker();
    const { connect } = await openRealtimeFixture({ accounts, broker, now: () => Date.now() + ahead });
    const own = connect();
    const { token } = await signUp(own);
    const [team, open] = [own.subscribe('team'), own.subscribe('public:a')];
    await untilSubscribed(team);
    await untilSubscribed(open);
    // The first token ends 45 s after it was made, cut to whole seconds; the one that takes its place 8 s later.
    advance(8_000, own);
    ahead = 40_000;
    await expect.poll(() => auths(own)).toHaveLength(2);
    expect(auths(own)[1]).not.toBe(token);
    await broker.publish('journal:team', JSON.stringify({ type: 'note', data: 1 }));
    await untilSubscribed(team);
    await expect.poll(() => team.received).toEqual([1]);
    expect([own.sockets.length, team.errors, open.states.length]).toEqual([1, [], 4]);
  });

  it('a socket is anonymous after a sign-out, and then authenticates as the next user', async () => {
    const { connect } = await openRealtimeFixture({ accounts });
    const own = connect();
    await signUp(own);
    const [team, open] = [own.subscribe('team'), own.subscribe('public:a')];
    await untilSubscribed(team);
    await untilSubscribed(open);
    await own.client.auth.signOut();
    await expect.poll(() => team.errors).toMatchObject([{ name: 'AuthError', code: 'UNAUTHENTICATED' }]);
    expect(own.client.realtime.getState().channels).toEqual({
      team: 'disconnected',
      'public:a': 'subscribed',
    });
    expect(auths(own).at(-1)).toBeNull();
    const { id } = await signUp(own);
    await untilSubscribed(team);
    await own.client.realtime.publish('team', 'note', 1);
    await expect.poll(() => team.messages).toMatchObject([{ userId: id }]);
    expect([own.sockets.length, open.states.length]).toEqual([1, 4]);
  });

  it('a socket follows the sign-in and the sign-out of another tab', async () => {
    const { connect } = await openRealtimeFixture({ accounts });
    const browser = new BrowserStandIn();
    const [own, other] = [connect({ window: browser.openTab() }), connect({ window: browser.openTab() })];
    const team = own.subscribe('team');
    await expect.poll(() => team.errors).toHaveLength(1);
    await signUp(other);
    await untilSubscribed(team);
    await other.client.auth.signOut();
    await expect.poll(() => team.states.at(-1)).toBe('disconnected');
    expect(own.sockets).toHaveLength(1);
  });

  it('an invalid token is renewed once, and the socket is authenticated', async () => {
    const { connect, fetch } = await openRealtimeFixture({ accounts });
    const browser = new BrowserStandIn();
    const other = connect({ window: browser.openTab() });
    await signUp(other);
    other.client.auth.destroy();
    const key = 'fabrica_tokens_journal';
    const stored = JSON.parse(browser.getItem(key) ?? '{}');
    // Not expired, but without a valid signature.
    browser.setItem(key, JSON.stringify({ ...stored, access_token: 'no-token', expires_in: 900 }));
    const own = connect({
      window: browser.openTab(),
      // A call for the user would renew the token too: here the socket must be the first.
      fetch: async (url, init) => {
        if (String(url).endsWith('/me')) throw new Error('Not to be had.');
        return fetch(url, init);
      },
    });
    const team = own.subscribe('team');
    await untilSubscribed(team);
    expect(auths(own)).toEqual(['no-token', expect.not.stringMatching('no-token')]);
    expect([own.sockets.length, team.errors]).toEqual([2, []]);
  });

  it('a socket without any valid token stays anonymous and stops renewing tokens', async () => {
    const { connect, fetch } = await openRealtimeFixture({ accounts });
    let renewals = 0;
    const own = connect({
      fetch: async (url, init) => {
        const response = await fetch(url, init);
        if (!String(url).endsWith('/refresh')) return response;
        renewals += 1;
        return Response.json({ ...(await response.json()), access_token: `no-token-${renewals}` });
      },
    });
    await signUp(own);
    own.clock.suspend(16_000);
    const [team, open] = [own.subscribe('team'), own.subscribe('public:a')];
    await expect.poll(() => own.sockets).toHaveLength(2);
    await expect.poll(() => own.clock.delays.at(-1)).toBe(2_500);
    own.clock.advance(2_500);
    await untilSubscribed(open);
    expect(auths(own)).toEqual(['no-token-1', 'no-token-2']);
    expect(own.sockets).toHaveLength(3);
    expect(open.errors).toMatchObject([{ code: 'UNAUTHENTICATED' }]);
    expect(team.states.at(-1)).toBe('disconnected');
  });

  it.each(['opens', 'is open'])(
    'a socket that %s while the token is renewed authenticates as the user who signs in meanwhile',
    async (when) => {
      const { connect, fetch } = await openRealtimeFixture({ accounts });
      const gate = Promise.withResolvers<void>();
      let refresh: 'none' | 'requested' | 'done' = 'none';
      const own = connect({
        fetch: async (url, init) => {
          if (!String(url).endsWith('/refresh')) return fetch(url, init);
          refresh = 'requested';
          await gate.promise;
          const response = await fetch(url, init);
          refresh = 'done';
          return response;
        },
      });
      const first = await signUp(own);
      if (when === 'opens') own.clock.suspend(16_000);
      const team = own.subscribe('team');
      if (when === 'is open') {
        await untilSubscribed(team);
        advance(16_000, own);
      }
      await expect.poll(() => refresh).toBe('requested');
      const next = await signUp(own);
      gate.resolve();
      await expect.poll(() => auths(own).at(-1)).toBe(next.token);
      await untilSubscribed(team);
      await own.client.realtime.publish('team', 'note', 1);
      await expect.poll(() => team.messages).toMatchObject([{ userId: next.id }]);
      expect(auths(own)).toEqual(when === 'opens' ? [next.token] : [first.token, next.token]);
    },
  );

  it('a socket with an invalid secret key stays anonymous and reports the error', async () => {
    const { connect, proxy } = await openRealtimeFixture({ accounts });
    const own = connect({ secretKey: 'sk_of_nobody' });
    const open = own.subscribe('public:a');
    await untilSubscribed(open);
    expect(open.errors).toMatchObject([{ name: 'AuthError', code: 'UNAUTHENTICATED' }]);
    proxy.drop();
    await expect.poll(() => open.states.at(-1)).toBe('disconnected');
    own.clock.advance(own.clock.delays.at(-1) ?? 0);
    await untilSubscribed(open);
    expect([auths(own), own.sockets.length]).toEqual([['sk_of_nobody'], 3]);
  });

  it('a socket with the secret key may publish for the project', async () => {
    const { connect } = await openRealtimeFixture({ accounts });
    const secretKey = accounts.projects.get('journal')?.secretKey ?? '';
    const [server, reader] = [connect({ secretKey }), connect()];
    const post = reader.subscribe('post:1');
    await untilSubscribed(post);
    await server.client.realtime.publish('post:1', 'like.created', { id: '1' });
    await expect.poll(() => post.messages).toMatchObject([{ type: 'like.created', data: { id: '1' } }]);
    await expect(reader.client.realtime.publish('post:1', 'note', 1)).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  });

  it('a socket learns that its session was ended elsewhere', async () => {
    const { connect } = await openRealtimeFixture({ accounts, limits: { reauthenticateMs: 10 } });
    const own = connect();
    const { token } = await signUp(own);
    const team = own.subscribe('team');
    await untilSubscribed(team);
    await accounts.call('DELETE', '/api/auth/sessions', { headers: { authorization: `Bearer ${token}` } });
    await expect.poll(() => own.client.auth.getState().status).toBe('anonymous');
    await expect.poll(() => team.errors).toMatchObject([{ code: 'UNAUTHENTICATED' }]);
    expect(own.sockets).toHaveLength(1);
  });

  it('a socket stays authenticated while its token cannot be renewed', async () => {
    const { connect, fetch } = await openRealtimeFixture({ accounts });
    let isAway = false;
    const own = connect({
      fetch: async (url, init) => {
        if (isAway) throw new Error('The network is away.');
        return fetch(url, init);
      },
    });
    await signUp(own);
    const team = own.subscribe('team');
    await untilSubscribed(team);
    isAway = true;
    advance(16_000, own);
    await expect.poll(() => own.clock.delays.at(-1)).toBe(5_000);
    isAway = false;
    own.clock.advance(5_000);
    await expect.poll(() => auths(own)).toHaveLength(2);
    expect([own.sockets.length, team.errors, team.states.length]).toEqual([1, [], 4]);
  });
});

describe('a channel that is rejected', () => {
  it("a rejected channel is requested again with the next user's token", async () => {
    const { connect } = await openRealtimeFixture({ accounts });
    const own = connect();
    await signUp(own);
    const desk = own.subscribe('desk:1');
    await expect
      .poll(() => desk.errors)
      .toMatchObject([{ name: 'NetworkError', code: 'FORBIDDEN', status: 403 }]);
    const editor = await signUpTestPerson(accounts);
    await accounts.database.writer
      .updateTable('users')
      .set({ role: 'editor' })
      .where('id', '=', editor.id)
      .execute();
    await own.client.auth.setToken(editor.token);
    await untilSubscribed(desk);
  });
});

import { buildTestAuth, type TestAuth } from '@fabrica/backend/testing/auth/build-test-auth.ts';
import { signUpTestPerson } from '@fabrica/backend/testing/realtime/build-test-realtime.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createInProcessBroker } from '../../packages/backend/src/services/realtime/broker/in-process-broker.ts';
import { BrowserStandIn } from '../../packages/client/src/testing/browser-stand-in.ts';
import { openStage, type TestClient } from './build-client.ts';

const PASSWORD = 'a long enough passphrase';

let accounts: TestAuth;
beforeAll(async () => {
  // Tokens that are renewed before the first heartbeat.
  accounts = await buildTestAuth({ settings: { accessTokenSeconds: 45 } });
});
afterAll(() => accounts.close());
afterEach(() => vi.useRealTimers());

let people = 0;
async function signUp({ client }: TestClient): Promise<{ id: string; token: string }> {
  people += 1;
  const { id } = await client.auth.signUp({ email: `speaker-${people}@example.org`, password: PASSWORD });
  return { id, token: tokenOf({ client }) };
}

const tokenOf = ({ client }: Pick<TestClient, 'client'>) => client.auth.getState().tokens?.access_token ?? '';
const auths = ({ sent }: TestClient) =>
  sent.flatMap((message) => (message.type === 'auth' ? [message.payload.token] : []));
/** Lets time pass for the client and for the tokens that the server makes. */
function pass(ms: number, { clock }: Pick<TestClient, 'clock'>): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
  clock.advance(ms);
}
const isSubscribed = ({ states }: { states: string[] }) =>
  expect.poll(() => states.at(-1), { interval: 2 }).toBe('subscribed');

describe('a socket', () => {
  it('speaks for whoever is signed in, from its first message on, and no address shows it', async () => {
    const { connect } = await openStage({ accounts });
    const mine = connect();
    const { id, token } = await signUp(mine);
    const team = mine.listen('team');
    await isSubscribed(team);
    expect(mine.sent.map(({ type }) => type)).toEqual(['auth', 'subscribe']);
    expect(auths(mine)).toEqual([token]);
    expect(mine.sockets.join()).not.toContain('token');
    await mine.client.realtime.publish('team', 'note', 1);
    await expect.poll(() => team.messages).toMatchObject([{ userId: id, data: 1 }]);
  });

  it('goes on with a new token before the old one ends', async () => {
    const { connect } = await openStage({ accounts });
    const mine = connect();
    const { token } = await signUp(mine);
    const team = mine.listen('team');
    await isSubscribed(team);
    pass(16_000, mine);
    await expect.poll(() => auths(mine)).toHaveLength(2);
    expect(auths(mine)).toEqual([token, tokenOf(mine)]);
    await mine.client.realtime.publish('team', 'note', 1);
    await expect.poll(() => team.heard).toEqual([1]);
    expect([mine.sockets.length, team.errors, team.states.length]).toEqual([1, [], 4]);
  });

  it('whose token the server counts out sooner goes on as well, and misses nothing', async () => {
    let ahead = 0;
    const broker = createInProcessBroker();
    const { connect } = await openStage({ accounts, broker, now: () => Date.now() + ahead });
    const mine = connect();
    const { token } = await signUp(mine);
    const [team, open] = [mine.listen('team'), mine.listen('public:a')];
    await isSubscribed(team);
    await isSubscribed(open);
    // The first token ends 45 s after it was made, cut to whole seconds; the one that takes its place 8 s later.
    pass(8_000, mine);
    ahead = 40_000;
    await expect.poll(() => auths(mine)).toHaveLength(2);
    expect(auths(mine)[1]).not.toBe(token);
    await broker.publish('journal:team', JSON.stringify({ type: 'note', data: 1 }));
    await isSubscribed(team);
    await expect.poll(() => team.heard).toEqual([1]);
    expect([mine.sockets.length, team.errors, open.states.length]).toEqual([1, [], 4]);
  });

  it('speaks for nobody after a sign-out, and for the next one who signs in', async () => {
    const { connect } = await openStage({ accounts });
    const mine = connect();
    await signUp(mine);
    const [team, open] = [mine.listen('team'), mine.listen('public:a')];
    await isSubscribed(team);
    await isSubscribed(open);
    await mine.client.auth.signOut();
    await expect.poll(() => team.errors).toMatchObject([{ name: 'AuthError', code: 'UNAUTHENTICATED' }]);
    expect(mine.client.realtime.getState().channels).toEqual({
      team: 'disconnected',
      'public:a': 'subscribed',
    });
    expect(auths(mine).at(-1)).toBeNull();
    const { id } = await signUp(mine);
    await isSubscribed(team);
    await mine.client.realtime.publish('team', 'note', 1);
    await expect.poll(() => team.messages).toMatchObject([{ userId: id }]);
    expect([mine.sockets.length, open.states.length]).toEqual([1, 4]);
  });

  it('follows the sign-in and the sign-out of another tab', async () => {
    const { connect } = await openStage({ accounts });
    const browser = new BrowserStandIn();
    const [mine, other] = [connect({ window: browser.openTab() }), connect({ window: browser.openTab() })];
    const team = mine.listen('team');
    await expect.poll(() => team.errors).toHaveLength(1);
    await signUp(other);
    await isSubscribed(team);
    await other.client.auth.signOut();
    await expect.poll(() => team.states.at(-1)).toBe('disconnected');
    expect(mine.sockets).toHaveLength(1);
  });

  it('with a token that is not good has it renewed once, and goes on', async () => {
    const { connect, fetch } = await openStage({ accounts });
    const browser = new BrowserStandIn();
    const other = connect({ window: browser.openTab() });
    await signUp(other);
    other.client.auth.destroy();
    const key = 'fabrica_tokens_journal';
    const kept = JSON.parse(browser.getItem(key) ?? '{}');
    // Good by our clock, and signed by nobody.
    browser.setItem(key, JSON.stringify({ ...kept, access_token: 'no-token', expires_in: 900 }));
    const mine = connect({
      window: browser.openTab(),
      // Whoever asks for the user has it renewed as well: here the socket is to be the first.
      fetch: async (address, init) => {
        if (String(address).endsWith('/me')) throw new Error('Not to be had.');
        return fetch(address, init);
      },
    });
    const team = mine.listen('team');
    await isSubscribed(team);
    expect(auths(mine)).toEqual(['no-token', expect.not.stringMatching('no-token')]);
    expect([mine.sockets.length, team.errors]).toEqual([2, []]);
  });

  it('for which no token is good goes on for nobody, and does not ask for ever more of them', async () => {
    const { connect, fetch } = await openStage({ accounts });
    let renewals = 0;
    const mine = connect({
      fetch: async (address, init) => {
        const answer = await fetch(address, init);
        if (!String(address).endsWith('/refresh')) return answer;
        renewals += 1;
        return Response.json({ ...(await answer.json()), access_token: `no-token-${renewals}` });
      },
    });
    await signUp(mine);
    mine.clock.sleep(16_000);
    const [team, open] = [mine.listen('team'), mine.listen('public:a')];
    await expect.poll(() => mine.sockets).toHaveLength(2);
    await expect.poll(() => mine.clock.asked.at(-1)).toBe(2_500);
    mine.clock.advance(2_500);
    await isSubscribed(open);
    expect(auths(mine)).toEqual(['no-token-1', 'no-token-2']);
    expect(mine.sockets).toHaveLength(3);
    expect(open.errors).toMatchObject([{ code: 'UNAUTHENTICATED' }]);
    expect(team.states.at(-1)).toBe('disconnected');
  });

  it.each(['opens', 'is open'])(
    'that %s while the token is renewed speaks for who signs in meanwhile',
    async (when) => {
      const { connect, fetch } = await openStage({ accounts });
      const gate = Promise.withResolvers<void>();
      let refresh: 'none' | 'asked' | 'answered' = 'none';
      const mine = connect({
        fetch: async (address, init) => {
          if (!String(address).endsWith('/refresh')) return fetch(address, init);
          refresh = 'asked';
          await gate.promise;
          const answer = await fetch(address, init);
          refresh = 'answered';
          return answer;
        },
      });
      const first = await signUp(mine);
      if (when === 'opens') mine.clock.sleep(16_000);
      const team = mine.listen('team');
      if (when === 'is open') {
        await isSubscribed(team);
        pass(16_000, mine);
      }
      await expect.poll(() => refresh).toBe('asked');
      const next = await signUp(mine);
      gate.resolve();
      await expect.poll(() => auths(mine).at(-1)).toBe(next.token);
      await isSubscribed(team);
      await mine.client.realtime.publish('team', 'note', 1);
      await expect.poll(() => team.messages).toMatchObject([{ userId: next.id }]);
      expect(auths(mine)).toEqual(when === 'opens' ? [next.token] : [first.token, next.token]);
    },
  );

  it('with a secret key that is not good goes on for nobody, and says why', async () => {
    const { connect, proxy } = await openStage({ accounts });
    const mine = connect({ secretKey: 'sk_of_nobody' });
    const open = mine.listen('public:a');
    await isSubscribed(open);
    expect(open.errors).toMatchObject([{ name: 'AuthError', code: 'UNAUTHENTICATED' }]);
    proxy.drop();
    await expect.poll(() => open.states.at(-1)).toBe('disconnected');
    mine.clock.advance(mine.clock.asked.at(-1) ?? 0);
    await isSubscribed(open);
    expect([auths(mine), mine.sockets.length]).toEqual([['sk_of_nobody'], 3]);
  });

  it('with the secret key speaks for the project', async () => {
    const { connect } = await openStage({ accounts });
    const secretKey = accounts.projects.get('journal')?.secretKey ?? '';
    const [server, reader] = [connect({ secretKey }), connect()];
    const post = reader.listen('post:1');
    await isSubscribed(post);
    await server.client.realtime.publish('post:1', 'like.created', { id: '1' });
    await expect.poll(() => post.messages).toMatchObject([{ type: 'like.created', data: { id: '1' } }]);
    await expect(reader.client.realtime.publish('post:1', 'note', 1)).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  });

  it('is told when the session was ended elsewhere', async () => {
    const { connect } = await openStage({ accounts, limits: { reauthenticateMs: 10 } });
    const mine = connect();
    const { token } = await signUp(mine);
    const team = mine.listen('team');
    await isSubscribed(team);
    await accounts.call('DELETE', '/api/auth/sessions', { headers: { authorization: `Bearer ${token}` } });
    await expect.poll(() => mine.client.auth.getState().status).toBe('anonymous');
    await expect.poll(() => team.errors).toMatchObject([{ code: 'UNAUTHENTICATED' }]);
    expect(mine.sockets).toHaveLength(1);
  });

  it('does not become nobody’s while a token cannot be renewed', async () => {
    const { connect, fetch } = await openStage({ accounts });
    let isAway = false;
    const mine = connect({
      fetch: async (address, init) => {
        if (isAway) throw new Error('The network is away.');
        return fetch(address, init);
      },
    });
    await signUp(mine);
    const team = mine.listen('team');
    await isSubscribed(team);
    isAway = true;
    pass(16_000, mine);
    await expect.poll(() => mine.clock.asked.at(-1)).toBe(5_000);
    isAway = false;
    mine.clock.advance(5_000);
    await expect.poll(() => auths(mine)).toHaveLength(2);
    expect([mine.sockets.length, team.errors, team.states.length]).toEqual([1, [], 4]);
  });
});

describe('a channel that is refused to one', () => {
  it('is asked for in the name of the next, who may be let in', async () => {
    const { connect } = await openStage({ accounts });
    const mine = connect();
    await signUp(mine);
    const desk = mine.listen('desk:1');
    await expect
      .poll(() => desk.errors)
      .toMatchObject([{ name: 'NetworkError', code: 'FORBIDDEN', status: 403 }]);
    const editor = await signUpTestPerson(accounts);
    await accounts.database.writer
      .updateTable('users')
      .set({ role: 'editor' })
      .where('id', '=', editor.id)
      .execute();
    await mine.client.auth.setToken(editor.token);
    await isSubscribed(desk);
  });
});

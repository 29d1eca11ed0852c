import { buildTestAuth, type TestAuth } from '@fabrica/backend/testing/auth/build-test-auth.ts';
import { openTestRealtime, signUpTestPerson } from '@fabrica/backend/testing/realtime/build-test-realtime.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { permitted } from '../../core/filter.ts';
import type { ChannelRule } from '../../core/project.ts';
import { createInProcessBroker } from './broker/in-process-broker.ts';

let accounts: TestAuth;
beforeAll(async () => {
  accounts = await buildTestAuth();
});
afterAll(() => accounts.close());

/** For tests that move the clock forward: no socket is closed for its silence. */
const limits = { silenceMs: Number.POSITIVE_INFINITY };

const publish = (channel: string, data: unknown) => ({ channel, type: 'note', data });

describe('messages of a socket', () => {
  it('a socket gets the messages of its channels until it unsubscribes', async () => {
    const { open } = await openTestRealtime({ accounts });
    const [ada, ben] = [await open(), await open()];
    ada.send('subscribe', { channel: 'public:a' });
    await ada.next('subscribed');
    ben.send('publish', { ...publish('public:a', { n: 1 }), userId: 'ben', metadata: { from: 'here' } });
    const { messageId } = await ben.next('published');
    const message = await ada.next('message');
    expect(message).toEqual({
      channel: 'public:a',
      id: messageId,
      type: 'note',
      data: { n: 1 },
      timestamp: Number(messageId.split('-')[0]),
      userId: 'ben',
      metadata: { from: 'here' },
    });
    ada.send('unsubscribe', { channel: 'public:a' });
    await ada.next('unsubscribed');
    ben.send('publish', publish('public:a', 2));
    await ben.next('published');
    ada.send('ping', {});
    await ada.next('pong');
    expect(ada.of('message')).toHaveLength(1);
    expect(ben.of('message')).toEqual([]);
  });

  it('a message without data arrives with data null, whatever its channel is called', async () => {
    const { open } = await openTestRealtime({ accounts });
    const { token } = await signUpTestPerson(accounts);
    const socket = await open({ token });
    for (const channel of ['public:a', '__proto__', 'constructor', 'Ünïcode 🎨']) {
      socket.send('subscribe', { channel, metadata: {} });
      await socket.next('subscribed');
      socket.ws.send(JSON.stringify({ type: 'publish', payload: { channel, type: 'note' } }));
      expect(await socket.next('message')).toMatchObject({ channel, data: null });
    }
  });

  it('a socket gets no message of a channel with the same name in another project', async () => {
    const { open } = await openTestRealtime({ accounts });
    const [here, there] = [await open(), await open({ project_id: 'other' })];
    for (const socket of [here, there]) {
      socket.send('subscribe', { channel: 'public:a', userId: 'ada' });
      await socket.next('presence');
    }
    there.send('publish', publish('public:a', 'there'));
    await there.next('message');
    here.send('publish', publish('public:a', 'here'));
    await here.next('message');
    expect([here.dataOf('public:a'), there.dataOf('public:a')]).toEqual([['here'], ['there']]);
  });

  it('a websocket opens at any path, and an unknown project responds 404', async () => {
    const { url, build } = await openTestRealtime({ accounts });
    const { WebSocket } = await import('ws');
    const elsewhere = new WebSocket(`${url}/any/path?project_id=other`);
    await new Promise((resolve) => elsewhere.once('open', resolve));
    elsewhere.terminate();
    const refused = build({ project_id: 'nowhere' });
    const status = await new Promise((resolve) =>
      refused.ws.once('unexpected-response', (_, response) => resolve(response.statusCode)),
    );
    expect(status).toBe(404);
  });

  it('an error names the channel of the message that caused it', async () => {
    const { open } = await openTestRealtime({ accounts });
    const socket = await open();
    const channel = 'x'.repeat(201);
    socket.send('subscribe', { channel });
    expect(await socket.next('error')).toMatchObject({ channel, code: 'VALIDATION_FAILED' });
    socket.send('subscribe', { channel: 'a\u0007b' });
    expect(await socket.next('error')).toMatchObject({ channel: 'a\u0007b', code: 'VALIDATION_FAILED' });
    socket.send('publish', publish('post:1', 1));
    expect(await socket.next('error')).toMatchObject({ channel: 'post:1', code: 'FORBIDDEN' });
  });
});

describe('origins', () => {
  it.each([
    ['another origin is refused when the project names no origins', [], 'https://other.example', false],
    ['another origin is accepted when the project names all origins', ['*'], 'https://other.example', true],
    [
      'another origin is accepted when the project names it',
      ['https://other.example'],
      'https://other.example',
      true,
    ],
    ['the own origin is accepted', [], 'https://journal.example', true],
  ])('a websocket of %s', async (_, origins, origin, isAccepted) => {
    const { build } = await openTestRealtime({ accounts, definition: { origins } });
    const socket = build({}, { headers: { origin } });
    const status = new Promise((resolve) => {
      socket.ws.once('unexpected-response', (_request, response) => resolve(response.statusCode));
      socket.ws.once('open', () => resolve(101));
    });
    expect(await status).toBe(isAccepted ? 101 : 403);
  });

  it('a page of another origin cannot sign in when the project only names all origins', async () => {
    const { open, build } = await openTestRealtime({ accounts, definition: { origins: ['*'] } });
    const { token } = await signUpTestPerson(accounts);
    const socket = build({ token }, { headers: { origin: 'https://other.example' } });
    expect(await socket.next('error')).toMatchObject({ code: 'FORBIDDEN' });
    expect(await socket.closed).toBe(4403);
    await (await open({ token }, { headers: { origin: 'https://journal.example' } })).close();
  });
});

describe('the caller of a socket', () => {
  it('a socket with a token has the user id of its account, whatever it claims', async () => {
    const { open } = await openTestRealtime({ accounts });
    const { id, token } = await signUpTestPerson(accounts);
    const socket = await open({ token });
    expect(await socket.next('authenticated')).toMatchObject({ userId: id });
    socket.send('subscribe', { channel: 'public:a', userId: 'somebody else' });
    await socket.next('subscribed');
    socket.send('publish', { ...publish('public:a', 1), userId: 'somebody else' });
    expect((await socket.next('message')).userId).toBe(id);
    expect((await socket.next('presence')).data.users).toMatchObject([{ userId: id }]);
  });

  it('a socket without a token may claim any user id but an account’s', async () => {
    const { open } = await openTestRealtime({ accounts });
    const { id } = await signUpTestPerson(accounts);
    const socket = await open();
    socket.send('subscribe', { channel: 'public:a' });
    await socket.next('subscribed');
    for (const userId of [undefined, 'ada', id]) {
      socket.send('publish', { ...publish('public:a', 1), ...(userId && { userId }) });
      await socket.next('published');
    }
    await socket.next('message');
    await expect
      .poll(() => socket.of('message').map(({ userId }) => userId))
      .toEqual([undefined, 'ada', `guest:${id}`]);
  });

  it.each(['nonsense', 'sk_not_the_one_of_this_project_at_all_000'])(
    'an invalid token closes the socket: %s',
    async (token) => {
      const { build, open } = await openTestRealtime({ accounts });
      const first = build({ token });
      expect(await first.next('error')).toMatchObject({ code: 'UNAUTHENTICATED' });
      expect(await first.closed).toBe(4401);
      expect(first.of('connected')).toEqual([]);
      const later = await open();
      later.send('auth', { token });
      expect(await later.next('error')).toMatchObject({ code: 'UNAUTHENTICATED' });
      expect(await later.closed).toBe(4401);
    },
  );

  it('a token of another project closes the socket', async () => {
    const { build } = await openTestRealtime({ accounts });
    const { token } = await signUpTestPerson(accounts);
    const socket = build({ project_id: 'other', token });
    expect(await socket.closed).toBe(4401);
  });

  it('a sign-out takes effect with the next message', async () => {
    const { open } = await openTestRealtime({ accounts });
    const { token } = await signUpTestPerson(accounts);
    const socket = await open({ token });
    socket.send('subscribe', { channel: 'team' });
    await socket.next('subscribed');
    await accounts.call('POST', '/api/auth/logout', {
      body: {},
      headers: { authorization: `Bearer ${token}` },
    });
    socket.send('publish', publish('team', 1));
    expect(await socket.next('error')).toMatchObject({ code: 'TOKEN_EXPIRED' });
    expect(await socket.next('unsubscribed')).toEqual({ channel: 'team' });
    socket.send('publish', publish('team', 1));
    await expect.poll(() => socket.of('error').at(-1)?.code).toBe('UNAUTHENTICATED');
  });
});

describe('rights that end', () => {
  it('a socket that only listens loses its channels within a minute when its account is disabled or demoted', async () => {
    let ahead = 0;
    const { open } = await openTestRealtime({ accounts, now: () => Date.now() + ahead, limits });
    const [leaving, demoted] = [await signUpTestPerson(accounts), await signUpTestPerson(accounts)];
    const set = (id: string, change: object) =>
      accounts.database.writer.updateTable('users').set(change).where('id', '=', id).execute();
    for (const { id } of [leaving, demoted]) await set(id, { role: 'editor' });
    const [one, two] = [await open({ token: leaving.token }), await open({ token: demoted.token })];
    for (const socket of [one, two]) {
      socket.send('subscribe', { channel: 'desk:1' });
      await socket.next('subscribed');
    }
    await set(leaving.id, { disabled_at: Date.now() });
    await set(demoted.id, { role: 'author' });
    ahead = 60_000;
    for (const socket of [one, two]) expect(await socket.next('unsubscribed')).toEqual({ channel: 'desk:1' });
    expect(one.of('error').map(({ code }) => code)).toEqual(['TOKEN_EXPIRED', 'UNAUTHENTICATED']);
    expect(two.of('error').map(({ code }) => code)).toEqual(['FORBIDDEN']);
  });
});

describe('presence rules', () => {
  it('a user leaves presence when the channel’s rule no longer allows it', async () => {
    let ahead = 0;
    const channels = { hall: { join: 'anyone', publish: permitted('posts.edit') } } as const;
    const { open, call } = await openTestRealtime({
      accounts,
      definition: { channels },
      now: () => Date.now() + ahead,
      limits,
    });
    const { id, token } = await signUpTestPerson(accounts);
    const setRole = (role: string) =>
      accounts.database.writer.updateTable('users').set({ role }).where('id', '=', id).execute();
    await setRole('editor');
    const socket = await open({ token });
    socket.send('subscribe', { channel: 'hall', metadata: {} });
    const present = async () => (await call('GET', 'presence?channel=hall')).body.users.length;
    await expect.poll(present).toBe(1);
    await setRole('author');
    ahead = 60_000;
    await expect.poll(present).toBe(0);
    expect(socket.of('unsubscribed')).toEqual([]);
  });
});

describe('expired tokens', () => {
  it('an expired token ends only the channels that need a sign-in', async () => {
    let ahead = 0;
    const { open } = await openTestRealtime({ accounts, now: () => Date.now() + ahead, limits });
    const { id, token } = await signUpTestPerson(accounts);
    const socket = await open({ token });
    for (const channel of ['team', 'public:a']) {
      socket.send('subscribe', { channel, metadata: { name: 'Ada' } });
      await socket.next('subscribed');
    }
    expect((await socket.next('presence')).data.users).toMatchObject([{ userId: id }]);
    ahead = 901_000;
    expect(await socket.next('error')).toMatchObject({ code: 'TOKEN_EXPIRED' });
    expect(await socket.next('error')).toMatchObject({ channel: 'team', code: 'UNAUTHENTICATED' });
    expect(await socket.next('unsubscribed')).toEqual({ channel: 'team' });
    const isGuest = (userId: string | undefined) => /^guest:/.test(userId ?? '');
    await expect.poll(() => isGuest(socket.of('presence').at(-1)?.data.users[0]?.userId)).toBe(true);
    socket.send('publish', publish('public:a', 1));
    expect((await socket.next('message')).userId).toBeUndefined();
  });

  it('a new token on the open socket takes the place of the one that expires', async () => {
    let ahead = 0;
    const { open } = await openTestRealtime({ accounts, now: () => Date.now() + ahead, limits });
    const { token } = await signUpTestPerson(accounts);
    const socket = await open({ token });
    const { expiresAt } = await socket.next('authenticated');
    socket.send('subscribe', { channel: 'team' });
    await socket.next('subscribed');
    // A secret key does not expire, so it can stand for the next token.
    ahead = (expiresAt ?? 0) - Date.now() - 2_000;
    socket.send('auth', { token: accounts.projects.get('journal')?.secretKey ?? '' });
    expect(await socket.next('authenticated')).toEqual({ userId: null, expiresAt: null });
    ahead += 10_000;
    socket.send('publish', publish('team', 1));
    expect((await socket.next('message')).data).toBe(1);
    expect(socket.of('error')).toEqual([]);
  });

  it('a client signs out on the open socket with a null token', async () => {
    const { open } = await openTestRealtime({ accounts });
    const { token } = await signUpTestPerson(accounts);
    const socket = await open();
    socket.send('auth', { token });
    await socket.next('authenticated');
    socket.send('subscribe', { channel: 'team' });
    await socket.next('subscribed');
    socket.send('auth', { token: null });
    expect(await socket.next('unsubscribed')).toEqual({ channel: 'team' });
    expect(await socket.next('authenticated')).toEqual({ userId: null, expiresAt: null });
  });
});

describe('channel rules', () => {
  const service = () => accounts.projects.get('journal')?.secretKey ?? '';

  it.each([
    ['post:1', 'anonymous', 'joins'],
    ['post:1', 'author', 'joins'],
    ['post:1', 'service', 'joins and publishes'],
    ['post:1:2', 'anonymous', 'can do neither'],
    ['post:1:2', 'author', 'joins and publishes'],
    ['public:a:b', 'anonymous', 'joins and publishes'],
    ['public:', 'anonymous', 'can do neither'],
    ['unnamed', 'anonymous', 'can do neither'],
    ['unnamed', 'author', 'joins and publishes'],
    ['desk:1', 'anonymous', 'can do neither'],
    ['desk:1', 'author', 'can do neither'],
    ['desk:1', 'editor', 'joins and publishes'],
    ['desk:1', 'service', 'joins and publishes'],
  ])('in the channel %s, the caller %s %s', async (channel, who, expected) => {
    const { open, call } = await openTestRealtime({ accounts });
    const person = who === 'author' || who === 'editor' ? await signUpTestPerson(accounts) : undefined;
    if (person && who === 'editor') {
      await accounts.database.writer
        .updateTable('users')
        .set({ role: who })
        .where('id', '=', person.id)
        .execute();
    }
    const token = who === 'service' ? service() : person?.token;
    const socket = await open(token === undefined ? {} : { token });
    socket.send('subscribe', { channel });
    socket.send('publish', publish(channel, 1));
    await expect.poll(() => socket.of('subscribed').length + socket.of('error').length).toBeGreaterThan(0);
    socket.send('ping', {});
    await socket.next('pong');
    const joins = socket.of('subscribed').length === 1;
    const publishes = socket.of('published').length === 1;
    const actual = joins ? (publishes ? 'joins and publishes' : 'joins') : 'can do neither';
    expect(actual).toBe(expected);
    const options = token === undefined ? {} : { token };
    const posted = await call('POST', 'publish', { ...options, body: publish(channel, 2) });
    const read = await call('GET', `messages?channel=${channel}`, options);
    const present = await call('GET', `presence?channel=${channel}`, options);
    expect([posted.status === 200, read.status === 200, present.status === 200]).toEqual([
      publishes,
      joins,
      joins,
    ]);
  });

  it('a last rule `*` closes all channels that no other rule names, and no others', async () => {
    const closed: ChannelRule = { join: 'server', publish: 'server' };
    const opened: ChannelRule = { join: 'anyone', publish: 'anyone' };
    const definition = { channels: { 'public:*': opened, '*': closed } };
    const { open, call } = await openTestRealtime({ accounts, definition });
    const { id, token } = await signUpTestPerson(accounts);
    const socket = await open({ token });
    const names = fc.array(
      fc.constantFrom('private', 'dm', 'public', 'PUBLIC', id, '*', '{id}', '.', '/', 'ö'),
      { minLength: 1 },
    );
    const undeclared = fc
      .sample(fc.tuple(names, fc.constantFrom(':', '', '::')), { numRuns: 60, seed: 20_261 })
      .map(([parts, between]) => parts.join(between).slice(0, 100))
      .filter((channel) => !channel.startsWith('public:'));
    for (const channel of undeclared) {
      socket.send('subscribe', { channel });
      expect(await socket.next('error')).toMatchObject({ channel, code: 'FORBIDDEN' });
      const query = `channel=${encodeURIComponent(channel)}`;
      const read = await Promise.all([
        call('POST', 'publish', { token, body: publish(channel, 1) }),
        call('GET', `messages?${query}`, { token }),
        call('GET', `presence?${query}`, { token }),
      ]);
      expect(read.map(({ status }) => status)).toEqual([403, 403, 403]);
    }
    socket.send('subscribe', { channel: 'public:a' });
    expect(await socket.next('subscribed')).toMatchObject({ channel: 'public:a' });
    const sent = await call('POST', 'publish', { token: service(), body: publish('private:x', 1) });
    expect(sent.status).toBe(200);
  });
});

describe('reconnecting', () => {
  it('a client that reconnects to many channels at once gets the missed messages of all of them', async () => {
    const broker = createInProcessBroker();
    const { open } = await openTestRealtime({ accounts, broker });
    const body = JSON.stringify({ type: 'note', data: 'x'.repeat(60_000) });
    const names = Array.from({ length: 8 }, (_, at) => `public:${at}`);
    const position = new Map<string, string>();
    for (const channel of names) {
      position.set(channel, await broker.publish(`journal:${channel}`, body));
      for (let count = 0; count < 15; count += 1) await broker.publish(`journal:${channel}`, body);
    }
    const socket = await open();
    for (const channel of names) socket.send('subscribe', { channel, after: position.get(channel) ?? '' });
    await expect.poll(() => socket.of('message').length).toBe(8 * 15);
    expect(socket.of('resync')).toEqual([]);
  });
});

import { buildTestAuth, type TestAuth } from '@fabrica/backend/testing/auth/build-test-auth.ts';
import { openTestRealtime, signUpTestPerson } from '@fabrica/backend/testing/realtime/build-test-realtime.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { permitted } from '../../core/filter.ts';
import { createInProcessBroker } from './broker/in-process-broker.ts';

let accounts: TestAuth;
beforeAll(async () => {
  accounts = await buildTestAuth();
});
afterAll(() => accounts.close());

/** For tests that put the clock on: nobody is closed for having said nothing since. */
const limits = { silenceMs: Number.POSITIVE_INFINITY };

const publish = (channel: string, data: unknown) => ({ channel, type: 'note', data });

describe('a socket', () => {
  it('hears what is said in its channels until it leaves them', async () => {
    const { open } = await openTestRealtime({ accounts });
    const [ada, ben] = [await open(), await open()];
    ada.send('subscribe', { channel: 'public:a' });
    await ada.next('subscribed');
    ben.send('publish', { ...publish('public:a', { n: 1 }), userId: 'ben', metadata: { from: 'here' } });
    const { messageId } = await ben.next('published');
    const heard = await ada.next('message');
    expect(heard).toEqual({
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

  it('says nothing in particular by a message without data, whatever its channel is called', async () => {
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

  it('hears nothing of a channel of the same name in another project', async () => {
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
    expect([here.heard('public:a'), there.heard('public:a')]).toEqual([['here'], ['there']]);
  });

  it('may come by any path, and is refused for a project that is not here', async () => {
    const { url, build } = await openTestRealtime({ accounts });
    const { WebSocket } = await import('ws');
    const elsewhere = new WebSocket(`${url}/any/path?project_id=other`);
    await new Promise((resolve) => elsewhere.once('open', resolve));
    elsewhere.terminate();
    const refused = build({ project_id: 'nowhere' });
    const status = await new Promise((resolve) =>
      refused.ws.once('unexpected-response', (_, answer) => resolve(answer.statusCode)),
    );
    expect(status).toBe(404);
  });

  it('is told what is wrong with a message, with its channel', async () => {
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

describe('what a page of another origin may do', () => {
  it.each([
    ['nothing where the project does not name it', [], 'https://other.example', false],
    ['hear what anybody may where everybody is named', ['*'], 'https://other.example', true],
    ['the same as ours where it is named', ['https://other.example'], 'https://other.example', true],
    ['what ours may', [], 'https://journal.example', true],
  ])('is %s', async (_, origins, origin, isLetIn) => {
    const { build } = await openTestRealtime({ accounts, definition: { origins } });
    const socket = build({}, { headers: { origin } });
    const status = new Promise((resolve) => {
      socket.ws.once('unexpected-response', (_request, answer) => resolve(answer.statusCode));
      socket.ws.once('open', () => resolve(101));
    });
    expect(await status).toBe(isLetIn ? 101 : 403);
  });

  it('is not to speak for somebody where only everybody is named', async () => {
    const { open, build } = await openTestRealtime({ accounts, definition: { origins: ['*'] } });
    const { token } = await signUpTestPerson(accounts);
    const socket = build({ token }, { headers: { origin: 'https://other.example' } });
    expect(await socket.next('error')).toMatchObject({ code: 'FORBIDDEN' });
    expect(await socket.closed).toBe(4403);
    await (await open({ token }, { headers: { origin: 'https://journal.example' } })).close();
  });
});

describe('who a socket speaks for', () => {
  it('is an account by its token, whatever it claims', async () => {
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

  it('is nobody without one: any name but an account’s may be claimed', async () => {
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
    'is not to be had for a bad token: %s',
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

  it('is not to be had by a token of another project', async () => {
    const { build } = await openTestRealtime({ accounts });
    const { token } = await signUpTestPerson(accounts);
    const socket = build({ project_id: 'other', token });
    expect(await socket.closed).toBe(4401);
  });

  it('is asked again with each message: a sign-out counts at once', async () => {
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

describe('what a token no longer allows', () => {
  it('is ended within a minute also for whoever only listens', async () => {
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

describe('whoever is shown in a channel', () => {
  it('is not any more when the rule of presence no longer lets them', async () => {
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

describe('the end of a token', () => {
  it('ends what it allowed, and nothing else', async () => {
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

  it('is put off by the next token on the open socket', async () => {
    let ahead = 0;
    const { open } = await openTestRealtime({ accounts, now: () => Date.now() + ahead, limits });
    const { token } = await signUpTestPerson(accounts);
    const socket = await open({ token });
    const { expiresAt } = await socket.next('authenticated');
    socket.send('subscribe', { channel: 'team' });
    await socket.next('subscribed');
    // One that the server’s clock lets live longer than this one stands for the next.
    ahead = (expiresAt ?? 0) - Date.now() - 2_000;
    socket.send('auth', { token: accounts.projects.get('journal')?.secretKey ?? '' });
    expect(await socket.next('authenticated')).toEqual({ userId: null, expiresAt: null });
    ahead += 10_000;
    socket.send('publish', publish('team', 1));
    expect((await socket.next('message')).data).toBe(1);
    expect(socket.of('error')).toEqual([]);
  });

  it('may be brought about by the client', async () => {
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

describe('the rules of channels', () => {
  const service = () => accounts.projects.get('journal')?.secretKey ?? '';

  it.each([
    ['post:1', 'nobody', 'joins'],
    ['post:1', 'author', 'joins'],
    ['post:1', 'service', 'joins and publishes'],
    ['post:1:2', 'nobody', 'neither'],
    ['post:1:2', 'author', 'joins and publishes'],
    ['public:a:b', 'nobody', 'joins and publishes'],
    ['public:', 'nobody', 'neither'],
    ['unnamed', 'nobody', 'neither'],
    ['unnamed', 'author', 'joins and publishes'],
    ['desk:1', 'nobody', 'neither'],
    ['desk:1', 'author', 'neither'],
    ['desk:1', 'editor', 'joins and publishes'],
    ['desk:1', 'service', 'joins and publishes'],
  ])('%s: %s %s', async (channel, who, expected) => {
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
    const said = joins ? (publishes ? 'joins and publishes' : 'joins') : 'neither';
    expect(said).toBe(expected);
    const asked = token === undefined ? {} : { token };
    const posted = await call('POST', 'publish', { ...asked, body: publish(channel, 2) });
    const read = await call('GET', `messages?channel=${channel}`, asked);
    const present = await call('GET', `presence?channel=${channel}`, asked);
    expect([posted.status === 200, read.status === 200, present.status === 200]).toEqual([
      publishes,
      joins,
      joins,
    ]);
  });
});

describe('coming back', () => {
  it('brings what was missed, in order and once, before anything new', async () => {
    const broker = createInProcessBroker();
    const { open } = await openTestRealtime({ accounts, broker });
    const place = 'journal:public:a';
    const say = (n: number) => broker.publish(place, JSON.stringify({ type: 'note', data: n }));
    const first = await open();
    first.send('subscribe', { channel: 'public:a' });
    const { last: start } = await first.next('subscribed');
    const stood = await say(0);
    await first.next('message');
    await first.close();
    for (let n = 1; n <= 40; n += 1) await say(n);
    const second = await open();
    second.send('subscribe', { channel: 'public:a', after: stood });
    for (let n = 41; n <= 80; n += 1) await say(n);
    expect(await second.next('subscribed')).toEqual({ channel: 'public:a', last: stood });
    for (let n = 81; n <= 100; n += 1) await say(n);
    await expect.poll(() => second.heard('public:a')).toHaveLength(100);
    expect(second.heard('public:a')).toEqual(Array.from({ length: 100 }, (_, at) => at + 1));
    const third = await open();
    third.send('subscribe', { channel: 'public:a', after: start });
    await expect.poll(() => third.heard('public:a')).toHaveLength(101);
  });

  it('brings one resync when what was missed is no longer kept, and goes on from there', async () => {
    const broker = createInProcessBroker({ kept: 5 });
    const { open } = await openTestRealtime({ accounts, broker });
    const say = (n: number) => broker.publish('journal:public:a', JSON.stringify({ type: 'note', data: n }));
    const stood = await say(0);
    for (let n = 1; n <= 10; n += 1) await say(n);
    const last = (await broker.since('journal:public:a', undefined)).last;
    const socket = await open();
    socket.send('subscribe', { channel: 'public:a', after: stood });
    expect(await socket.next('subscribed')).toEqual({ channel: 'public:a', last: stood });
    expect(await socket.next('resync')).toEqual({ channel: 'public:a', last });
    await say(11);
    expect((await socket.next('message')).data).toBe(11);
    expect(socket.of('resync')).toHaveLength(1);
  });

  it('brings all that was missed in many channels to whoever asks for all of them at once', async () => {
    const broker = createInProcessBroker();
    const { open } = await openTestRealtime({ accounts, broker });
    const body = JSON.stringify({ type: 'note', data: 'x'.repeat(60_000) });
    const names = Array.from({ length: 8 }, (_, at) => `public:${at}`);
    const stood = new Map<string, string>();
    for (const channel of names) {
      stood.set(channel, await broker.publish(`journal:${channel}`, body));
      for (let count = 0; count < 15; count += 1) await broker.publish(`journal:${channel}`, body);
    }
    const socket = await open();
    for (const channel of names) socket.send('subscribe', { channel, after: stood.get(channel) ?? '' });
    await expect.poll(() => socket.of('message').length).toBe(8 * 15);
    expect(socket.of('resync')).toEqual([]);
  });

  it('is the same when everybody speaks while many come and go', async () => {
    const { open } = await openTestRealtime({ accounts, limits: { messagesPerSecond: 10_000 } });
    const speaker = await open();
    let said = 0;
    const say = () => {
      said += 1;
      speaker.send('publish', publish('public:a', said));
    };
    const watcher = await open();
    watcher.send('subscribe', { channel: 'public:a' });
    let at = (await watcher.next('subscribed')).last;
    const heard: unknown[] = [];
    for (let visit = 0; visit < 10; visit += 1) {
      const visitor = await open();
      for (let n = 0; n < 5; n += 1) say();
      visitor.send('subscribe', { channel: 'public:a', after: at });
      for (let n = 0; n < 5; n += 1) say();
      await visitor.next('subscribed');
      await visitor.close();
      heard.push(...visitor.heard('public:a'));
      at = visitor.of('message').at(-1)?.id ?? at;
    }
    const last = await open();
    last.send('subscribe', { channel: 'public:a', after: at });
    await expect.poll(() => heard.length + last.heard('public:a').length).toBe(said);
    heard.push(...last.heard('public:a'));
    expect(heard).toEqual(Array.from({ length: said }, (_, index) => index + 1));
  });
});

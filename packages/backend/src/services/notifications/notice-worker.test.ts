import { FROM } from '@fabrica/backend/testing/mail/build-test-mail.ts';
import { openTestOutbox, type TestOutbox } from '@fabrica/backend/testing/mail/build-test-outbox.ts';
import { PUBLIC_URL, TEST_KEYS } from '@fabrica/backend/testing/notifications/build-test-notifications.ts';
import { testPages } from '@fabrica/backend/testing/test-pages.ts';
import { type ReceivedMail, startSmtpServer, type TestSmtpServer } from '@fabrica/test-peers/smtp-server.ts';
import { Hono } from 'hono';
import type { Kysely } from 'kysely';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createInProcessBus } from '../../core/bus.ts';
import type { Caller } from '../../core/caller.ts';
import { everyRow } from '../../core/filter.ts';
import type { AppEnvironment } from '../../http/environment.ts';
import { presentError } from '../../http/present-error.ts';
import { createRateLimits } from '../../http/rate-limit.ts';
import { type MailQueue, parseSender } from '../../mail/index.ts';
import { defineProject } from '../../project-database.ts';
import { newUser } from '../auth/accounts/user.ts';
import { insertUser, type UserRow, updateUser } from '../auth/queries.ts';
import { restRoutes } from '../rest/routes.ts';
import { notificationRoutes } from './index.ts';
import { NoticeWorker } from './notice-worker.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const text = { type: 'text', max: 200 } as const;
const createdAt = { type: 'integer', stamp: 'create' } as const;
const all = { read: everyRow, create: everyRow, delete: everyRow };

const journal = defineProject({
  id: 'journal',
  tables: {
    posts: { columns: { id: text, user_id: text, title: text }, policies: { signedIn: all } },
    comments: {
      columns: { id: text, post_id: text, user_id: text, content: text, created_at: createdAt },
      policies: { signedIn: all },
    },
  },
  roles: { author: { permissions: [] } },
  signUpRole: 'author',
  languages: ['en', 'de'],
  origins: [],
  notices: { 'new-comments': { table: 'comments', column: 'post_id', about: 'posts' } },
  migrations: {
    'journal-0001': {
      async up({ schema }: Kysely<unknown>) {
        const made = (name: string, columns: readonly string[]) =>
          columns.reduce(
            (table, column) => table.addColumn(column, 'text', (text) => text.notNull()),
            schema.createTable(name).addColumn('id', 'text', (column) => column.notNull().primaryKey()),
          );
        await made('posts', ['user_id', 'title']).execute();
        await made('comments', ['post_id', 'user_id', 'content'])
          .addColumn('created_at', 'bigint', (column) => column.notNull())
          .execute();
      },
    },
  },
});

let outbox: TestOutbox;
let server: TestSmtpServer;
let mailQueue: MailQueue;
let notices: NoticeWorker;
let bus: ReturnType<typeof createInProcessBus>;
let comments = 0;

beforeAll(async () => {
  outbox = await openTestOutbox(journal);
});
afterAll(() => outbox.close());
beforeEach(async () => {
  server = await startSmtpServer();
  bus = createInProcessBus();
  mailQueue = outbox.openQueue(server.url);
  notices = startNotices();
  await notices.idle();
  for (const id of ['ada', 'ben', 'cleo']) await createUser(id);
  await send('ada', 'POST', 'posts', { id: 'heart', user_id: 'ada', title: 'Heart' });
});
afterEach(async () => {
  await notices.close();
  await outbox.reset();
  for (const table of ['comments', 'posts', 'users', 'notice_items', 'notice_batches', 'notice_marks'])
    await outbox.database.writer.deleteFrom(table).execute();
  await server.close();
});

function startNotices(changes = bus): NoticeWorker {
  return new NoticeWorker({
    projects: new Map([['journal', outbox.project]]),
    bus: changes,
    keys: TEST_KEYS,
    mailQueue,
    publicUrl: PUBLIC_URL,
    stopPage: testPages.stopNotices,
    log: pino({ level: 'silent' }),
    now: outbox.now,
    render: async ({ language, about, rows, total, stopLink }) => ({
      subject: `${language}: ${total} on ${about.title}`,
      html: '',
      text: `${rows.map(({ content }) => content).join(', ')}\n${stopLink}`,
    }),
  });
}

async function createUser(id: string, given: Partial<UserRow> = {}): Promise<void> {
  const user = newUser(outbox.project, { id, email: `${id}@example.org`, email_verified: 1, ...given });
  await insertUser(outbox.database.writer, user);
}

const as = (id: string): Caller => ({ kind: 'user', id, email: '', displayName: null, role: 'author' });

/** Sends a request to the project's tables, or to the routes of notices if the path begins with `/`. */
async function send(userId: string | null, method: string, path: string, body?: object | string) {
  const app = new Hono<AppEnvironment>();
  app.onError(presentError);
  app.use(async (c, next) => {
    c.set('project', outbox.project);
    c.set('caller', userId === null ? { kind: 'anonymous' } : as(userId));
    c.set('clientIp', '203.0.113.1');
    await next();
  });
  app.route('/db', restRoutes({ bus, limits: createRateLimits({ enabled: false }), rowsQuota: 0 }));
  const limits = createRateLimits({ enabled: false });
  // These tests fetch nothing.
  const fetcher = { fetch: () => Promise.reject(new Error('These mails have no attachments.')) };
  const shared = { mailQueue, limits, keys: TEST_KEYS, publicUrl: PUBLIC_URL, sender: parseSender(FROM) };
  app.route('/', notificationRoutes({ ...shared, fetcher, stopPage: testPages.stopNotices }));
  const sent = typeof body === 'string' ? body : JSON.stringify(body);
  return app.request(path.startsWith('/') ? path : `/db/rest/v1/${path}`, {
    method,
    ...(body === undefined ? {} : { body: sent, headers: { 'content-type': 'application/json' } }),
  });
}

/** Adds a comment and returns its id. */
async function comment(userId: string, content: string, postId = 'heart'): Promise<string> {
  comments += 1;
  const id = `comment_${comments}`;
  const { status } = await send(userId, 'POST', 'comments', {
    id,
    post_id: postId,
    user_id: userId,
    content,
  });
  expect(status).toBe(201);
  await notices.idle();
  return id;
}

/** Moves the clock and returns the mails that arrived. */
async function after(ms: number): Promise<ReceivedMail[]> {
  const before = server.messages().length;
  outbox.moveClock(ms);
  notices.wake();
  await notices.idle();
  await mailQueue.idle();
  return server.messages().slice(before);
}

const subjects = (mails: readonly ReceivedMail[]) => mails.map(({ subject }) => subject);

describe('the author of a post', () => {
  it('the author of a post gets one mail about the comments of a minute', async () => {
    await comment('ben', 'Good.');
    await comment('cleo', 'Very good.');
    expect(await after(0)).toEqual([]);
    const [mail, ...more] = await after(MINUTE);
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ to: 'ada@example.org', subject: 'en: 2 on Heart' });
    expect(mail?.text).toContain('Very good.');
    expect(mail?.headers).toMatchObject({
      'list-unsubscribe': expect.stringMatching(
        /^<https:\/\/journal\.example\/api\/notifications\/journal\/stop\?token=/,
      ),
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
    });
    expect(await after(10 * HOUR)).toEqual([]);
  });

  it('the author gets one mail an hour about a post at most, with all comments since the last', async () => {
    await comment('ben', 'One.');
    expect(subjects(await after(MINUTE))).toEqual(['en: 1 on Heart']);
    await comment('ben', 'Two.');
    expect(await after(30 * MINUTE)).toEqual([]);
    await comment('cleo', 'Three.');
    expect(await after(29 * MINUTE)).toEqual([]);
    const [mail] = await after(MINUTE);
    expect(mail?.subject).toBe('en: 2 on Heart');
    expect(mail?.text).not.toContain('One.');
    expect(await after(10 * HOUR)).toEqual([]);
  });

  it('each post has mails of its own, in the author’s language', async () => {
    await updateUser(outbox.database.writer, 'ada', { language: 'de' });
    await send('ada', 'POST', 'posts', { id: 'eye', user_id: 'ada', title: 'Eye' });
    await comment('ben', 'One.');
    await comment('ben', 'Two.', 'eye');
    expect(subjects(await after(MINUTE)).sort()).toEqual(['de: 1 on Eye', 'de: 1 on Heart']);
  });

  it('the author gets no mail about own comments and deleted ones', async () => {
    await comment('ada', 'Thank you all.');
    const id = await comment('ben', 'Oops.');
    await send('ben', 'DELETE', `comments?id=eq.${id}`);
    expect(await after(HOUR)).toEqual([]);
    await comment('ben', 'Better.');
    expect(subjects(await after(HOUR))).toEqual(['en: 1 on Heart']);
  });

  it('a mail comes an hour later at most even if the clock is set back by days', async () => {
    await comment('ben', 'One.');
    await after(MINUTE);
    await comment('ben', 'Two.');
    expect(subjects(await after(-3 * 24 * HOUR))).toEqual(['en: 1 on Heart']);
    await comment('ben', 'Three.');
    expect(subjects(await after(HOUR))).toEqual(['en: 1 on Heart']);
  });

  it('many own comments do not delay the mail about the comment of another', async () => {
    const own = { post_id: 'heart', user_id: 'ada', content: 'Thank you.' };
    const rows = Array.from({ length: 200 }, (_, n) => ({ id: `own_${n}`, ...own }));
    expect((await send('ada', 'POST', 'comments', rows)).status).toBe(201);
    await notices.idle();
    outbox.moveClock(1);
    await comment('ben', 'One.');
    expect(await after(MINUTE)).toEqual([]);
    expect(subjects(await after(MINUTE))).toEqual(['en: 1 on Heart']);
  });

  it('the author gets no mail about a post that was deleted', async () => {
    await comment('ben', 'One.');
    await send('ada', 'DELETE', 'posts?id=eq.heart');
    expect(await after(HOUR)).toEqual([]);
    expect(await outbox.database.reader.selectFrom('notice_batches').selectAll().execute()).toEqual([]);
  });

  it.each([
    ['whose address is not verified', { email_verified: 0 }],
    ['whose account is disabled', { disabled_at: 1 }],
  ])('an author %s gets no mail, and none about those comments later', async (_title, changes) => {
    await updateUser(outbox.database.writer, 'ada', changes);
    await comment('ben', 'One.');
    expect(await after(HOUR)).toEqual([]);
    await updateUser(outbox.database.writer, 'ada', { email_verified: 1, disabled_at: null });
    expect(await after(HOUR)).toEqual([]);
    await comment('ben', 'Two.');
    expect(subjects(await after(HOUR))).toEqual(['en: 1 on Heart']);
  });
});

describe('processes', () => {
  it('a comment that a killed process did not record is sent after the next start', async () => {
    await notices.close();
    await comment('ben', 'One.');
    // Rows get their time from the real clock, which is behind the clock of these tests.
    await outbox.database.writer.updateTable('comments').set({ created_at: outbox.now() }).execute();
    notices = startNotices();
    await notices.idle();
    expect(subjects(await after(MINUTE))).toEqual(['en: 1 on Heart']);
    await notices.close();
    notices = startNotices();
    await notices.idle();
    expect(await after(2 * HOUR)).toEqual([]);
  });

  it('a comment that another process did not record is sent after the hourly check', async () => {
    await notices.close();
    notices = startNotices(createInProcessBus());
    await notices.idle();
    await comment('ben', 'One.');
    await outbox.database.writer.updateTable('comments').set({ created_at: outbox.now() }).execute();
    expect(await after(HOUR)).toEqual([]);
    expect(subjects(await after(MINUTE))).toEqual(['en: 1 on Heart']);
    expect(await after(2 * HOUR)).toEqual([]);
  });

  it('a comment that SQL has written is sent as soon as any other', async () => {
    await notices.close();
    const other = createInProcessBus();
    notices = startNotices(other);
    await notices.idle();
    await comment('ben', 'One.');
    await outbox.database.writer.updateTable('comments').set({ created_at: outbox.now() }).execute();
    other.publishTables({ projectId: 'journal', tables: ['comments'] });
    await notices.idle();
    expect(subjects(await after(MINUTE))).toEqual(['en: 1 on Heart']);
  });

  it('comments from before the first start are not sent', async () => {
    await notices.close();
    await outbox.database.writer.deleteFrom('notice_marks').execute();
    await comment('ben', 'Years ago.');
    notices = startNotices();
    await notices.idle();
    expect(await after(HOUR)).toEqual([]);
  });

  it('a notice that a killed process had claimed is sent when its lease is over', async () => {
    await comment('ben', 'One.');
    await notices.close();
    await outbox.database.writer
      .updateTable('notice_batches')
      .set({ claim: 'of-a-dead-process', due_at: outbox.now() + 5 * MINUTE })
      .execute();
    notices = startNotices();
    expect(await after(MINUTE)).toEqual([]);
    expect(subjects(await after(5 * MINUTE))).toEqual(['en: 1 on Heart']);
  });

  it('several processes send one mail together', async () => {
    const other = startNotices();
    await comment('ben', 'One.');
    await Promise.all([other.idle(), notices.idle()]);
    outbox.moveClock(MINUTE);
    for (const each of [notices, other]) each.wake();
    await Promise.all([other.idle(), notices.idle()]);
    await mailQueue.idle();
    expect(subjects(server.messages())).toEqual(['en: 1 on Heart']);
    await other.close();
  });
});

describe('stopping notices', () => {
  const oneClick = async (mail: ReceivedMail | undefined) => {
    const link = new URL(/<(.*)>/.exec(mail?.headers['list-unsubscribe'] ?? '')?.[1] ?? '');
    const path = `/stop${link.search}`;
    return send(null, 'POST', path, 'List-Unsubscribe=One-Click');
  };
  const tokenIn = (mail: ReceivedMail | undefined) =>
    new URL(/https:\S+/.exec(mail?.text ?? '')?.[0] ?? '').searchParams.get('token') ?? '';
  const wanted = async () => (await send('ada', 'GET', '/settings')).json();

  it('the button of a mail program stops all notices of the kind without a sign-in', async () => {
    await comment('ben', 'One.');
    expect(await wanted()).toEqual({ notices: { 'new-comments': true } });
    expect((await oneClick((await after(MINUTE))[0])).status).toBe(200);
    expect(await wanted()).toEqual({ notices: { 'new-comments': false } });
    await send('ada', 'POST', 'posts', { id: 'eye', user_id: 'ada', title: 'Eye' });
    await comment('ben', 'Two.', 'eye');
    expect(await after(HOUR)).toEqual([]);
  });

  it('a stop token with the scope one stops the notices about one post', async () => {
    await comment('ben', 'One.');
    const token = tokenIn((await after(MINUTE))[0]);
    expect((await send(null, 'POST', '/stop', { token, scope: 'one' })).status).toBe(200);
    await send('ada', 'POST', 'posts', { id: 'eye', user_id: 'ada', title: 'Eye' });
    await comment('ben', 'Two.');
    await comment('ben', 'Three.', 'eye');
    expect(subjects(await after(2 * HOUR))).toEqual(['en: 1 on Eye']);
    expect(await wanted()).toEqual({ notices: { 'new-comments': true } });
  });

  it('turning notices on in the settings also takes back stopped posts', async () => {
    const set = (on: boolean) => send('ada', 'PATCH', '/settings', { notices: { 'new-comments': on } });
    await comment('ben', 'One.');
    await send(null, 'POST', '/stop', { token: tokenIn((await after(MINUTE))[0]), scope: 'one' });
    expect(await (await set(false)).json()).toEqual({ notices: { 'new-comments': false } });
    await comment('ben', 'Two.');
    expect(await after(HOUR)).toEqual([]);
    expect(await (await set(true)).json()).toEqual({ notices: { 'new-comments': true } });
    await comment('ben', 'Three.');
    expect(subjects(await after(HOUR))).toEqual(['en: 1 on Heart']);
  });

  it('a stop token that was not created here is refused', async () => {
    await comment('ben', 'One.');
    const token = tokenIn((await after(MINUTE))[0]);
    const [project, content = '', signature] = token.split('.');
    const bens = Buffer.from(Buffer.from(content, 'base64url').toString().replace('"ada"', '"ben"')).toString(
      'base64url',
    );
    for (const forged of [
      `${project}.${bens}.${signature}`,
      `other.${content}.${signature}`,
      `${token}x`,
      // As many letters, more bytes.
      `${token.slice(0, -1)}é`,
      'x',
    ]) {
      expect((await send(null, 'POST', '/stop', { token: forged })).status).toBe(400);
    }
    expect((await send(null, 'POST', `/stop?token=${token}x`)).status).toBe(400);
  });

  it('opening the stop URL redirects to the page and stops nothing', async () => {
    await comment('ben', 'One.');
    const token = tokenIn((await after(MINUTE))[0]);
    const response = await send(null, 'GET', `/stop?token=${token}`);
    expect(response.headers.get('location')).toBe(`${PUBLIC_URL}/auth/notices?token=${token}`);
    expect(await wanted()).toEqual({ notices: { 'new-comments': true } });
  });

  it('unknown kinds and anonymous callers are refused', async () => {
    const set = (userId: string | null, kind: string) =>
      send(userId, 'PATCH', '/settings', { notices: { [kind]: false } });
    expect((await set('ada', 'likes')).status).toBe(400);
    expect((await set(null, 'new-comments')).status).toBe(401);
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startSmtpServer, type TestSmtpServer } from '../../../../tests/smtp-server.ts';
import { newUser } from '../auth/new-user.ts';
import { insertUser } from '../auth/queries.ts';
import { buildMail } from './build-test-mail.ts';
import { openTestOutbox, type TestOutbox } from './build-test-outbox.ts';
import type { AcceptedMail, Mailer, OutgoingMail, PostOffice } from './index.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let server: TestSmtpServer;
let outbox: TestOutbox;

beforeAll(async () => {
  outbox = await openTestOutbox();
});
afterAll(() => outbox.close());
beforeEach(async () => {
  server = await startSmtpServer();
});
afterEach(async () => {
  await outbox.reset();
  await server.close();
});

function accept(office: PostOffice, changes: Partial<OutgoingMail> = {}, more: Partial<AcceptedMail> = {}) {
  const { to = 'ada@example.org', ...rest } = changes;
  return office.accept(outbox.project, { kind: 'email', mail: { ...buildMail(), ...rest, to }, ...more });
}

describe('a mail that is accepted', () => {
  it('arrives under the id that was answered, and is forgotten but for that', async () => {
    const office = outbox.openOffice(server.url);
    const messageId = await accept(office);
    await office.idle();
    expect(server.messages()).toMatchObject([
      { to: 'ada@example.org', headers: { 'message-id': messageId } },
    ]);
    const [mail] = await outbox.mails();
    expect(mail).toMatchObject({ state: 'sent', message: null, message_id: messageId, tries: 1 });
    await outbox.advance(8 * DAY);
    expect(await outbox.mails()).toEqual([]);
  });

  it('goes to everybody it is for, hidden recipients in no header, with what is attached', async () => {
    const office = outbox.openOffice(server.url);
    const bytes = Buffer.from(Array.from({ length: 9_000 }, (_, n) => n % 256));
    await accept(office, {
      to: [{ name: 'Ada, Countess', address: 'ada@example.org' }],
      cc: [{ name: '', address: 'ben@example.org' }],
      bcc: [{ name: '', address: 'cleo@example.org' }],
      replyTo: { name: '', address: 'desk@example.org' },
      from: { name: 'Desk', address: 'desk@fabrica.example.org' },
      attachments: [
        {
          filename: 'plan größer.bin',
          contentType: 'application/octet-stream',
          disposition: 'attachment',
          cid: null,
          content: bytes.toString('base64'),
        },
      ],
    });
    await office.idle();
    const [mail] = server.messages();
    expect(mail).toMatchObject({
      to: 'ada@example.org, ben@example.org, cleo@example.org',
      from: 'desk@fabrica.example.org',
      headers: {
        from: 'Desk <desk@fabrica.example.org>',
        to: '"Ada, Countess" <ada@example.org>',
        cc: 'ben@example.org',
        'reply-to': 'desk@example.org',
      },
    });
    expect(JSON.stringify(mail?.headers)).not.toContain('cleo');
    expect(mail?.attachments).toMatchObject([{ filename: 'plan größer.bin', content: bytes }]);
    expect(await outbox.database.reader.selectFrom('outbox_attachments').selectAll().execute()).toEqual([]);
  });

  it('goes with the account that it is for', async () => {
    const ada = newUser(outbox.project, { id: 'ada', email: 'ada@example.org' });
    await insertUser(outbox.database.writer, ada);
    server.refuse(1, 451);
    const office = outbox.openOffice(server.url);
    await accept(office, {}, { userId: 'ada' });
    await office.idle();
    await outbox.database.writer.deleteFrom('users').where('id', '=', 'ada').execute();
    expect(await outbox.mails()).toEqual([]);
  });
});

describe('a server in trouble', () => {
  it('that is down loses nothing: what waits arrives when it is back', async () => {
    const port = Number(new URL(server.url).port);
    await server.close();
    const office = outbox.openOffice(server.url);
    for (let n = 0; n < 8; n += 1) await accept(office, { to: `reader-${n}@example.org` });
    for (let hour = 0; hour < 48; hour += 6) await outbox.advance(6 * HOUR);
    expect((await outbox.mails()).map(({ state, last_error }) => [state, last_error])).toEqual(
      Array.from({ length: 8 }, () => ['waiting', expect.stringMatching(/ECONNREFUSED|ESOCKET/)]),
    );
    server = await startSmtpServer({ port });
    await outbox.advance(7 * MINUTE);
    expect(new Set(server.messages().map(({ to }) => to)).size).toBe(8);
    expect(server.messages()).toHaveLength(8);
  });

  it('that is down is not asked with every mail', async () => {
    const port = Number(new URL(server.url).port);
    await server.close();
    const office = outbox.openOffice(server.url);
    for (let n = 0; n < 30; n += 1) await accept(office, { to: `reader-${n}@example.org` });
    await office.idle();
    for (let minute = 0; minute < 60; minute += 3) await outbox.advance(3 * MINUTE);
    const tries = (await outbox.mails()).reduce((sum, mail) => sum + mail.tries, 0);
    expect(tries).toBeLessThan(25);
    server = await startSmtpServer({ port });
    await outbox.advance(7 * MINUTE);
    expect(server.messages()).toHaveLength(30);
  });

  it('is asked again in longer and longer pauses, for three days, and not a word of the mail is logged', async () => {
    server.refuse(1_000, 451);
    const office = outbox.openOffice(server.url);
    await accept(office);
    await office.idle();
    const asked: number[] = [];
    for (let minute = 0; minute < 3 * 24 * 60; minute += 60) {
      const before = server.asked();
      await outbox.advance(HOUR);
      if (server.asked() > before) asked.push(minute);
    }
    expect(server.asked()).toBeGreaterThan(12);
    expect(server.asked()).toBeLessThan(40);
    const pauses = asked.slice(1).map((minute, n) => minute - (asked[n] ?? 0));
    expect(Math.max(...pauses)).toBeLessThanOrEqual(6 * 60);
    expect(await outbox.mails()).toMatchObject([{ state: 'failed', last_error: 'SMTP 451 at RCPT TO' }]);
    for (const secret of ['ada@example.org', 'verify?token', 'Bestätigen'])
      expect(outbox.logged.join()).not.toContain(secret);
    await outbox.advance(31 * DAY);
    expect(await outbox.mails()).toEqual([]);
  });

  it('that refuses a mail for good is not asked again', async () => {
    server.refuse(1, 550);
    const office = outbox.openOffice(server.url);
    await accept(office);
    await outbox.advance(DAY);
    expect(server.asked()).toBe(1);
    expect(await outbox.mails()).toMatchObject([{ state: 'failed', last_error: 'SMTP 550 at RCPT TO' }]);
  });

  it('that does not know our password is asked again: it is not the mail’s fault', async () => {
    const strict = await startSmtpServer({ login: { user: 'desk', password: 'right' } });
    const url = strict.url.replace('right', 'wrong');
    const office = outbox.openOffice(url);
    await accept(office);
    await office.idle();
    expect(await outbox.mails()).toMatchObject([
      { state: 'waiting', last_error: expect.stringMatching(/535/) },
    ]);
    await strict.close();
  });

  it('that says nothing is given up', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => void sockets.push(socket));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const address = silent.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const office = outbox.openOffice(`smtp://127.0.0.1:${port}?greetingTimeout=30`);
    await accept(office);
    await office.idle();
    expect(await outbox.mails()).toMatchObject([{ state: 'waiting', tries: 1 }]);
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => silent.close(resolve));
  });

  it('that takes a mail for some only is asked again for the others alone', async () => {
    const office = outbox.openOffice(server.url);
    server.refuse(1, 451);
    await accept(office, {
      to: ['ada', 'ben'].map((name) => ({ name: '', address: `${name}@example.org` })),
    });
    await office.idle();
    expect(server.messages().map(({ to }) => to)).toEqual(['ben@example.org']);
    await outbox.advance(MINUTE);
    expect(server.messages().map(({ to }) => to)).toEqual(['ben@example.org', 'ada@example.org']);
    const ids = server.messages().map(({ headers }) => headers['message-id']);
    expect(ids[0]).toBe(ids[1]);
    expect(await outbox.mails()).toMatchObject([{ state: 'sent' }]);
  });

  it('gets no mail that is of no use any more', async () => {
    server.refuse(1, 451);
    const office = outbox.openOffice(server.url);
    await accept(office, {}, { usefulMs: 15 * MINUTE });
    await office.idle();
    await outbox.advance(16 * MINUTE);
    expect(server.messages()).toEqual([]);
    expect(await outbox.mails()).toMatchObject([{ state: 'failed' }]);
  });
});

describe('several nodes', () => {
  it('send each mail once', async () => {
    const here = outbox.openOffice(server.url);
    const there = await outbox.openElsewhere(server.url);
    const mails = Array.from({ length: 30 }, (_, n) => `reader-${n}@example.org`);
    await Promise.all(mails.map((to, n) => accept(n % 2 ? here : there, { to })));
    await outbox.advance(0);
    expect(
      server
        .messages()
        .map(({ to }) => to)
        .sort(),
    ).toEqual([...mails].sort());
  });

  it('take over what one of them was sending when it died, and not before', async () => {
    const begun = Promise.withResolvers<void>();
    const never = new Promise<never>(() => undefined);
    const dead: Mailer = {
      send: () => {
        begun.resolve();
        return never;
      },
      close: async () => {},
    };
    const dying = outbox.openOffice(dead, { close: 0, lease: MINUTE });
    const messageId = await accept(dying);
    await begun.promise;
    const other = await outbox.openElsewhere(server.url);
    other.sendSoon();
    await other.idle();
    expect(server.messages()).toEqual([]);
    outbox.moveClock(2 * MINUTE);
    other.sendSoon();
    await other.idle();
    expect(server.messages()).toMatchObject([{ headers: { 'message-id': messageId } }]);
  });

  it('do not wait for a lease when one of them is stopped', async () => {
    const begun = Promise.withResolvers<void>();
    const slow: Mailer = {
      send: () => {
        begun.resolve();
        return new Promise<never>(() => undefined);
      },
      close: async () => {},
    };
    const stopping = outbox.openOffice(slow, { close: 0 });
    await accept(stopping);
    await begun.promise;
    await stopping.close();
    const other = await outbox.openElsewhere(server.url);
    await other.idle();
    expect(server.messages()).toHaveLength(1);
  });
});

it('a process that is killed while it accepts and sends loses no mail that it answered for', async () => {
  const child = spawn(process.execPath, [fileURLToPath(new URL('build-test-sender.ts', import.meta.url))], {
    env: { PATH: process.env.PATH ?? '', ...outbox.settings, SMTP_URL: server.url },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  let printed = '';
  child.stdout.on('data', (part) => {
    printed += part;
    // Some are sent by then, some are on their way, some wait.
    if (server.messages().length > 5) child.kill('SIGKILL');
  });
  await ended;
  const answered = printed.split('\n').slice(0, -1);
  expect(answered.length).toBeGreaterThan(5);
  outbox.openOffice(server.url);
  await outbox.advance(2 * MINUTE);
  const arrived = server.messages().map(({ headers }) => headers['message-id']);
  expect(new Set(arrived)).toEqual(new Set([...arrived, ...answered]));
  // Four were on their way at most.
  expect(arrived.length - new Set(arrived).size).toBeLessThanOrEqual(4);
});

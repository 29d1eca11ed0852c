import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { buildMail, MAIL_KEYS } from '@fabrica/backend/testing/mail/build-test-mail.ts';
import { setUpOutbox, type TestOutbox } from '@fabrica/backend/testing/mail/build-test-outbox.ts';
import { startSmtpServer, type TestSmtpServer } from '@fabrica/test-peers/smtp-server.ts';
import { describe, expect, it } from 'vitest';
import { newUser } from '../services/auth/accounts/user.ts';
import { insertUser } from '../services/auth/queries.ts';
import {
  createMailSeal,
  deleteMails,
  type MailConnection,
  type MailQueue,
  type MailTransport,
  type OutgoingMail,
  type QueuedMail,
  readMessage,
  retryMails,
  sealOldMails,
} from './index.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let server: TestSmtpServer;
let outbox: TestOutbox;

setUpOutbox((opened) => {
  ({ server, outbox } = opened);
});

function enqueue(mailQueue: MailQueue, changes: Partial<OutgoingMail> = {}, more: Partial<QueuedMail> = {}) {
  const { to = 'ada@example.org', ...rest } = changes;
  return mailQueue.enqueue(outbox.project, { kind: 'email', mail: { ...buildMail(), ...rest, to }, ...more });
}

/** Matches numbers in this range, both ends included. */
function within(least: number, most: number) {
  return expect.toSatisfy((value: number) => value >= least && value <= most);
}

/** Enqueues mails to different readers, in one transaction. */
async function enqueueMany(mailQueue: MailQueue, count: number): Promise<string[]> {
  const readers = Array.from({ length: count }, (_, n) => `reader-${n}@example.org`);
  await outbox.database.writer.transaction().execute(async (transaction) => {
    for (const to of readers) {
      const mail = { kind: 'email', mail: { ...buildMail(), to } };
      await mailQueue.enqueue(outbox.project, mail, transaction as unknown as MailConnection);
    }
  });
  mailQueue.wake();
  return readers;
}

/** Returns a transport whose `send` does not resolve before `end` is called. */
function stalledTransport() {
  const begun = Promise.withResolvers<void>();
  const sent = Promise.withResolvers<readonly []>();
  const transport: MailTransport = {
    send: () => {
      begun.resolve();
      return sent.promise;
    },
    verify: async () => {},
    close: async () => {},
  };
  return { transport, begun: begun.promise, end: () => sent.resolve([]) };
}

describe('an enqueued mail', () => {
  it('an enqueued mail arrives with the Message-ID that was returned, and its content is deleted', async () => {
    const mailQueue = outbox.openQueue(server.url);
    const messageId = await enqueue(mailQueue);
    await mailQueue.idle();
    expect(server.messages()).toMatchObject([
      { to: 'ada@example.org', headers: { 'message-id': messageId } },
    ]);
    const [mail] = await outbox.mails();
    expect(mail).toMatchObject({ state: 'sent', message: null, message_id: messageId, tries: 1 });
    await outbox.advance(8 * DAY);
    expect(await outbox.mails()).toEqual([]);
  });

  it('a waiting mail is sealed, one that an older version has stored as it is too, and arrives', async () => {
    server.refuse(2, 451);
    const mailQueue = outbox.openQueue(server.url);
    const file = {
      filename: 'a.txt',
      contentType: 'text/plain',
      disposition: 'attachment',
      cid: null,
    } as const;
    await enqueue(mailQueue, { attachments: [{ ...file, content: 'c2VjcmV0' }] });
    await enqueue(mailQueue, { to: 'ben@example.org' });
    await mailQueue.idle();
    const stored = async () =>
      JSON.stringify([
        (await outbox.mails()).map(({ message }) => message),
        await outbox.database.reader.selectFrom('outbox_attachments').select('content').execute(),
      ]);
    for (const secret of ['verify?token', 'Bestätigen', 'c2VjcmV0'])
      expect(await stored()).not.toContain(secret);

    const seal = createMailSeal(MAIL_KEYS);
    const [{ id, message } = { id: '', message: null }] = await outbox.mails();
    const table = outbox.database.writer.updateTable('outbox').where('id', '=', id);
    await table.set({ message: JSON.stringify(readMessage({ id, message: message ?? '' }, seal)) }).execute();
    expect(await stored()).toContain('verify?token');
    expect(await sealOldMails(outbox.database, seal)).toBe(1);
    expect(await sealOldMails(outbox.database, seal)).toBe(0);
    expect(await stored()).not.toContain('verify?token');

    await outbox.advance(MINUTE);
    expect(
      server
        .messages()
        .map(({ to }) => to)
        .sort(),
    ).toEqual(['ada@example.org', 'ben@example.org']);
    expect(server.messages().every(({ text }) => text.includes('verify?token'))).toBe(true);
    expect(server.messages().flatMap(({ attachments }) => attachments)).toMatchObject([
      { content: Buffer.from('secret') },
    ]);
  });

  it('a mail with attachments goes to all recipients, and bcc recipients are in no header', async () => {
    const mailQueue = outbox.openQueue(server.url);
    const bytes = Buffer.from(Array.from({ length: 9_000 }, (_, n) => n % 256));
    await enqueue(mailQueue, {
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
    await mailQueue.idle();
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

  it('a waiting mail is deleted with the account that it is for', async () => {
    const ada = newUser(outbox.project, { id: 'ada', email: 'ada@example.org' });
    await insertUser(outbox.database.writer, ada);
    server.refuse(1, 451);
    const mailQueue = outbox.openQueue(server.url);
    await enqueue(mailQueue, {}, { userId: 'ada' });
    await mailQueue.idle();
    await outbox.database.writer.deleteFrom('users').where('id', '=', 'ada').execute();
    expect(await outbox.mails()).toEqual([]);
  });
});

describe('a faulty mail server', () => {
  it('mails wait while the server is down for two days, and arrive once when it is back', async () => {
    const port = Number(new URL(server.url).port);
    await server.close();
    const mailQueue = outbox.openQueue(server.url);
    await enqueueMany(mailQueue, 8);
    for (let hour = 0; hour < 48; hour += 6) await outbox.advance(6 * HOUR);
    expect((await outbox.mails()).map(({ state, last_error }) => [state, last_error])).toEqual(
      Array.from({ length: 8 }, () => ['waiting', expect.stringMatching(/ECONNREFUSED|ESOCKET/)]),
    );
    server = await startSmtpServer({ port });
    await outbox.advance(7 * MINUTE);
    expect(new Set(server.messages().map(({ to }) => to)).size).toBe(8);
    expect(server.messages()).toHaveLength(8);
  });

  it('a server that is down is not tried with every mail', async () => {
    const port = Number(new URL(server.url).port);
    await server.close();
    const mailQueue = outbox.openQueue(server.url);
    await enqueueMany(mailQueue, 30);
    await mailQueue.idle();
    for (let minute = 0; minute < 60; minute += 6) await outbox.advance(6 * MINUTE);
    const tries = (await outbox.mails()).reduce((sum, mail) => sum + mail.tries, 0);
    expect(tries).toBeLessThan(20);
    server = await startSmtpServer({ port });
    await outbox.advance(7 * MINUTE);
    expect(server.messages()).toHaveLength(30);
  });

  it('mails that failed together leave within seconds when the server is back', async () => {
    const port = Number(new URL(server.url).port);
    await server.close();
    const mailQueue = outbox.openQueue(server.url);
    await enqueueMany(mailQueue, 4);
    await mailQueue.idle();
    server = await startSmtpServer({ port });
    await outbox.advance(3_000);
    expect(server.messages()).toHaveLength(4);
  });

  it('a clock that is set back does not prolong the pause of a server', async () => {
    const port = Number(new URL(server.url).port);
    await server.close();
    const mailQueue = outbox.openQueue(server.url);
    for (let n = 0; n < 4; n += 1) {
      await enqueue(mailQueue);
      await outbox.advance(6 * MINUTE);
    }
    server = await startSmtpServer({ port });
    await outbox.advance(-20 * DAY);
    expect(server.messages()).toHaveLength(4);
  });

  it('a mail is tried with growing pauses for three days, and its content is never logged', async () => {
    server.refuse(1_000, 451);
    const mailQueue = outbox.openQueue(server.url);
    await enqueue(mailQueue);
    await mailQueue.idle();
    const pauses: number[] = [];
    for (let [mail] = await outbox.mails(); mail?.state === 'waiting'; [mail] = await outbox.mails()) {
      const pause = mail.next_try_at - outbox.now();
      pauses.push(pause);
      await outbox.advance(pause);
    }
    expect(server.recipients()).toBe(pauses.length + 1);
    expect(pauses.slice(0, 3)).toEqual([2_000, 8_000, 32_000].map((least) => within(least, 1.25 * least)));
    expect(Math.max(...pauses)).toBeLessThanOrEqual(5 * HOUR);
    expect(pauses.reduce((sum, pause) => sum + pause)).toEqual(within(2.75 * DAY, 3 * DAY));
    expect(await outbox.mails()).toMatchObject([{ state: 'failed', last_error: 'SMTP 451 at RCPT TO' }]);
    for (const secret of ['ada@example.org', 'verify?token', 'Bestätigen'])
      expect(outbox.logged.join()).not.toContain(secret);
    await outbox.advance(31 * DAY);
    expect(await outbox.mails()).toEqual([]);
  });

  it('a mail that the server refuses permanently is not tried again', async () => {
    server.refuse(1, 550);
    const mailQueue = outbox.openQueue(server.url);
    await enqueue(mailQueue);
    await outbox.advance(DAY);
    expect(server.recipients()).toBe(1);
    expect(await outbox.mails()).toMatchObject([{ state: 'failed', last_error: 'SMTP 550 at RCPT TO' }]);
  });

  it('a mail waits when the server refuses our password', async () => {
    const strict = await startSmtpServer({ login: { user: 'desk', password: 'right' } });
    const url = strict.url.replace('right', 'wrong');
    const mailQueue = outbox.openQueue(url);
    await enqueue(mailQueue);
    await mailQueue.idle();
    expect(await outbox.mails()).toMatchObject([
      { state: 'waiting', last_error: expect.stringMatching(/535/) },
    ]);
    await strict.close();
  });

  it('a try ends when the server does not respond', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => void sockets.push(socket));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const bound = silent.address();
    const port = typeof bound === 'object' ? bound?.port : undefined;
    const mailQueue = outbox.openQueue(`smtp://127.0.0.1:${port}?greetingTimeout=30`);
    await enqueue(mailQueue);
    await mailQueue.idle();
    expect(await outbox.mails()).toMatchObject([{ state: 'waiting', tries: 1 }]);
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => silent.close(resolve));
  });

  it('a mail that was accepted for some recipients is tried again for the others only', async () => {
    const mailQueue = outbox.openQueue(server.url);
    server.refuse(1, 451);
    await enqueue(mailQueue, {
      to: ['ada', 'ben'].map((name) => ({ name: '', address: `${name}@example.org` })),
    });
    await mailQueue.idle();
    expect(server.messages().map(({ to }) => to)).toEqual(['ben@example.org']);
    await outbox.advance(MINUTE);
    expect(server.messages().map(({ to }) => to)).toEqual(['ben@example.org', 'ada@example.org']);
    const ids = server.messages().map(({ headers }) => headers['message-id']);
    expect(ids[0]).toBe(ids[1]);
    expect(await outbox.mails()).toMatchObject([{ state: 'sent' }]);
  });

  it('a mail that cannot be parsed does not hold up other mails', async () => {
    server.refuse(1, 451);
    const mailQueue = outbox.openQueue(server.url);
    await enqueue(mailQueue);
    await mailQueue.idle();
    await outbox.database.writer.updateTable('outbox').set({ message: '{"to":' }).execute();
    await outbox.advance(MINUTE);
    await enqueue(mailQueue);
    await mailQueue.idle();
    expect(server.messages()).toHaveLength(1);
    expect(await outbox.mails()).toMatchObject([
      { state: 'sent' },
      { state: 'waiting', tries: 2, last_error: 'SyntaxError' },
    ]);
  });

  it('the oldest failed mails are deleted when they take too much space', async () => {
    server.refuse(4, 451);
    const mailQueue = outbox.openQueue(server.url);
    for (const to of ['ada', 'ben', 'cleo']) {
      await enqueue(mailQueue, { to: `${to}@example.org` });
      await outbox.advance(1);
    }
    const table = outbox.database.writer.updateTable('outbox');
    await table.set({ size: 200 * 1024 * 1024 }).execute();
    server.refuse(10, 550);
    await outbox.advance(MINUTE);
    expect(await outbox.mails()).toMatchObject([{ state: 'failed' }]);
  });

  it('the operator retries a failed mail and deletes another', async () => {
    server.refuse(2, 550);
    const mailQueue = outbox.openQueue(server.url);
    const file = { filename: 'a.txt', contentType: 'text/plain', cid: null, content: 'YWJj' } as const;
    for (const to of ['ada@example.org', 'ben@example.org'])
      await enqueue(mailQueue, { to, attachments: [{ ...file, disposition: 'attachment' }] });
    await mailQueue.idle();
    const ids = (await outbox.mails()).map(({ id }) => id);
    expect(await deleteMails(outbox.database, ids.slice(1))).toBe(1);
    expect(await retryMails(outbox.database, ids, outbox.now())).toBe(1);
    await outbox.advance(0);
    expect(server.messages()).toMatchObject([{ attachments: [{ filename: 'a.txt' }] }]);
    expect(await outbox.database.reader.selectFrom('outbox_attachments').selectAll().execute()).toEqual([]);
  });

  it('a mail that is no longer useful is not sent', async () => {
    server.refuse(1, 451);
    const mailQueue = outbox.openQueue(server.url);
    await enqueue(mailQueue, {}, { usefulMs: 15 * MINUTE });
    await mailQueue.idle();
    await outbox.advance(16 * MINUTE);
    expect(server.messages()).toEqual([]);
    expect(await outbox.mails()).toMatchObject([{ state: 'failed' }]);
  });
});

describe('several nodes', () => {
  it('two processes on one outbox send each mail once', async () => {
    const here = outbox.openQueue(server.url);
    const there = await outbox.openElsewhere(server.url);
    const mails = await enqueueMany(here, 30);
    there.wake();
    await outbox.advance(0);
    expect(
      server
        .messages()
        .map(({ to }) => to)
        .sort(),
    ).toEqual([...mails].sort());
  });

  it('a process sends the mail of a dead process when its lease is over, and not before', async () => {
    const { transport, begun } = stalledTransport();
    const dying = outbox.openQueue(transport, { close: 0, lease: MINUTE });
    const messageId = await enqueue(dying);
    await begun;
    const other = await outbox.openElsewhere(server.url);
    other.wake();
    await other.idle();
    expect(server.messages()).toEqual([]);
    outbox.moveClock(2 * MINUTE);
    other.wake();
    await other.idle();
    expect(server.messages()).toMatchObject([{ headers: { 'message-id': messageId } }]);
  });

  it('a process that lost its lease leaves the attachments to the process that has the mail', async () => {
    const { transport, begun, end } = stalledTransport();
    const suspended = outbox.openQueue(transport, { lease: MINUTE });
    const file = { filename: 'a.txt', contentType: 'text/plain', cid: null, content: 'YWJj' } as const;
    await enqueue(suspended, { attachments: [{ ...file, disposition: 'attachment' }] });
    await begun;
    // Another process has claimed the mail, because the lease was over.
    const claim = { claim: 'of-another', next_try_at: outbox.now() + MINUTE };
    await outbox.database.writer.updateTable('outbox').set(claim).execute();
    end();
    await suspended.close();
    outbox.openQueue(server.url);
    await outbox.advance(2 * MINUTE);
    expect(server.messages()).toMatchObject([{ attachments: [{ filename: 'a.txt' }] }]);
  });

  it('a process that stops releases its mails for others at once', async () => {
    const { transport, begun } = stalledTransport();
    const stopping = outbox.openQueue(transport, { close: 0 });
    await enqueue(stopping);
    await begun;
    await stopping.close();
    const other = await outbox.openElsewhere(server.url);
    await other.idle();
    expect(server.messages()).toHaveLength(1);
  });
});

it('a process that is killed loses no mail whose id it has returned', async () => {
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('../../testing/mail/build-test-sender.ts', import.meta.url))],
    {
      env: { PATH: process.env.PATH ?? '', ...outbox.settings, SMTP_URL: server.url },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const ended = once(child, 'exit');
  let printed = '';
  child.stdout.on('data', (part) => {
    printed += part;
    // By then, some mails are sent, some are being sent, and some wait.
    if (server.messages().length > 5) child.kill('SIGKILL');
  });
  await ended;
  const returned = printed.split('\n').slice(0, -1);
  expect(returned.length).toBeGreaterThan(5);
  outbox.openQueue(server.url);
  await outbox.advance(2 * MINUTE);
  const delivered = server.messages().map(({ headers }) => headers['message-id']);
  expect(new Set(delivered)).toEqual(new Set([...delivered, ...returned]));
  // At most four mails were being sent and arrive twice.
  expect(delivered.length - new Set(delivered).size).toBeLessThanOrEqual(4);
});

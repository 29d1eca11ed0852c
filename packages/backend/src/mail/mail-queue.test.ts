import { buildMail } from '@fabrica/backend/testing/mail/build-test-mail.ts';
import { setUpOutbox, type TestOutbox } from '@fabrica/backend/testing/mail/build-test-outbox.ts';
import type { TestSmtpServer } from '@fabrica/test-peers/smtp-server.ts';
import { describe, expect, it } from 'vitest';

const SECRETS = ['ada@example.org', 'verify?token', '123456', 'Bestätigen'];

let server: TestSmtpServer;
let outbox: TestOutbox;

setUpOutbox((opened) => {
  ({ server, outbox } = opened);
});

describe('enqueueLater', () => {
  it('enqueueLater returns before the mail is prepared', async () => {
    let prepared = false;
    const mailQueue = outbox.openQueue(server.url);
    mailQueue.enqueueLater(outbox.project, 'magic-link', async () => {
      prepared = true;
      return buildMail();
    });
    await Promise.resolve();
    expect(prepared).toBe(false);
    await server.waitFor(({ to }) => to === 'ada@example.org');
  });

  it('no mail is sent when prepare returns none', async () => {
    const mailQueue = outbox.openQueue(server.url);
    mailQueue.enqueueLater(outbox.project, 'reset-password', async () => undefined);
    mailQueue.enqueueLater(outbox.project, 'magic-link', async () => buildMail());
    await mailQueue.idle();
    expect(server.messages().map(({ to }) => to)).toEqual(['ada@example.org']);
    expect(outbox.logged).toEqual([]);
  });

  it('four mails are prepared at a time', async () => {
    const mailQueue = outbox.openQueue(server.url);
    let prepared = 0;
    const gate = Promise.withResolvers<void>();
    for (let n = 0; n < 10; n += 1) {
      mailQueue.enqueueLater(outbox.project, 'magic-link', async () => {
        prepared += 1;
        await gate.promise;
        return buildMail({ to: `reader-${n}@example.org` });
      });
    }
    await expect.poll(() => prepared).toBe(4);
    gate.resolve();
    await mailQueue.idle();
    expect(prepared).toBe(10);
    expect(server.messages()).toHaveLength(10);
    expect(outbox.logged).toEqual([]);
  });

  it('a mail is dropped and logged when a thousand are waiting', async () => {
    const mailQueue = outbox.openQueue(server.url, { start: 60_000 });
    for (let n = 0; n < 1_001; n += 1)
      mailQueue.enqueueLater(outbox.project, 'magic-link', async () => undefined);
    expect(outbox.logged.map((line) => JSON.parse(line))).toMatchObject([{ level: 50, mail: 'magic-link' }]);
  });

  it('a mail for an account that was deleted while the mail waited is dropped without an error', async () => {
    const mailQueue = outbox.openQueue(server.url);
    mailQueue.enqueueLater(outbox.project, 'verify-email', async () => ({
      ...buildMail(),
      userId: 'user_deleted',
    }));
    await mailQueue.idle();
    expect(await outbox.mails()).toEqual([]);
    expect(outbox.logged.map((line) => JSON.parse(line))).toMatchObject([
      { level: 30, mail: 'verify-email', msg: 'A mail was dropped: its account was deleted meanwhile' },
    ]);
  });

  it('a mail that the database refuses is logged with its kind and the reason', async () => {
    const mailQueue = outbox.openQueue(server.url);
    const missing = () => outbox.database.writer.insertInto('no_such_table').values({ id: 1 }).execute();
    mailQueue.enqueueLater(outbox.project, 'magic-link', async () => {
      await missing();
      return buildMail();
    });
    await mailQueue.idle();
    const [line] = outbox.logged.map((text) => JSON.parse(text));
    expect(line).toMatchObject({ level: 50, mail: 'magic-link' });
    expect(line.failure).toMatchObject(
      outbox.database.engine === 'sqlite'
        ? { code: 'ERR_SQLITE_ERROR', errcode: 1, reason: 'no such table: no_such_table' }
        : { code: '42P01' },
    );
  });

  it.each([
    ['whose preparation fails', () => Promise.reject(new TypeError('ada@example.org cannot be rendered'))],
    ['that cannot be sent', async () => buildMail({ subject: 'Bestätigen\nBcc: eve@example.org' })],
  ])('a mail %s is logged without its content', async (_title, prepare) => {
    const mailQueue = outbox.openQueue(server.url);
    mailQueue.enqueueLater(outbox.project, 'magic-link', prepare);
    await mailQueue.idle();
    expect(server.messages()).toEqual([]);
    expect(outbox.logged.map((line) => JSON.parse(line))).toMatchObject([{ level: 50, mail: 'magic-link' }]);
    for (const secret of SECRETS) expect(outbox.logged.join()).not.toContain(secret);
  });
});

describe('close', () => {
  it('closing the queue puts mails that still wait into the outbox', async () => {
    const mailQueue = outbox.openQueue(server.url, { start: 60_000 });
    for (let n = 0; n < 6; n += 1)
      mailQueue.enqueueLater(outbox.project, 'magic-link', async () => buildMail());
    await mailQueue.close();
    expect(await outbox.mails()).toHaveLength(6);
    outbox.openQueue(server.url);
    await outbox.advance(0);
    expect(server.messages()).toHaveLength(6);
  });

  it('a mail that comes after closing is dropped and logged', async () => {
    const mailQueue = outbox.openQueue(server.url);
    await mailQueue.close();
    mailQueue.enqueueLater(outbox.project, 'magic-link', async () => buildMail());
    expect(outbox.logged.map((line) => JSON.parse(line))).toMatchObject([{ level: 50, mail: 'magic-link' }]);
    expect(await outbox.mails()).toEqual([]);
  });
});

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

describe('posting', () => {
  it('returns before the mail is even begun', async () => {
    let begun = false;
    const mailQueue = outbox.openQueue(server.url);
    mailQueue.post(outbox.project, 'magic-link', async () => {
      begun = true;
      return buildMail();
    });
    await Promise.resolve();
    expect(begun).toBe(false);
    await server.waitFor(({ to }) => to === 'ada@example.org');
  });

  it('sends nothing where it turns out that nobody is to have a mail', async () => {
    const mailQueue = outbox.openQueue(server.url);
    mailQueue.post(outbox.project, 'reset-password', async () => undefined);
    mailQueue.post(outbox.project, 'magic-link', async () => buildMail());
    await mailQueue.idle();
    expect(server.messages().map(({ to }) => to)).toEqual(['ada@example.org']);
    expect(outbox.logged).toEqual([]);
  });

  it('makes four at once, and the rest in turn', async () => {
    const mailQueue = outbox.openQueue(server.url);
    let begun = 0;
    const gate = Promise.withResolvers<void>();
    for (let n = 0; n < 10; n += 1) {
      mailQueue.post(outbox.project, 'magic-link', async () => {
        begun += 1;
        await gate.promise;
        return buildMail({ to: `reader-${n}@example.org` });
      });
    }
    await expect.poll(() => begun).toBe(4);
    gate.resolve();
    await mailQueue.idle();
    expect(begun).toBe(10);
    expect(server.messages()).toHaveLength(10);
    expect(outbox.logged).toEqual([]);
  });

  it('takes no more than a thousand that wait, and says so', async () => {
    const mailQueue = outbox.openQueue(server.url, { start: 60_000 });
    for (let n = 0; n < 1_001; n += 1) mailQueue.post(outbox.project, 'magic-link', async () => undefined);
    expect(outbox.logged.map((line) => JSON.parse(line))).toMatchObject([{ level: 50, mail: 'magic-link' }]);
  });

  it.each([
    ['whose making fails', () => Promise.reject(new TypeError('ada@example.org cannot be rendered'))],
    ['that is none', async () => buildMail({ subject: 'Bestätigen\nBcc: eve@example.org' })],
  ])('logs a mail %s, without a word of it', async (_what, prepare) => {
    const mailQueue = outbox.openQueue(server.url);
    mailQueue.post(outbox.project, 'magic-link', prepare);
    await mailQueue.idle();
    expect(server.messages()).toEqual([]);
    expect(outbox.logged.map((line) => JSON.parse(line))).toMatchObject([{ level: 50, mail: 'magic-link' }]);
    for (const secret of SECRETS) expect(outbox.logged.join()).not.toContain(secret);
  });
});

describe('closing', () => {
  it('puts into the outbox what was posted a moment ago', async () => {
    const mailQueue = outbox.openQueue(server.url, { start: 60_000 });
    for (let n = 0; n < 6; n += 1) mailQueue.post(outbox.project, 'magic-link', async () => buildMail());
    await mailQueue.close();
    expect(await outbox.mails()).toHaveLength(6);
    outbox.openQueue(server.url);
    await outbox.advance(0);
    expect(server.messages()).toHaveLength(6);
  });

  it('takes nothing any more, and says so', async () => {
    const mailQueue = outbox.openQueue(server.url);
    await mailQueue.close();
    mailQueue.post(outbox.project, 'magic-link', async () => buildMail());
    expect(outbox.logged.map((line) => JSON.parse(line))).toMatchObject([{ level: 50, mail: 'magic-link' }]);
    expect(await outbox.mails()).toEqual([]);
  });
});

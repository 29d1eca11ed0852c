import { createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startSmtpServer, type TestSmtpServer } from '../../../../tests/smtp-server.ts';
import { buildMail, FROM } from './build-test-mail.ts';
import { createPostOffice, createSmtpMailer, type PostOffice, type PostOfficeTimes } from './index.ts';

const QUICK: PostOfficeTimes = { start: 5, retries: [20, 40], close: 3_000 };
const SECRETS = ['ada@example.org', 'verify?token', '123456', 'Bestätigen'];

let server: TestSmtpServer;
let logged: string[];
let offices: PostOffice[];

beforeEach(async () => {
  server = await startSmtpServer();
  logged = [];
  offices = [];
});
afterEach(async () => {
  for (const office of offices) await office.close();
  await server.close();
});

function openOffice(times: Partial<PostOfficeTimes> = {}, url = server.url): PostOffice {
  const lines = logged;
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
  const mailer = createSmtpMailer({ url, from: FROM });
  const office = createPostOffice({ mailer, log, times: { ...QUICK, ...times } });
  offices.push(office);
  return office;
}

function expectOneFailure(failure: object) {
  expect(logged.map((line) => JSON.parse(line))).toMatchObject([{ mail: 'magic-link', failure }]);
  for (const secret of SECRETS) expect(logged.join()).not.toContain(secret);
}

describe('posting', () => {
  it('returns before the mail is even begun', async () => {
    let begun = false;
    openOffice().post('magic-link', async () => {
      begun = true;
      return buildMail();
    });
    await Promise.resolve();
    expect(begun).toBe(false);
    await server.waitFor(({ to }) => to === 'ada@example.org');
  });

  it('sends nothing where it turns out that nobody is to have a mail', async () => {
    const office = openOffice();
    office.post('reset-password', async () => undefined);
    office.post('magic-link', async () => buildMail());
    await office.close();
    expect(server.messages().map(({ to }) => to)).toEqual(['ada@example.org']);
    expect(logged).toEqual([]);
  });

  it('sends four at once, and the rest in turn', async () => {
    const office = openOffice();
    let begun = 0;
    const gate = Promise.withResolvers<void>();
    for (let n = 0; n < 10; n += 1) {
      office.post('magic-link', async () => {
        begun += 1;
        await gate.promise;
        return buildMail({ to: `reader-${n}@example.org` });
      });
    }
    await wait(100);
    expect(begun).toBe(4);
    gate.resolve();
    for (let n = 0; n < 10; n += 1) await server.waitFor(({ to }) => to === `reader-${n}@example.org`);
    expect(logged).toEqual([]);
  });

  it('takes no more than a thousand that wait, and says so', async () => {
    const office = openOffice({ start: 60_000 });
    const prepare = () => Promise.reject(new Error('nobody waits for a thousand mails here'));
    for (let n = 0; n < 1_001; n += 1) office.post('magic-link', prepare);
    expect(logged.map((line) => JSON.parse(line))).toMatchObject([{ level: 50, mail: 'magic-link' }]);
  });
});

describe('a mail that does not get through at once', () => {
  it('arrives once when the server refuses twice and then takes it', async () => {
    server.refuse(2, 451);
    let prepared = 0;
    const office = openOffice();
    office.post('magic-link', async () => {
      prepared += 1;
      return buildMail();
    });
    await server.waitFor(() => true);
    await office.close();
    expect(server.messages()).toHaveLength(1);
    expect(prepared).toBe(1);
    expect(logged).toEqual([]);
  });

  it('arrives when the server is down first and comes back', async () => {
    const port = Number(new URL(server.url).port);
    await server.close();
    const office = openOffice({ retries: [20, 60_000] });
    office.post('magic-link', async () => buildMail());
    await wait(300);
    server = await startSmtpServer({ port });
    await office.close();
    expect(server.messages()).toHaveLength(1);
    expect(logged).toEqual([]);
  });

  it('is given up after three tries, and logged without a word of it', async () => {
    server.refuse(100, 451);
    const office = openOffice();
    office.post('magic-link', async () => buildMail());
    await office.close();
    expect(server.asked()).toBe(3);
    expectOneFailure({ code: 'EENVELOPE', responseCode: 451 });
  });

  it('is given up when nobody listens', async () => {
    await server.close();
    const office = openOffice();
    office.post('magic-link', async () => buildMail());
    await office.close();
    expectOneFailure({ code: 'ESOCKET' });
    server = await startSmtpServer();
  });

  it('is not tried again when the server refuses it for good', async () => {
    server.refuse(100, 550);
    const office = openOffice();
    office.post('magic-link', async () => buildMail());
    await office.close();
    expect(server.asked()).toBe(1);
    expectOneFailure({ responseCode: 550 });
  });

  it('is logged without a word of it when it cannot even be made, and those after it are sent', async () => {
    const office = openOffice();
    office.post('magic-link', async () => {
      throw new TypeError(`Cannot render ${JSON.stringify(buildMail())}`);
    });
    office.post('verify-email', async () => buildMail());
    await office.close();
    expect(server.messages()).toHaveLength(1);
    expectOneFailure({
      name: 'TypeError',
      at: expect.arrayContaining([expect.stringContaining('post-office')]),
    });
  });
});

describe('closing', () => {
  it('sends what was posted a moment ago', async () => {
    const office = openOffice({ start: 60_000 });
    for (let n = 0; n < 6; n += 1) office.post('magic-link', async () => buildMail());
    await office.close();
    expect(server.messages()).toHaveLength(6);
  });

  it('does not wait out the pause before the next try', async () => {
    server.refuse(1, 451);
    const office = openOffice({ retries: [60_000] });
    office.post('magic-link', async () => buildMail());
    while (server.asked() === 0) await wait(5);
    await office.close();
    expect(server.messages()).toHaveLength(1);
  });

  it('ends in time although the server says nothing, and says what was lost', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => void sockets.push(socket));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const address = silent.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const office = openOffice({ close: 200 }, `smtp://127.0.0.1:${port}`);
    for (let n = 0; n < 6; n += 1) office.post('magic-link', async () => buildMail());
    await office.close();
    await expect.poll(() => logged.length).toBe(6);
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => silent.close(resolve));
  });

  it('takes nothing any more, and says so', async () => {
    const office = openOffice();
    await office.close();
    office.post('magic-link', async () => buildMail());
    await wait(50);
    expect(server.messages()).toEqual([]);
    expect(logged.map((line) => JSON.parse(line))).toMatchObject([{ level: 50, mail: 'magic-link' }]);
  });
});

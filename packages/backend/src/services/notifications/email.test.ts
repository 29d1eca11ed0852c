import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MAIL_KEYS } from '@fabrica/backend/testing/mail/build-test-mail.ts';
import {
  openTestNotifications,
  type TestNotifications,
} from '@fabrica/backend/testing/notifications/build-test-notifications.ts';
import { startSmtpServer, type TestSmtpServer } from '@fabrica/test-peers/smtp-server.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { anonymous, type Caller } from '../../core/caller.ts';
import { createMailSeal, readAttachments } from '../../mail/index.ts';
import { EMAILS_OF_USERS, EMAILS_PER_PROJECT } from './limits.ts';

const MAIL = { to: 'ada@example.org', subject: 'Größe', html: '<p>Größe</p>', text: 'Größe' };
const COMPLETE = 'The request is not valid. An email needs "to", "subject" and "html" or "text".';

let server: TestSmtpServer;
let test: TestNotifications;
let ada: Caller;
let unverified: Caller;

beforeAll(async () => {
  test = await openTestNotifications();
  ada = await test.createUser({ id: 'ada' });
  unverified = await test.createUser({ id: 'eve', email_verified: 0 });
});
afterAll(() => test.close());
beforeEach(async () => {
  server = await startSmtpServer();
});
afterEach(async () => {
  await test.reset();
  await server.close();
});

describe('an email with the secret key', () => {
  it('an email arrives with the Message-ID of the response', async () => {
    const { status, body } = await test.open(server.url).email(MAIL);
    expect([status, body]).toEqual([
      200,
      { success: true, messageId: expect.stringMatching(/^<[\w-]+@fabrica\.example\.org>$/) },
    ]);
    expect(server.messages()).toMatchObject([
      { to: 'ada@example.org', subject: 'Größe', text: 'Größe', headers: { 'message-id': body.messageId } },
    ]);
  });

  it.each([
    ['html alone', { text: undefined }, { html: expect.stringContaining('Größe'), text: '' }],
    ['text alone', { html: null }, { html: '', text: expect.stringContaining('Größe') }],
  ])('an email may have %s', async (_title, changes, expected) => {
    await test.open(server.url).email({ ...MAIL, ...changes });
    expect(server.messages()).toMatchObject([expected]);
  });

  it('an email goes to lists of recipients, from a name or an address of the operator’s domain', async () => {
    const { email } = test.open(server.url);
    await email({
      ...MAIL,
      to: ['"Lovelace, Ada" <ada@example.org>', 'ben@example.org'],
      cc: 'Cleo <cleo@example.org>',
      bcc: ['dan@example.org'],
      replyTo: 'desk@example.com',
      from: 'The Desk',
    });
    await email({ ...MAIL, from: 'Desk <desk@fabrica.example.org>' });
    expect(server.messages()).toMatchObject([
      {
        to: 'ada@example.org, ben@example.org, cleo@example.org, dan@example.org',
        headers: {
          to: '"Lovelace, Ada" <ada@example.org>, ben@example.org',
          cc: 'Cleo <cleo@example.org>',
          'reply-to': 'desk@example.com',
          from: 'The Desk <post@fabrica.example.org>',
        },
      },
      { from: 'desk@fabrica.example.org', headers: { from: 'Desk <desk@fabrica.example.org>' } },
    ]);
  });

  it.each(['desk@example.com', 'Desk <desk@evil.fabrica.example.org>'])(
    'an email from %s is refused, because it is another domain',
    async (from) => {
      const { status, body } = await test.open(server.url).email({ ...MAIL, from });
      expect([status, body.code]).toEqual([403, 'UNVERIFIED_SENDER']);
      expect(body.error).toContain('fabrica.example.org');
    },
  );

  it.each([
    ['to', { to: '' }],
    ['recipients in its list', { to: [] }],
    ['subject', { subject: ' ' }],
    ['html and text', { html: '', text: undefined }],
  ])('an email without %s is refused', async (_title, changes) => {
    const { status, body } = await test.open(server.url).email({ ...MAIL, ...changes });
    expect([status, body]).toMatchObject([400, { code: 'VALIDATION_FAILED', error: COMPLETE }]);
  });

  it.each([
    ['a line break in the subject', { subject: 'Hello\r\nBcc: eve@example.org' }],
    ['a line break in a name', { to: 'Ada\nBcc: eve@example.org <ada@example.org>' }],
    ['a line break behind an address', { to: 'ada@example.org\r\nRCPT TO:<eve@example.org>' }],
    ['a line break in the sender', { from: 'Desk\nX-Evil: yes' }],
    ['a line break in replyTo', { replyTo: 'desk@example.org\nX-Evil: yes' }],
    ['a line break in a file’s name', { attachments: [{ filename: 'a\r\nX: y', content: 'YQ==' }] }],
    [
      'a line break in a file’s type',
      { attachments: [{ filename: 'a', content: 'YQ==', type: 'a/b\nX: y' }] },
    ],
    ['two addresses in one', { to: 'ada@example.org, eve@example.org' }],
    ['two addresses, parted as some programs do', { to: 'ada@example.org;eve@example.org' }],
    ['a group of addresses', { to: 'friends: ada@example.org, eve@example.org;' }],
    ['a letter that only looks like one of the address', { to: '\u212Aate@example.org' }],
    ['an invisible character in the address', { to: 'ada@exam\u200Bple.org' }],
    ['a name that reverses the text after it', { to: '\u202EAda <ada@example.org>' }],
    ['a recipient that is no address', { cc: 'nobody' }],
    ['an address in front of an address', { to: 'ada@example.org <eve@example.org>' }],
    ['51 recipients', { to: Array.from({ length: 51 }, (_, n) => `reader-${n}@example.org`) }],
    ['a file without content', { attachments: [{ filename: 'a' }] }],
    [
      'a file with content and URL',
      { attachments: [{ filename: 'a', content: 'YQ==', url: 'https://example.org' }] },
    ],
    ['a file that is not base64', { attachments: [{ filename: 'a', content: '%%%' }] }],
    ['a file of very many blanks', { attachments: [{ filename: 'a', content: `${' '.repeat(5e5)}%` }] }],
    ['21 files', { attachments: Array.from({ length: 21 }, () => ({ filename: 'a', content: 'YQ==' })) }],
    ['a file with a path', { attachments: [{ filename: '../a', content: 'YQ==' }] }],
    ['a file URL', { attachments: [{ filename: 'a', url: 'file:///etc/passwd' }] }],
    ['a NUL in the text', { text: 'a\0b' }],
    ['a body that is a list', []],
  ])('an email with %s is refused, and nothing is sent', async (_title, changes) => {
    const { status, body } = await test
      .open(server.url)
      .email(Array.isArray(changes) ? changes : { ...MAIL, ...changes });
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(await test.mails()).toEqual([]);
  });

  it('a list of 50,000 invalid recipients gets one sentence as error', async () => {
    const { body } = await test
      .open(server.url)
      .email({ ...MAIL, to: Array.from({ length: 50_000 }, () => 1) });
    expect(body.error).toBe('The request is not valid. An email may have 50 recipients at most.');
  });

  it('an email may have fifty recipients', async () => {
    const to = Array.from({ length: 50 }, (_, n) => `reader-${n}@example.org`);
    expect((await test.open(server.url).email({ ...MAIL, to })).status).toBe(200);
    expect(server.messages()[0]?.to.split(', ')).toEqual(to);
  });
});

describe('an email from a user', () => {
  it('a user’s email goes to their own address, and its sender is ignored', async () => {
    const { status } = await test
      .open(server.url)
      .email({ ...MAIL, to: 'ADA@example.org', bcc: 'ada@example.org', from: 'boss@example.com' }, ada);
    expect(status).toBe(200);
    expect(server.messages()).toMatchObject([
      // The verified spelling is used: on some servers, upper and lower case are different mailboxes.
      { from: 'post@fabrica.example.org', to: 'ada@example.org', headers: { to: 'ada@example.org' } },
    ]);
  });

  it.each([
    ['to', { to: ['ada@example.org', 'ben@example.org'] }],
    ['cc', { cc: 'ben@example.org' }],
    ['bcc', { bcc: ['ben@example.org'] }],
    ['a name that looks like the own address', { to: 'Ada ada at example.org <ben@example.org>' }],
    ['a quoted name that is the own address', { to: '"ada@example.org" <ben@example.org>' }],
    ['a part behind a plus', { to: 'ada+ben@example.org' }],
    ['another domain', { to: 'ada@example.org.evil.example' }],
  ])('a user’s email to another address is refused (%s)', async (_title, changes) => {
    const { status, body } = await test.open(server.url).email({ ...MAIL, ...changes }, ada);
    expect([status, body.code]).toEqual([403, 'FORBIDDEN']);
    expect(await test.mails()).toEqual([]);
  });

  it('unverified users and anonymous callers may not send emails', async () => {
    const { email } = test.open(server.url);
    expect((await email({ ...MAIL, to: 'eve@example.org' }, unverified)).status).toBe(403);
    expect((await email(MAIL, anonymous)).status).toBe(401);
    expect(await test.mails()).toEqual([]);
  });

  it('a user’s refused email does not count for the project', async () => {
    const { call, limits } = test.open(server.url, { rateLimit: true });
    for (let n = 1; n < EMAILS_PER_PROJECT.points; n += 1)
      await limits.consume(EMAILS_PER_PROJECT, 'journal');
    const write = async (caller: Caller) => (await call('POST', '/email', { caller, body: MAIL })).status;
    expect([await write(unverified), await write(ada), await write(ada)]).toEqual([403, 200, 429]);
  });

  it('emails of users leave the project’s own server room', async () => {
    const { call, limits } = test.open(server.url, { rateLimit: true });
    for (let n = 0; n < EMAILS_OF_USERS.points; n += 1) await limits.consume(EMAILS_OF_USERS, 'journal');
    const write = async (caller: Caller) => (await call('POST', '/email', { caller, body: MAIL })).status;
    expect([await write(ada), await write({ kind: 'service' })]).toEqual([429, 200]);
  });

  it('a user may send twenty emails in an hour', async () => {
    const { call } = test.open(server.url, { rateLimit: true });
    const statuses: number[] = [];
    for (let n = 0; n < 21; n += 1)
      statuses.push((await call('POST', '/email', { caller: ada, body: {} })).status);
    expect(statuses.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 400));
    const { status, headers } = await call('POST', '/email', { caller: ada, body: MAIL });
    expect(status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(3_000);
  });
});

describe('attachments', () => {
  const bytes = Buffer.from([0, 1, 2, 254, 255]);

  it('attachments may be sent as content', async () => {
    await test.open(server.url).email({
      ...MAIL,
      html: '<img src="cid:plate">',
      attachments: [
        { filename: 'plate größer.png', content: bytes.toString('base64'), type: 'image/png', cid: 'plate' },
        { filename: 'notes.txt', content: 'aGVs\nbG8=' },
      ],
    });
    expect(server.messages()[0]?.attachments).toEqual(
      expect.arrayContaining([
        { filename: 'plate größer.png', type: 'image/png', content: bytes },
        { filename: 'notes.txt', type: 'application/octet-stream', content: Buffer.from('hello') },
      ]),
    );
  });

  describe('attachments by URL', () => {
    let site: Server;
    let origin: string;
    let options: { allowHosts: string[]; fetchTimeout?: number };
    let held: ServerResponse[];

    beforeEach(async () => {
      held = [];
      site = createServer((request, response) => {
        if (request.url === '/held') return held.push(response);
        if (request.url === '/private')
          return response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
        if (request.url === '/moved') return response.writeHead(301, { location: '/plan.pdf' }).end();
        if (request.url === '/mail')
          return response.writeHead(200, { 'content-type': 'message/rfc822' }).end(bytes);
        if (request.url === '/large') return response.writeHead(200).end(Buffer.alloc(6 * 1024 * 1024, 7));
        if (request.url !== '/plan.pdf') return response.writeHead(404).end();
        return response.writeHead(200, { 'content-type': 'application/pdf; charset=x' }).end(bytes);
      });
      await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
      const host = `127.0.0.1:${(site.address() as AddressInfo).port}`;
      origin = `http://${host}`;
      options = { allowHosts: [host] };
    });
    afterEach(async () => {
      site.closeAllConnections();
      await new Promise((resolve) => site.close(resolve));
    });

    const attach = (...paths: string[]) => {
      const attachments = paths.map((path) => {
        return { filename: 'p.pdf', url: path.startsWith('/') ? origin + path : path };
      });
      return { ...MAIL, attachments };
    };

    it('attachments are fetched from a URL, also after a redirect', async () => {
      const { email } = test.open(server.url, options);
      expect((await email(attach('/plan.pdf', '/moved'))).status).toBe(200);
      const file = { filename: 'p.pdf', type: 'application/pdf', content: bytes };
      expect(server.messages()).toMatchObject([{ attachments: [file, file] }]);
    });

    it('an attachment of a multipart type is sent as a plain file', async () => {
      const { email } = test.open(server.url, options);
      const asked = attach('/mail');
      await email({
        ...asked,
        attachments: [...asked.attachments, { filename: 'b', content: 'YQ==', type: 'multipart/mixed' }],
      });
      expect(server.messages()[0]?.attachments).toMatchObject([
        { type: 'application/octet-stream', content: bytes },
        { type: 'application/octet-stream', content: Buffer.from('a') },
      ]);
    });

    it.each([
      ['an error response', 400, '/missing', /^The attachment "p\.pdf" could not be fetched: .* 404/],
      ['a private address', 403, 'http://127.0.0.1:1/', /^The attachment "p\.pdf" could not be fetched\. /],
      ['a redirect to a private address', 403, '/private', /"p\.pdf"/],
      ['a URL with a password', 400, 'http://ada:secret@example.org/', /"p\.pdf"/],
    ])('an attachment is refused for %s, and the error names it', async (_title, status, path, sentence) => {
      const { email } = test.open(server.url, options);
      const response = await email(attach('/plan.pdf', path));
      expect([response.status, response.body.error]).toEqual([status, expect.stringMatching(sentence)]);
      expect(await test.mails()).toEqual([]);
    });

    it('fetched attachments may have 10 MB in all, together with those that are sent as content', async () => {
      const { email } = test.open(server.url, options);
      for (const body of [
        attach('/large', '/large'),
        {
          ...MAIL,
          attachments: [
            ...attach('/large').attachments,
            { filename: 'a', content: Buffer.alloc(5 * 1024 * 1024).toString('base64') },
          ],
        },
      ]) {
        const response = await email(body);
        expect([response.status, response.body.error]).toEqual([
          413,
          expect.stringContaining('10 MB in all'),
        ]);
      }
      expect(await test.mails()).toEqual([]);
    });

    it('fetching all attachments of an email has one timeout', async () => {
      const { email } = test.open(server.url, { ...options, fetchTimeout: 60 });
      const response = await email(attach('/held', '/held'));
      expect([response.status, response.body.code]).toEqual([504, 'FETCH_TIMEOUT']);
      expect(held).toHaveLength(1);
    });

    it('two emails of a user are handled at a time', async () => {
      const { call } = test.open(server.url, options);
      const calls = [1, 2, 3].map(() => call('POST', '/email', { caller: ada, body: attach('/held') }));
      await expect.poll(() => held.length).toBe(2);
      const others = await call('POST', '/email', { caller: { kind: 'service' }, body: MAIL });
      expect([others.status, held.length]).toEqual([200, 2]);
      held[0]?.end('one');
      await expect.poll(() => held.length).toBe(3);
      for (const response of held) response.end();
      expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200, 200]);
    });
  });

  it('attachments that are sent as content may have 10 MB in all', async () => {
    const { email } = test.open(server.url);
    const half = Buffer.alloc(5 * 1024 * 1024, 1).toString('base64');
    const files = (...contents: string[]) =>
      contents.map((content, n) => ({ filename: `${n}.bin`, content }));
    // The test reads the outbox, because its own mail server takes a second for such a mail.
    server.refuse(1, 451);
    const fits = await email({ ...MAIL, attachments: files(half, half) });
    expect(fits.status).toBe(200);
    const [mail] = await test.mails();
    const stored = await readAttachments(test.database.reader, mail?.id ?? '', createMailSeal(MAIL_KEYS));
    expect(stored.map(({ content }) => content === half)).toEqual([true, true]);
    const { status, body } = await email({ ...MAIL, attachments: files(half, half, 'YQ==') });
    expect([status, body.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });
});

it('an email is refused when the outbox is full', async () => {
  await server.close();
  const { mailQueue, email } = test.open(server.url);
  await email(MAIL);
  await test.database.writer
    .updateTable('outbox')
    .set({ size: 600 * 1024 * 1024 })
    .execute();
  const { status, headers } = await email(MAIL);
  expect([status, headers.get('retry-after')]).toEqual([429, '600']);
  await mailQueue.idle();
  server = await startSmtpServer();
});

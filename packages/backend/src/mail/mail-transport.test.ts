import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildMail, FROM, MAIL_KEYS } from '@fabrica/backend/testing/mail/build-test-mail.ts';
import { startSmtpServer } from '@fabrica/test-peers/smtp-server.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createFileTransport,
  createMailSeal,
  createSmtpTransport,
  type MailTransport,
  readStoredMails,
} from './index.ts';

const seal = createMailSeal(MAIL_KEYS);

interface Delivered {
  to: string;
  subject: string;
  html: string;
  text: string;
}

interface TestTransport {
  create(from: string): MailTransport;
  delivered(): Promise<Delivered[]>;
  end(): Promise<void>;
}

const TRANSPORTS: Record<string, () => Promise<TestTransport>> = {
  async SMTP() {
    const server = await startSmtpServer();
    return {
      create: (from) => createSmtpTransport({ url: server.url, from }),
      delivered: async () => server.messages(),
      end: () => server.close(),
    };
  },
  async folder() {
    const folder = await mkdtemp(join(tmpdir(), 'fabrica-outbox-'));
    return {
      create: (from) => createFileTransport({ folder, from, seal }),
      delivered: () => readStoredMails(folder, seal),
      end: () => rm(folder, { recursive: true }),
    };
  },
};

describe.each(Object.entries(TRANSPORTS))('any transport: %s', (_name, prepare) => {
  let test: TestTransport;
  let transport: MailTransport;

  beforeEach(async () => {
    test = await prepare();
    transport = test.create(FROM);
  });
  afterEach(async () => {
    await transport.close();
    await test.end();
  });

  it('a transport delivers subject, text and HTML unchanged', async () => {
    const mail = buildMail();
    await transport.send(mail);
    const [{ to, subject, html, text } = buildMail({ to: '' })] = await test.delivered();
    expect({ to, subject, html: html.trim(), text: `${text.trim()}\n` }).toEqual(mail);
  });

  it.each([
    ['a line break in the subject', { subject: 'Hello\r\nBcc: eve@example.org' }],
    ['a bare line feed in the subject', { subject: 'Hello\nX-Evil: yes' }],
    ['a NUL in the subject', { subject: 'Hello\0' }],
    ['a line break in the address', { to: 'ada@example.org\r\nRCPT TO:<eve@example.org>' }],
    ['a second address', { to: 'ada@example.org, eve@example.org' }],
    ['a second address in brackets', { to: 'ada@example.org <eve@example.org>' }],
    ['a group of addresses', { to: 'all:eve@example.org;' }],
    ['two at signs', { to: 'ada@example.org@example.com' }],
    ['no address', { to: '' }],
  ])('a transport refuses a mail with %s', async (_title, changes) => {
    await expect(transport.send(buildMail(changes))).rejects.toMatchObject({ permanent: true });
    expect(await test.delivered()).toEqual([]);
  });

  it.each([
    'post@fabrica.example.org\r\nBcc: eve@example.org',
    'a@example.org, b@example.org',
    'Fabrica',
    '',
  ])('a transport cannot be created with the sender %j', (from) => {
    expect(() => test.create(from)).toThrow('is no sender');
  });
});

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient as createNewest } from '@blinkdotnew/sdk';
import { type Backend, createBackend, parseConfig } from '@fabrica/backend';
import {
  buildTestSettings,
  removeTestSettings,
  type TestSettings,
} from '@fabrica/backend/testing/database/build-test-engine.ts';
import { startSmtpServer, type TestSmtpServer } from '@fabrica/test-peers/smtp-server.ts';
import { getRequestListener } from '@hono/node-server';
import { createClient as createOld } from 'blink-sdk-0.18';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defineJournal } from '../../apps/journal/project/project.ts';

/** Mails by a client of the wire contract that nobody here wrote. The pages have no part in it, so they need not be built. */
type PublicClient = ReturnType<typeof createNewest>;

let smtp: TestSmtpServer;
let backend: Backend;
let server: Server;
let settings: TestSettings;
let origin: string;
/** Where attachments are fetched from, as the operator has allowed. */
let site: Server;

beforeAll(async () => {
  smtp = await startSmtpServer();
  settings = await buildTestSettings();
  server = await listen(createServer());
  origin = originOf(server);
  site = await listen(
    createServer((_, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('hello')),
  );
  const config = parseConfig({
    ...settings,
    PUBLIC_URL: origin,
    SMTP_URL: smtp.url,
    MAIL_FROM: 'Fabrica <mail@fabrica.example.org>',
    RATE_LIMIT: 'off',
    DATA_ALLOW_HOSTS: new URL(originOf(site)).host,
  });
  backend = await createBackend({
    config,
    projects: [defineJournal({ id: 'journal' })],
    log: pino({ level: 'silent' }),
    renderMail: async ({ kind, link }) => ({ subject: kind, html: '', text: link }),
  });
  server.on(
    'request',
    getRequestListener((request) => backend.fetch(request)),
  );
});
afterAll(async () => {
  await backend.close();
  for (const one of [server, site]) {
    one.closeAllConnections();
    await new Promise((resolve) => one.close(resolve));
  }
  await smtp.close();
  await removeTestSettings(settings);
});

async function listen(made: Server): Promise<Server> {
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve));
  return made;
}

const originOf = (listening: Server) => `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;

const versions = [
  ['2.9.0', createNewest],
  ['0.18.8', createOld as unknown as typeof createNewest],
] as const;

describe.each(versions)('the public client %s', (version, createClient) => {
  const name = `ada-${version.replaceAll('.', '-')}`;
  const address = `${name}@example.org`;
  let service: PublicClient;
  let user: PublicClient;

  const connect = (token?: string): PublicClient => {
    const auth = { mode: 'headless', authUrl: origin, coreUrl: origin } as const;
    const made = createClient({ projectId: 'journal', auth });
    const toKey = token === undefined ? {} : { getToken: () => token, getValidToken: undefined };
    // This client keeps its addresses for its sockets; its calls go to those in its HTTP client.
    const { httpClient } = made.notifications as unknown as { httpClient: object };
    Object.assign(httpClient, { authUrl: origin, coreUrl: origin, ...toKey });
    return made;
  };

  beforeAll(async () => {
    service = connect(backend.projects.get('journal')?.secretKey);
    user = connect();
    const signUp = { email: address, password: 'a long enough passphrase', displayName: 'Ada' };
    await user.auth.signUp(signUp as Parameters<typeof user.auth.signUp>[0]);
  });

  it('sends a mail with the secret key, with all that there may be', async () => {
    const { success, messageId } = await service.notifications.email({
      to: [address, 'Ben <ben@example.org>'],
      subject: 'Größe',
      html: '<p>Größe</p>',
      text: 'Größe',
      from: 'The Desk',
      replyTo: 'desk@example.com',
      cc: 'cleo@example.org',
      bcc: ['dan@example.org'],
    });
    expect(success).toBe(true);
    const mail = await smtp.waitFor(({ headers }) => headers['message-id'] === messageId);
    expect(mail).toMatchObject({
      to: `${address}, ben@example.org, cleo@example.org, dan@example.org`,
      subject: 'Größe',
      headers: { from: 'The Desk <mail@fabrica.example.org>', 'reply-to': 'desk@example.com' },
    });
  });

  it('is told what is missing, and that a sender is not ours', async () => {
    const { notifications } = service;
    await expect(notifications.email({ to: address, subject: 'Hello' } as never)).rejects.toThrow(
      /"to", "subject"/,
    );
    const foreign = notifications.email({ to: address, subject: 'Hi', text: 'Hi', from: 'desk@example.com' });
    await expect(foreign).rejects.toMatchObject({
      message: expect.stringContaining('fabrica.example.org'),
      // The old one does not tell.
      ...(version === '2.9.0' && { status: 403, details: { code: 'UNVERIFIED_SENDER' } }),
    });
  });

  it('writes to its user’s own address once that is verified, and to nobody else’s', async () => {
    const mail = { subject: 'For me', text: 'A note.' };
    await expect(user.notifications.email({ ...mail, to: address })).rejects.toThrow(/verify/);
    const { text } = await smtp.waitFor(({ to, subject }) => to === address && subject === 'verify-email');
    await user.auth.verifyEmail(new URL(text.trim()).searchParams.get('token') ?? '');
    const { messageId } = await user.notifications.email({ ...mail, to: address });
    await smtp.waitFor(({ headers }) => headers['message-id'] === messageId);
    await expect(user.notifications.email({ ...mail, to: 'ben@example.org' })).rejects.toThrow(/own address/);
  });

  it('attaches a file by its content, and by an address that is not private', async () => {
    const attach = (attachment: object) => {
      const attachments = [{ filename: 'a.txt', ...attachment }];
      return service.notifications.email({
        to: address,
        subject: 'A file',
        text: 'Here.',
        attachments,
      } as never);
    };
    for (const given of [{ content: 'aGVsbG8=', type: 'text/plain' }, { url: `${originOf(site)}/a.txt` }]) {
      const { messageId } = await attach(given);
      const received = await smtp.waitFor(({ headers }) => headers['message-id'] === messageId);
      const file = { filename: 'a.txt', type: 'text/plain', content: Buffer.from('hello') };
      expect(received.attachments).toMatchObject([file]);
    }
    // Our own server is as private as any other.
    await expect(attach({ url: `${origin}/healthz` })).rejects.toThrow(/"a\.txt" could not be fetched/);
  });
});

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Backend, createBackend, parseConfig } from '@fabrica/backend';
import {
  buildTestSettings,
  removeTestSettings,
  type TestSettings,
} from '@fabrica/backend/testing/database/build-test-engine.ts';
import { testPages as pages } from '@fabrica/backend/testing/test-pages.ts';
import { startSmtpServer, type TestSmtpServer } from '@fabrica/test-peers/smtp-server.ts';
import { getRequestListener } from '@hono/node-server';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defineJournal } from '../../../apps/journal/project/project.ts';
import { connectPublicClient, type PublicClient, signUpWith, versions } from '../connect-public-client.ts';

/** Mails by a client that is not part of this project. The backend runs in this process without pages. */

let smtp: TestSmtpServer;
let backend: Backend;
let server: Server;
let settings: TestSettings;
let origin: string;
/** A site with attachments that the operator has allowed. */
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
    PROJECT_ID: 'journal',
    PUBLIC_URL: origin,
    SMTP_URL: smtp.url,
    MAIL_FROM: 'Fabrica <mail@fabrica.example.org>',
    DATA_ALLOW_HOSTS: new URL(originOf(site)).host,
  });
  backend = await createBackend({
    pages,
    config,
    projects: [defineJournal({ id: 'journal' })],
    log: pino({ level: 'silent' }),
    renderMail: async (mail) => ({
      subject: mail.kind,
      html: '',
      text: 'link' in mail ? mail.link : mail.kind,
    }),
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

describe.each(versions)('the public client %s', (version, createClient) => {
  const name = `ada-${version.replaceAll('.', '-')}`;
  const email = `${name}@example.org`;
  let service: PublicClient;
  let user: PublicClient;

  beforeAll(async () => {
    const token = backend.projects.get('journal')?.secretKey;
    service = connectPublicClient(createClient, { origin, token });
    user = connectPublicClient(createClient, { origin });
    await signUpWith(user, email, { displayName: 'Ada' });
  });

  it('the public client sends a mail with all fields and the secret key', async () => {
    const { success, messageId } = await service.notifications.email({
      to: [email, 'Ben <ben@example.org>'],
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
      to: `${email}, ben@example.org, cleo@example.org, dan@example.org`,
      subject: 'Größe',
      headers: { from: 'The Desk <mail@fabrica.example.org>', 'reply-to': 'desk@example.com' },
    });
  });

  it('the public client gets an error for missing fields and for a foreign sender', async () => {
    const { notifications } = service;
    await expect(notifications.email({ to: email, subject: 'Hello' } as never)).rejects.toThrow(
      /"to", "subject"/,
    );
    const foreign = notifications.email({ to: email, subject: 'Hi', text: 'Hi', from: 'desk@example.com' });
    await expect(foreign).rejects.toMatchObject({
      message: expect.stringContaining('fabrica.example.org'),
      // The old version has no status.
      ...(version === '2.9.0' && { status: 403, details: { code: 'UNVERIFIED_SENDER' } }),
    });
  });

  it('a user’s public client sends mails to the user’s own verified e-mail address alone', async () => {
    const mail = { subject: 'For me', text: 'A note.' };
    await expect(user.notifications.email({ ...mail, to: email })).rejects.toThrow(/verify/);
    const { text } = await smtp.waitFor(({ to, subject }) => to === email && subject === 'verify-email');
    const token = new URL(text.trim()).searchParams.get('token');
    await fetch(`${origin}/api/auth/email/verify`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await user.auth.getValidToken()}` },
      body: JSON.stringify({ projectId: 'journal', token }),
    });
    const { messageId } = await user.notifications.email({ ...mail, to: email });
    await smtp.waitFor(({ headers }) => headers['message-id'] === messageId);
    await expect(user.notifications.email({ ...mail, to: 'ben@example.org' })).rejects.toThrow(/own address/);
  });

  it('the public client attaches a file by its content, and by an allowed URL', async () => {
    const attach = (attachment: object) => {
      const attachments = [{ filename: 'a.txt', ...attachment }];
      return service.notifications.email({
        to: email,
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
    // This server itself is on a private email too.
    await expect(attach({ url: `${origin}/healthz` })).rejects.toThrow(/"a\.txt" could not be fetched/);
  });
});

import { buildMail, FROM } from '@fabrica/backend/testing/mail/build-test-mail.ts';
import {
  type SmtpServerOptions,
  startSmtpServer,
  type TestSmtpServer,
} from '@fabrica/test-peers/smtp-server.ts';
import { afterEach, expect, it } from 'vitest';
import { createSmtpTransport, type MailTransport } from './index.ts';

const TRUST_ANY = '?tls.rejectUnauthorized=false';
const opened: { close(): Promise<void> }[] = [];

async function startServer(options?: SmtpServerOptions): Promise<TestSmtpServer> {
  const server = await startSmtpServer(options);
  opened.unshift(server);
  return server;
}

function openTransport(url: string, from = FROM): MailTransport {
  const transport = createSmtpTransport({ url, from });
  opened.unshift(transport);
  return transport;
}

afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

it('a mail has text and HTML alternatives in UTF-8 and the headers of an automatic mail', async () => {
  const server = await startServer();
  await openTransport(server.url).send(buildMail());
  const [mail] = server.messages();
  expect(mail).toMatchObject({ to: 'ada@example.org', from: 'post@fabrica.example.org' });
  expect(mail?.headers).toMatchObject({
    from: expect.stringMatching(/Fabrica – Medizin & Kunst.*<post@fabrica\.example\.org>$/),
    to: 'ada@example.org',
    'content-type': expect.stringMatching(/^multipart\/alternative;/),
    'auto-submitted': 'auto-generated',
    'message-id': expect.stringMatching(/^<[^@>]+@fabrica\.example\.org>$/),
  });
  expect(Date.now() - Date.parse(mail?.headers.date ?? '')).toBeLessThan(60_000);
});

it('many mails share a few connections that stay open', async () => {
  const server = await startServer();
  const transport = openTransport(server.url);
  await Promise.all(
    Array.from({ length: 20 }, (_, n) => transport.send(buildMail({ to: `reader-${n}@example.org` }))),
  );
  expect(new Set(server.messages().map(({ to }) => to)).size).toBe(20);
  expect(server.connections()).toBeLessThanOrEqual(5);
});

it('an smtp:// URL encrypts when the server offers STARTTLS', async () => {
  const server = await startServer({ tls: 'starttls' });
  await openTransport(server.url + TRUST_ANY).send(buildMail());
  expect(server.messages()).toMatchObject([{ secure: true }]);
});

it('an smtps:// URL encrypts from the first byte, and its user and password are used', async () => {
  const login = { user: 'post@fabrica', password: 'p@ss:wörd/%' };
  const server = await startServer({ tls: 'from-the-start', login });
  await openTransport(server.url + TRUST_ANY).send(buildMail());
  expect(server.messages()).toMatchObject([{ secure: true }]);
});

it.each(['starttls', 'from-the-start'] as const)(
  'no mail is sent to a server whose certificate is not trusted (%s)',
  async (tls) => {
    const server = await startServer({ tls });
    await expect(openTransport(server.url).send(buildMail())).rejects.toThrow(/certificate/);
    expect(server.messages()).toEqual([]);
  },
);

it('an error tells whether the server refused the mail permanently', async () => {
  const server = await startServer();
  const transport = openTransport(server.url);
  server.refuse(1, 550);
  await expect(transport.send(buildMail())).rejects.toMatchObject({ permanent: true });
  server.refuse(1, 451);
  await expect(transport.send(buildMail())).rejects.toMatchObject({ permanent: false });
  await transport.send(buildMail());
  expect(server.messages()).toHaveLength(1);
});

it('sending fails at once when no server listens', async () => {
  const server = await startSmtpServer();
  await server.close();
  await expect(openTransport(server.url).send(buildMail())).rejects.toThrow('ECONNREFUSED');
});

it('a closed transport sends no mail', async () => {
  const server = await startServer();
  const transport = openTransport(server.url);
  await transport.close();
  await expect(transport.send(buildMail())).rejects.toThrow('closed');
  expect(server.messages()).toEqual([]);
});

it.each(['mail.example.org:25', 'https://mail.example.org', ''])(
  'an SMTP transport cannot be created for the URL %j',
  (url) => {
    expect(() => createSmtpTransport({ url, from: FROM })).toThrow('smtp://');
  },
);

import { signUp } from '@fabrica/test-peers/author.ts';
import { runFabricaHere } from '@fabrica/test-peers/run-fabrica.ts';
import { startSmtpServer, type TestSmtpServer } from '@fabrica/test-peers/smtp-server.ts';
import { type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';

let smtp: TestSmtpServer;
let server: RunningServer;

beforeAll(async () => {
  smtp = await startSmtpServer();
  server = await startServer({
    DEMO: 'off',
    SMTP_URL: smtp.url,
    CONTACT_TO: 'operator@example.org',
  });
});
afterAll(async () => {
  await server.close();
  await smtp.close();
});

/** Browsers say that a page of the same site sent the form. */
const OWN = { 'sec-fetch-site': 'same-origin' };

function send(
  fields: Record<string, string>,
  headers: Record<string, string> = {},
  { url } = server,
): Promise<Response> {
  const message = {
    name: 'Grace "Moth" Hopper',
    email: 'grace@example.org',
    message: 'A moth.\nIn relay 70.',
  };
  const body = new URLSearchParams({ ...message, ...fields });
  return fetch(`${url}/contact`, { method: 'POST', body, headers: { ...OWN, ...headers } });
}

it('a message of the contact form reaches the operator, who can reply to its sender', async () => {
  const page = await (await fetch(`${server.url}/contact`)).text();
  expect(page).toContain('write to us');
  const response = await send({});
  expect(response.status).toBe(200);
  expect(await response.text()).toContain('Message sent successfully!');
  const mail = await smtp.waitFor(({ to }) => to === 'operator@example.org');
  expect(mail.subject).toBe('Fabrica: Grace "Moth" Hopper');
  expect(mail.headers['reply-to']).toContain('<grace@example.org>');
  expect(mail.text).toContain('A moth.\nIn relay 70.');
});

it('a name with a line break adds no header to the mail', async () => {
  await send({ name: 'Ada\r\nBcc: victim@example.org', message: 'Second' });
  const mail = await smtp.waitFor(({ text }) => text.includes('Second'));
  expect(mail.headers.bcc).toBeUndefined();
  expect(mail.to).toBe('operator@example.org');
});

it('neither an invalid message nor a program that fills in every field is sent', async () => {
  const before = smtp.recipients();
  expect((await send({ email: 'grace' })).status).toBe(400);
  expect((await send({ website: 'https://spam.example' })).status).toBe(200);
  expect((await send({}, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  await send({ message: 'The last one' });
  await smtp.waitFor(({ text }) => text.includes('The last one'));
  expect(smtp.recipients()).toBe(before + 1);
});

it('one sender who writes too many messages is told to wait, and their text is kept', async () => {
  const statuses: number[] = [];
  for (let count = 0; count < 6; count += 1) {
    statuses.push((await send({ email: 'eager@example.org' })).status);
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  const refused = await (await send({ email: 'eager@example.org', message: 'Once more' })).text();
  expect(refused).toContain('Please try again in an hour.');
  expect(refused).toContain('Once more');
});

it('without an address, messages are kept for the operator, who counts and reads them', async () => {
  const kept = await startServer({ DEMO: 'off' });
  const author = await signUp(kept, 'Ada');
  const messages = () => {
    const headers = { authorization: `Bearer ${author.token}` };
    return fetch(`${kept.url}/api/notifications/journal/messages`, { headers });
  };
  for (const message of ['First\nline', 'Second'])
    expect((await send({ message }, {}, kept)).status).toBe(200);
  expect((await messages()).status).toBe(403);
  await runFabricaHere(['user', 'set-role', author.email, 'admin'], kept.settings);
  expect(await (await messages()).json()).toEqual({ messages: 2 });
  const { stdout } = await runFabricaHere(['doctor'], kept.settings);
  expect(stdout).toMatch(/messages +warning +2 of the contact form/);
  const list = JSON.parse((await runFabricaHere(['outbox', '--json'], kept.settings)).stdout);
  const [second, first] = list.filter(({ kind }: { kind: string | null }) => kind === 'message');
  expect(second).toMatchObject({
    state: 'kept',
    from: 'Grace "Moth" Hopper <grace@example.org>',
    text: 'Second',
  });
  const shown = await runFabricaHere(['outbox', 'open', first.id, '--text'], kept.settings);
  expect(shown.stdout).toMatch(/First\nline$/);
  await runFabricaHere(['outbox', 'discard', second.id], kept.settings);
  expect(await (await messages()).json()).toEqual({ messages: 1 });
  await kept.close();
});

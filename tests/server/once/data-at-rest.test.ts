import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ReceivedMail, startSmtpServer, type TestSmtpServer } from '@fabrica/test-peers/smtp-server.ts';
import { type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';

const EMAIL = 'ada@example.org';
const PASSWORD = 'Hearts beat 70 times a minute';
/** Runs the server where new files are open to everybody. */
const OPEN_UMASK = ['sh', '-c', 'umask 000; exec "$@"', 'sh'];

let dataDir: string;
let smtp: TestSmtpServer;
let server: RunningServer;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'fabrica-at-rest-'));
  // What an older version has left.
  await mkdir(join(dataDir, 'files'), { recursive: true });
  await writeFile(join(dataDir, 'files', 'old'), 'an original');
  for (const path of ['', 'files', 'files/old'])
    await chmod(join(dataDir, path), path.endsWith('old') ? 0o644 : 0o755);
  smtp = await startSmtpServer();
  server = await startServer({ DEMO: 'off', SMTP_URL: smtp.url, RATE_LIMIT: 'off' }, dataDir, {
    wrapper: OPEN_UMASK,
  });
});
afterAll(async () => {
  await server.close();
  await smtp.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function post(path: string, body: object): Promise<Record<string, string>> {
  const response = await fetch(`${server.url}/api/auth${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ projectId: 'journal', ...body }),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as Record<string, string>;
}

async function allPaths(): Promise<string[]> {
  return (await readdir(dataDir, { recursive: true })).map((name) => join(dataDir, name));
}

/** Returns the bytes of all files as text. */
async function readAll(): Promise<string> {
  let bytes = '';
  for (const path of await allPaths()) {
    if ((await stat(path)).isFile()) bytes += await readFile(path, 'latin1');
  }
  return bytes;
}

function tokenOf({ text }: ReceivedMail): string {
  const token = /token=([\w.-]+)/.exec(text)?.[1];
  if (token === undefined) throw new Error(`This mail has no link: ${text}`);
  return token;
}

it('no file of the data folder holds a password, a token or the text of a mail, waiting or sent, nor is it open to others', async () => {
  smtp.refuse(3, 451);
  const session = await post('/signup', { email: EMAIL, password: PASSWORD, displayName: 'Ada' });
  await post('/signin/magic', { email: EMAIL });
  await post('/password/reset', { email: EMAIL });
  await expect.poll(() => smtp.recipients()).toBe(3);
  const waiting = await readAll();

  await expect.poll(() => smtp.messages().length).toBe(3);
  const form = new FormData();
  form.set('file', new File(['text of a file'], 'a.txt', { type: 'text/plain' }));
  form.set('path', 'notes/a.txt');
  const upload = await fetch(`${server.url}/api/storage/journal/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${session.access_token}` },
    body: form,
  });
  expect(upload.status).toBe(200);
  const [link] = smtp.messages().filter(({ text }) => text.includes('/auth/magic'));
  const signedIn = await post('/signin/magic/verify', { token: tokenOf(link as ReceivedMail) });
  const sent = await readAll();

  // The files are those of this server, and hold what they are known to hold.
  for (const bytes of [waiting, sent]) expect(bytes).toContain(EMAIL);
  const secrets = [
    PASSWORD,
    'token=',
    ...smtp.messages().flatMap((mail) => [mail.subject, tokenOf(mail), tokenOf(mail).split('.')[1] ?? '']),
    ...[session, signedIn].flatMap(({ access_token, refresh_token }) => [access_token, refresh_token]),
  ];
  expect(secrets.filter((secret) => waiting.includes(String(secret)))).toEqual([]);
  expect(secrets.filter((secret) => sent.includes(String(secret)))).toEqual([]);

  const open: string[] = [];
  for (const path of [dataDir, ...(await allPaths())]) {
    if (((await stat(path)).mode & 0o077) !== 0) open.push(path);
  }
  expect(open).toEqual([]);
  expect(server.output()).toContain('Other users of this system could open the data: no longer');
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { type Ran, runFabrica, runFabricaHere } from '@fabrica/test-peers/run-fabrica.ts';
import { type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

const SCRIPT = fileURLToPath(new URL('../../scripts/fabrica.mjs', import.meta.url));
const PASSWORD = 'quiet violet lantern';
/** A running server takes up to 2 s to notice a new key. */
const SOON = { timeout: 30_000, interval: 100 };

let server: RunningServer;
let accounts = 0;
beforeAll(async () => {
  server = await startServer({ DEMO: 'off', RATE_LIMIT: 'off' });
});
afterAll(() => server.close());

/** Runs the command line beside the running server. */
function fabrica(args: string[], { environment = {}, input = '' } = {}): Promise<Ran> {
  return runFabricaHere(args, { ...server.settings, PUBLIC_URL: server.url, ...environment }, input);
}

/** Runs a command, expects it to succeed, and returns its output. */
async function succeed(...args: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await fabrica(args);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return stdout;
}

async function call(method: string, path: string, { body, token }: { body?: unknown; token?: string } = {}) {
  const response = await fetch(`${server.url}/api/${path}`, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json().catch(() => null) };
}

const signInBy = (how: 'signup' | 'signin/email', email: string, password = PASSWORD) =>
  call('POST', `auth/${how}`, { body: { email, password, projectId: 'journal' } });

const publishPost = (token: string, userId: string) =>
  call('POST', 'db/journal/rest/v1/journal_posts', {
    token,
    body: { user_id: userId, title: 'A title', content: 'A text', image_url: '/artwork.webp', published: 1 },
  });

describe('fabrica, beside a running server', () => {
  let email: string;
  let token: string;
  let userId: string;
  beforeEach(async () => {
    accounts += 1;
    email = `person-${accounts}@example.org`;
    const { body } = await signInBy('signup', email);
    token = body.access_token;
    userId = body.user.id;
  });

  const me = async () => (await call('GET', 'auth/me', { token })).status;

  it('a new role of an account applies to its next request', async () => {
    expect((await publishPost(token, userId)).status).toBe(201);
    await succeed('user', 'set-role', email, 'reader');
    expect((await publishPost(token, userId)).status).toBe(403);
    expect((await call('GET', 'auth/people', { token })).status).toBe(403);
    const refusals = JSON.parse(
      await succeed('audit', '--event', 'access-refused', '--user', email, '--json'),
    );
    expect(refusals.map(({ details }: { details: object }) => details)).toEqual([
      { method: 'GET', path: '/api/auth/people', code: 'FORBIDDEN' },
      { method: 'POST', path: '/api/db/journal/rest/v1/journal_posts', code: 'FORBIDDEN' },
    ]);
    expect(refusals[0]).toMatchObject({ userId, event: 'access-refused' });
    await succeed('user', 'set-role', userId, 'author');
    expect((await publishPost(token, userId)).status).toBe(201);
    expect(await succeed('user', 'list', '--search', email)).toMatch(/ author +no +\S+ \S+Z +\S+ \S+Z +-$/m);
  });

  it('an operator lists, removes, hides and deletes the comments of an account, and the audit log says so', async () => {
    await publishPost(token, userId);
    const own = await call('GET', `db/journal/rest/v1/journal_posts?user_id=eq.${userId}&select=id`);
    const postId = own.body[0].id;
    const troll = (await signInBy('signup', `troll${accounts}@example.org`)).body;
    const other = (await signInBy('signup', `other${accounts}@example.org`)).body;
    const write = async (by: typeof troll, content: string) => {
      const row = { post_id: postId, user_id: by.user.id, content };
      const body = { id: `${content}-${accounts}`, ...row };
      await call('POST', 'db/journal/rest/v1/post_comments', { token: by.access_token, body });
    };
    for (const content of ['one', 'two', 'three']) await write(troll, content);
    await write(other, 'kind');
    const read = async () => {
      const path = `db/journal/rest/v1/post_comments?post_id=eq.${postId}&select=content&order=content`;
      const anonymous = (await call('GET', path)).body;
      expect((await call('GET', path, { token })).body, 'an author reads the same').toEqual(anonymous);
      return anonymous.map(({ content }: { content: string }) => content);
    };
    expect(await read()).toEqual(['kind', 'one', 'three', 'two']);

    const listing = await succeed('comment', 'list', '--post', postId);
    expect(listing).toContain(troll.user.id);
    expect(listing.split('\n').filter((line) => line.includes(troll.user.id))).toHaveLength(3);
    await succeed('comment', 'remove', `two-${accounts}`);
    expect((await fabrica(['comment', 'remove', `two-${accounts}`])).exitCode).toBe(64);
    await expect.poll(read, SOON).toEqual(['kind', 'one', 'three']);
    const [removal] = JSON.parse(
      await succeed('audit', '--event', 'content-removed', '--limit', '1', '--json'),
    );
    const details = { table: 'post_comments', row: `two-${accounts}`, owner: troll.user.id, by: 'operator' };
    expect(removal).toMatchObject({ userId: null, details });

    await succeed('user', 'disable', troll.user.id);
    expect(await read()).toEqual(['kind', 'one', 'three']);
    const hidden = await succeed('user', 'disable', troll.user.id, '--hide-comments');
    expect(hidden).toContain('Its comments are hidden.');
    await expect.poll(read, SOON).toEqual(['kind']);
    expect(await succeed('comment', 'list', '--user', troll.user.id)).toContain('three');
    await succeed('user', 'enable', troll.user.id);
    await expect.poll(read, SOON).toEqual(['kind', 'one', 'three']);

    await succeed('user', 'delete', other.user.id, '--yes');
    await succeed('user', 'delete', troll.user.id, '--yes', '--with-comments');
    await expect.poll(read, SOON).toEqual(['kind']);
    const [kind] = JSON.parse(await succeed('comment', 'list', '--post', postId, '--json'));
    expect(kind).toMatchObject({ user_id: expect.stringMatching(/^deleted_/), user_name: 'Anonymous' });
  });

  it('a key rotation with --revoke makes old tokens invalid, and they can be refreshed', async () => {
    const { body: session } = await signInBy('signin/email', email);
    token = session.access_token;
    await succeed('key', 'rotate', '--revoke');
    await expect.poll(me, SOON).toBe(401);
    const refresh = { refresh_token: session.refresh_token };
    token = (await call('POST', 'auth/refresh', { body: refresh })).body.access_token;
    expect(await me()).toBe(200);
  });

  it('rotations of the refresh key and of the key of secrets sign nobody out', async () => {
    const { body: session } = await signInBy('signin/email', email);
    token = session.access_token;
    for (const options of [['refresh'], ['secrets'], ['secrets', '--revoke']]) {
      await succeed('key', 'rotate', '--key', ...options);
      expect(await me()).toBe(200);
    }
    const refresh = { refresh_token: session.refresh_token };
    const refreshed = await call('POST', 'auth/refresh', { body: refresh });
    token = refreshed.body.access_token;
    expect([refreshed.status, await me()]).toEqual([200, 200]);
  });

  it('the outbox command shows the mail with a requested magic link', async () => {
    await call('POST', 'auth/signin/magic', { body: { email, projectId: 'journal' } });
    const findMail = async () => {
      const mails: { id: string; state: string; to: string; text: string | null }[] = JSON.parse(
        await succeed('outbox', '--json'),
      );
      // While it waits, a mail has another id than in the folder.
      return mails.find(
        ({ state, to, text }) => state === 'kept' && to === email && text?.includes('/auth/magic?'),
      );
    };
    await expect.poll(findMail, SOON).toBeDefined();
    const shown = await succeed('outbox', 'open', String((await findMail())?.id), '--text');
    const link = new URL(shown.match(/^http\S+\/auth\/magic\?\S+$/m)?.[0] ?? '');
    const proof = { token: link.searchParams.get('token'), projectId: 'journal' };
    expect((await call('POST', 'auth/signin/magic/verify', { body: proof })).body.user.email).toBe(email);
  });

  it('a created account gets its first password by the printed link', async () => {
    const made = `made.${email}`;
    const stdout = await succeed('user', 'create', made, '--role', 'admin');
    expect((await signInBy('signin/email', made)).status).toBe(401);
    const link = new URL(stdout.match(/^http\S+$/m)?.[0] ?? '');
    expect(link.href.startsWith(`${server.url}/auth/reset?`)).toBe(true);
    const reset = { token: link.searchParams.get('token'), password: PASSWORD, projectId: 'journal' };
    expect((await call('POST', 'auth/password/reset/confirm', { body: reset })).status).toBe(200);
    expect((await signInBy('signin/email', made)).body.user).toMatchObject({
      role: 'admin',
      emailVerified: true,
    });
  });

  it('a reset of second factors tells the owner by mail', async () => {
    await succeed('user', 'reset-factors', email);
    const mails: { to: string; subject: string }[] = JSON.parse(await succeed('outbox', '--json'));
    const subject = 'Your second steps at Fabrica were removed';
    expect(mails).toContainEqual(expect.objectContaining({ to: email, subject }));
  });
});

describe('fabrica site', () => {
  it('sets the name and texts of the site, which the running server shows at once, and lists them', async () => {
    expect(await succeed('site', 'set', 'name', 'Atlas of Hands')).toBe('name is set.');
    const imprint = await fabrica(['site', 'set', 'imprint', '-', '--language', 'de'], {
      input: '## Anschrift\n\nDr. Ada Byron\n',
    });
    expect(imprint).toMatchObject({ exitCode: 0, stdout: 'imprint (de) is set.' });
    await expect
      .poll(async () => (await fetch(`${server.url}/gallery`)).text(), SOON)
      .toContain('Atlas of Hands');
    expect(await (await fetch(`${server.url}/imprint?lang=de`)).text()).toContain('Dr. Ada Byron');
    const listed = JSON.parse(await succeed('site', 'get', '--json'));
    expect(listed.settings).toMatchObject({ id: 'site', name: 'Atlas of Hands' });
    expect(listed.texts).toMatchObject([{ id: 'de', imprint: '## Anschrift\n\nDr. Ada Byron' }]);
    expect(await succeed('site', 'get')).toMatch(/^imprint\s+de\s+## Anschrift Dr\. Ada Byron$/m);
    expect(await succeed('site', 'set', 'name', '')).toBe('name is no longer set.');
  });

  it.each([
    [['site', 'set', 'nmae', 'Atlas'], 64, 'There is no "nmae"; there is: name, languages'],
    [['site', 'set', 'name', 'Atlas', '--language', 'de'], 64, 'leave --language out'],
    [['site', 'set', 'imprint', 'Here'], 64, 'Say in which language "imprint" is'],
    [['site', 'set', 'imprint', 'Here', '--language', 'it'], 64, 'Say in which language "imprint" is'],
    [['site', 'set', 'accent_light', '#ffeeee'], 1, 'with a contrast of 4.5 at least'],
    [['site', 'set', 'languages', 'de,it'], 1, 'has a form that is not allowed'],
  ])('%j is refused with a sentence', async (args, code, sentence) => {
    const { exitCode, stdout, stderr } = await fabrica(args);
    expect({ exitCode, stdout }).toEqual({ exitCode: code, stdout: '' });
    expect(stderr).toContain(sentence);
  });
});

describe('fabrica, as a process', () => {
  it.each([
    [0, ['help'], {}],
    [1, ['user', 'disable', 'nobody@example.org'], {}],
    [64, ['teatime'], {}],
    [78, ['user', 'list'], { SIGNUP_ROLE: 'king' }],
  ])('the command line exits with code %d after %j', async (code, args, environment) => {
    const { exitCode, stdout, stderr } = await runFabrica(args, { ...server.settings, ...environment });
    expect(exitCode).toBe(code);
    expect(code === 0 ? stdout : stderr).not.toBe('');
    expect(stderr).not.toMatch(/\bat .*\.ts:/);
  });

  it('the command line ends quietly when its output is no longer read', async () => {
    const child = spawn(process.execPath, [SCRIPT, 'help'], { env: { PATH: process.env.PATH ?? '' } });
    child.stdout.destroy();
    const [stderr, [exitCode]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  });

  it('the command line ends with the signal that it receives', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'fabrica-signal-'));
    const child = spawn(process.execPath, [SCRIPT, 'user', 'create', 'a@example.org', '--password-stdin'], {
      env: { PATH: process.env.PATH ?? '', DATA_DIR: folder },
    });
    const ended = once(child, 'exit');
    // It waits for the password once the database exists.
    await expect.poll(() => readdir(folder), SOON).toContain('journal.sqlite');
    child.kill('SIGTERM');
    expect(await ended).toEqual([143, null]);
    await rm(folder, { recursive: true });
  });
});

import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { secretKeyOf, uploadFile } from '@fabrica/test-peers/author.ts';
import { type Ran, runFabrica, runFabricaHere } from '@fabrica/test-peers/run-fabrica.ts';
import { type S3Server, startS3Server } from '@fabrica/test-peers/s3-server.ts';
import { type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

const SETTINGS = { DEMO: 'off', RATE_LIMIT: 'off' };
const TWO_DAYS_MS = 2 * 24 * 60 * 60 * 1000;

let server: RunningServer;
let token: string;
let userId: string;

/** Runs the command line beside the running server. */
function fabrica(args: string[], environment: Record<string, string> = {}): Promise<Ran> {
  return runFabricaHere(args, { ...server.settings, PUBLIC_URL: server.url, ...environment });
}

async function call(method: string, path: string, body: unknown) {
  const response = await fetch(`${server.url}/api/${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
  expect(response.ok).toBe(true);
  return response.json().catch(() => null);
}

async function signUp(email: string): Promise<void> {
  token = '';
  const session = await call('POST', 'auth/signup', {
    email,
    password: 'quiet violet lantern',
    projectId: 'journal',
  });
  token = session.access_token;
  userId = session.user.id;
}

const upload = (path: string, bytes: Uint8Array) => uploadFile(server, token, { path, bytes });

/** Returns the bytes at the public URL of a path, or null for 404. */
async function download(path: string): Promise<Buffer | null> {
  const response = await fetch(`${server.url}/storage/journal/${path}`);
  if (response.status === 404) return null;
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

/** Returns the paths of the stored files on the disk. */
async function storedFiles(): Promise<string[]> {
  const folder = join(server.dataDir, 'files');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

describe('fabrica storage sweep', () => {
  beforeAll(async () => {
    server = await startServer(SETTINGS);
    await signUp('sweeper@example.org');
  });
  afterAll(() => server.close());

  /** Makes all stored files two days old. */
  async function ageFiles(): Promise<void> {
    const then = Date.now() - TWO_DAYS_MS;
    const aged = await fetch(`${server.url}/api/db/journal/sql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${await secretKeyOf(server)}` },
      body: JSON.stringify({ query: 'UPDATE files SET updated_at = ?', params: [then] }),
    });
    expect(aged.status).toBe(200);
    for (const path of await storedFiles()) await utimes(path, then / 1_000, then / 1_000);
  }

  it('a sweep lists unreferenced files and their sizes, and removes them unless it is a dry run', async () => {
    const post = { user_id: userId, title: 'A title', content: 'A text', published: 1 };
    await upload('of-post.bin', randomBytes(1_000));
    await call('POST', 'db/journal/rest/v1/journal_posts', {
      ...post,
      image_url: '/storage/journal/of-post.bin',
    });
    await upload('photo.bin', randomBytes(1_000));
    await call('PATCH', 'auth/me', { photoURL: `${server.url}/storage/journal/photo.bin` });
    await upload('unnamed.bin', randomBytes(2_500));
    // An upload that was killed before its name was stored.
    await mkdir(join(server.dataDir, 'files/journal/zz'), { recursive: true });
    await writeFile(join(server.dataDir, 'files/journal/zz/orphan'), 'orphan');
    await ageFiles();
    await upload('young.bin', randomBytes(1_000));
    const before = await storedFiles();

    const listed = await fabrica(['storage', 'sweep', '--dry-run']);
    expect(listed).toMatchObject({ exitCode: 0, stderr: '' });
    expect(listed.stdout).toMatch(
      new RegExp(`^FILE +SIZE +UPLOADED +BY\\nunnamed\\.bin +2\\.5 kB +\\S+ \\S+Z +${userId}\\n\\n`),
    );
    expect(listed.stdout).toMatch(
      /^Would remove 1 file that nothing names \(2\.5 kB\) and 1 blob of no file \(6 bytes\)\.$/m,
    );
    expect(await storedFiles()).toEqual(before);

    const swept = await fabrica(['storage', 'sweep', '--json']);
    expect(JSON.parse(swept.stdout)).toMatchObject({
      dryRun: false,
      files: [{ path: 'unnamed.bin', userId, bytes: 2_500 }],
      blobs: [{ key: 'journal/zz/orphan', bytes: 6 }],
      bytes: 2_506,
    });
    expect(await storedFiles()).toHaveLength(before.length - 2);
    expect(await download('unnamed.bin')).toBeNull();
    for (const path of ['of-post.bin', 'photo.bin', 'young.bin']) expect(await download(path)).not.toBeNull();

    const again = await fabrica(['storage', 'sweep', '--older-than', '1d']);
    expect(again).toEqual({ exitCode: 0, stdout: 'There is nothing to remove.', stderr: '' });
  });

  it('a sweep of files younger than a day is refused', async () => {
    const { exitCode, stdout, stderr } = await fabrica(['storage', 'sweep', '--older-than=23h']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 64, stdout: '' });
    expect(stderr).toContain('It must be hours or days, such as 36h or 7d, and a day at least.');
  });
});

describe('fabrica storage copy', () => {
  let s3: S3Server;
  beforeEach(async () => {
    s3 = await startS3Server();
  });
  afterEach(async () => {
    await server.close();
    await s3.close();
  });

  const copied = async (to: string, environment = s3.environment) => {
    const { exitCode, stdout, stderr } = await fabrica(
      ['storage', 'copy', '--to', to, '--json'],
      environment,
    );
    return { exitCode, stderr, ...JSON.parse(stdout) };
  };

  it('files are moved to an S3-compatible storage and back while the server serves them', async () => {
    const files = new Map([1, 2, 3].map((count) => [`files/${count}.bin`, randomBytes(count * 1_000)]));
    files.set('files/large.bin', randomBytes(18 * 1024 * 1024));
    const expectServed = async () => {
      for (const [path, bytes] of files) expect((await download(path))?.equals(bytes)).toBe(true);
    };

    server = await startServer(SETTINGS);
    await signUp('mover@example.org');
    for (const [path, bytes] of files) await upload(path, bytes);
    expect(await copied('s3')).toMatchObject({ exitCode: 0, stderr: '', copied: 4, present: 0, compared: 4 });
    await expectServed();
    files.set('files/later.bin', randomBytes(500));
    await upload('files/later.bin', files.get('files/later.bin') ?? Buffer.of());

    const { dataDir } = server;
    await server.stop();
    server = await startServer({ ...SETTINGS, ...s3.environment }, dataDir);
    expect(await copied('s3')).toMatchObject({ copied: 1, present: 4, compared: 5, damaged: [] });
    await rm(join(dataDir, 'files/journal'), { recursive: true });
    await expectServed();
    await signUp('mover-2@example.org');
    files.set('files/in-s3.bin', randomBytes(700));
    await upload('files/in-s3.bin', files.get('files/in-s3.bin') ?? Buffer.of());
    expect(await storedFiles()).toEqual([]);
    await expectServed();

    const { exitCode, stdout } = await fabrica(['storage', 'copy', '--to', 'disk'], s3.environment);
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: expect.stringMatching(
        /^6 blobs copied \(18\.9 MB\), 0 there already; 6 originals compared\.\nRestart Fabrica without S3 settings, /,
      ),
    });
    await server.stop();
    server = await startServer(SETTINGS, dataDir);
    await expectServed();
    await rm(dataDir, { recursive: true });
  });

  it('a copy of files continues an earlier one and replaces damaged files', async () => {
    server = await startServer(SETTINGS);
    await signUp('again@example.org');
    for (const count of [1, 2, 3, 4]) await upload(`${count}.bin`, randomBytes(5_000));
    await copied('s3');
    const files = await storedFiles();
    const [missing = '', cutOff = '', changed = ''] = files;
    await rm(missing);
    await truncate(cutOff, 100);
    await writeFile(changed, randomBytes(5_000));
    expect(await copied('disk')).toMatchObject({ exitCode: 0, copied: 2, present: 2, compared: 4 });
    for (const count of [1, 2, 3, 4]) expect((await download(`${count}.bin`))?.byteLength).toBe(5_000);
    expect(await copied('s3')).toMatchObject({ exitCode: 0, copied: 0, present: 4, compared: 4 });
  });

  it('a copy names the files that are damaged on both sides and exits with code 1', async () => {
    server = await startServer(SETTINGS);
    await signUp('damaged@example.org');
    await upload('good.bin', randomBytes(1_000));
    const [good = ''] = await storedFiles();
    await upload('bad.bin', randomBytes(1_000));
    const bad = (await storedFiles()).find((path) => path !== good) ?? '';
    await writeFile(bad, randomBytes(1_000));
    const { exitCode, stderr } = await fabrica(['storage', 'copy', '--to', 's3'], s3.environment);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: 'The originals of these files are missing or damaged where they were copied from:\n  bad.bin',
    });
  });

  it('a copy to a store or a database of an unknown name fails within seconds', async () => {
    server = await startServer(SETTINGS);
    await signUp('copies@example.org');
    await upload('one.bin', randomBytes(1_000));
    const started = performance.now();
    const [copied, listed] = await Promise.all([
      runFabrica(['storage', 'copy', '--to', 's3'], {
        ...server.settings,
        ...s3.environment,
        S3_ENDPOINT: 'http://store.invalid',
      }),
      runFabrica(['user', 'list'], { ...server.settings, DATABASE_URL: 'postgres://a:b@database.invalid/c' }),
    ]);
    expect([copied.exitCode, copied.stderr]).toEqual([1, 'The store of files cannot be reached.']);
    expect([listed.exitCode, listed.stderr]).toEqual([1, expect.stringContaining('database.invalid')]);
    // It took 30 seconds: five are meant, and a busy machine is let off.
    expect(performance.now() - started).toBeLessThan(15_000);
  });

  it('a copy without a target or without its settings says what is missing', async () => {
    server = await startServer(SETTINGS);
    expect(await fabrica(['storage', 'copy'])).toMatchObject({
      exitCode: 64,
      stderr: expect.stringContaining(`error: required option '--to <store>' not specified`),
    });
    expect(await fabrica(['storage', 'copy', '--to', 's3'])).toMatchObject({
      exitCode: 1,
      stderr: 'Name the S3-compatible store in the S3 settings, S3_BUCKET being the first of them.',
    });
    const keyless = { ...s3.environment, S3_SECRET_ACCESS_KEY: '' };
    expect(await fabrica(['storage', 'copy', '--to', 's3'], keyless)).toMatchObject({ exitCode: 78 });
  });
});

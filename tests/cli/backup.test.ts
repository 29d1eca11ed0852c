import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, open, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { removeDatabase, testDatabaseSettings } from '@fabrica/backend/testing/database/build-test-engine.ts';
import {
  type Author,
  buildPost,
  secretKeyOf,
  serviceRest,
  signUp,
  uploadFile,
} from '@fabrica/test-peers/author.ts';
import {
  killCommand,
  type RunningCommand,
  runFabrica,
  runFabricaHere,
  startFabrica,
} from '@fabrica/test-peers/run-fabrica.ts';
import { startS3Server } from '@fabrica/test-peers/s3-server.ts';
import {
  freePort,
  type RunningServer,
  runServerToEnd,
  startServer,
} from '@fabrica/test-peers/start-server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const SETTINGS = { DEMO: 'off', RATE_LIMIT: 'off' };
const ROWS_BEFORE = 4_000;

let folder: string;
let server: RunningServer;
let author: Author;
let postId: string;

/** The data folders of this file's tests, each with a database of its own. */
const dataDirs: string[] = [];

/** Returns settings with a new data folder and an empty database. */
async function newSettings(): Promise<Record<string, string>> {
  const dataDir = join(folder, `data-${dataDirs.length}`);
  dataDirs.push(dataDir);
  return { DATA_DIR: dataDir, ...(await testDatabaseSettings(dataDir)) };
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fabrica-backup-'));
  server = await startServer(SETTINGS);
  author = await signUp(server);
  const [post] = (await (await author.rest('POST', 'journal_posts', buildPost(author))).json()) as [
    { id: string },
  ];
  postId = post.id;
  await upload('kept.bin', randomBytes(3_000));
  for (let at = 0; at < ROWS_BEFORE; at += 1_000) {
    const rows = Array.from({ length: 1_000 }, (_, index) => comment(`before-${at + index}`));
    expect((await serviceRest(server)('POST', 'post_comments', rows)).status).toBe(201);
  }
});

afterAll(async () => {
  await server.close();
  for (const dataDir of dataDirs) await removeDatabase(dataDir);
  await rm(folder, { recursive: true, force: true });
});

function comment(id: string): Record<string, unknown> {
  const text = `A comment with "quotes", back\\slashes, ünïcödé 🫀 and\nlines: ${id}`;
  return { id, post_id: postId, user_id: author.id, user_name: 'Ada', content: text };
}

/** Runs a command within this process, expects it to succeed, and returns its output. */
async function succeed(args: string[], settings: Record<string, string>): Promise<string> {
  const { exitCode, stdout, stderr } = await runFabricaHere(args, settings);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return stdout;
}

const upload = (path: string, bytes: Uint8Array) => uploadFile(server, author.token, { path, bytes });

async function removeFile(path: string): Promise<void> {
  const response = await fetch(`${server.url}/api/storage/journal/remove`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${author.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ paths: [path] }),
  });
  expect(response.status).toBe(200);
}

/** Returns all rows that a reader or an operator can read, by table. */
async function readEverything(url: string, secretKey: string): Promise<Record<string, unknown>> {
  const all: Record<string, unknown> = {};
  for (const table of ['journal_posts', 'post_comments', 'post_likes', 'comment_likes', 'profiles']) {
    const response = await fetch(`${url}/api/db/journal/rest/v1/${table}?order=id&limit=10000`, {
      headers: { authorization: `Bearer ${secretKey}` },
    });
    expect(response.status).toBe(200);
    all[table] = await response.json();
  }
  return all;
}

/** Runs `act` again and again until `done` has settled, and returns how often. */
async function repeatUntil(done: Promise<unknown>, act: (round: number) => Promise<void>): Promise<number> {
  let isDone = false;
  done.finally(() => {
    isDone = true;
  });
  let round = 0;
  for (; !isDone; round += 1) await act(round);
  return round;
}

describe('a backup during writes', () => {
  let backup: string;
  let written: number;
  let database: DatabaseSync;

  beforeAll(async () => {
    backup = join(folder, 'while-writing');
    const running = runFabrica(['backup', '--to', backup], server.settings);
    const service = serviceRest(server);
    const pairs = repeatUntil(running, async (round) => {
      const rows = [comment(`left-${round}`), comment(`right-${round}`)];
      expect((await service('POST', 'post_comments', rows)).status).toBe(201);
    });
    const files = repeatUntil(running, async (round) => {
      await upload(`passing-${round}.bin`, randomBytes(2_000));
      if (round > 0) await removeFile(`passing-${round - 1}.bin`);
    });
    expect(await running).toMatchObject({ exitCode: 0, stderr: '' });
    written = await pairs;
    await files;
    database = new DatabaseSync(join(backup, 'journal.sqlite'), { readOnly: true });
  });
  afterAll(() => database.close());

  it('a backup during writes has all earlier rows, and both rows of a transaction or neither', () => {
    const count = (prefix: string) =>
      Number(
        database.prepare('SELECT count(*) AS n FROM post_comments WHERE id LIKE ?').get(`${prefix}-%`)?.n,
      );
    expect(count('before')).toBe(ROWS_BEFORE);
    expect(count('left')).toBe(count('right'));
    expect(count('left')).toBeLessThanOrEqual(written);
    expect(written).toBeGreaterThan(5);
    const torn = database
      .prepare(`SELECT id FROM post_comments AS l WHERE id LIKE 'left-%' AND NOT EXISTS
        (SELECT 1 FROM post_comments WHERE id = 'right-' || substr(l.id, 6))`)
      .all();
    expect(torn).toEqual([]);
  });

  it('a backup during writes has exactly the files that its database names, as they were uploaded', async () => {
    const named = database.prepare('SELECT blob, hash, path FROM files').all();
    expect(named.map(({ path }) => path)).toContain('kept.bin');
    const { gone } = (await readManifest(backup)).projects[0].files;
    const kept = named.filter(({ path }) => !gone.includes(path));
    for (const { blob, hash } of kept) {
      const bytes = await readFile(join(backup, 'files', String(blob)));
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(hash);
    }
    const stored = await readdir(join(backup, 'files'), { recursive: true, withFileTypes: true });
    expect(stored.filter((entry) => entry.isFile())).toHaveLength(kept.length);
  });

  it('a backup has a manifest of its content and can be read by its owner only', async () => {
    const [project] = (await readManifest(backup)).projects;
    const rows = Number(database.prepare('SELECT count(*) AS n FROM post_comments').get()?.n);
    expect(project.tables).toContainEqual({
      table: 'post_comments',
      rows,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(project.migrations.map(({ name }: { name: string }) => name)).toContain(
      'journal-0004-untranslated',
    );
    expect(project.files).toMatchObject({ damaged: [] });
    expect((await stat(backup)).mode & 0o777).toBe(0o700);
    for (const name of ['manifest.json', 'SHA256SUMS', 'journal.sqlite', 'keys/master.key']) {
      expect((await stat(join(backup, name))).mode & 0o777).toBe(0o600);
    }
    expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    expect(await readdir(folder)).not.toContain('while-writing.unfinished');
  });
});

describe('a backup without concurrent writes', () => {
  let backup: string;
  let expected: Record<string, unknown>;

  beforeAll(async () => {
    // Each test here restores or reads all rows: a tenth of them is enough for that.
    // One request may delete no more rows than a page of 10,000 has, and a fast machine wrote many pairs meanwhile.
    for (const rows of ['id=like.left-*', 'id=like.right-*', 'id=not.like.before-1*']) {
      const removed = await serviceRest(server)('DELETE', `post_comments?${rows}`);
      expect(removed.status, await removed.text()).toBe(200);
    }
    backup = join(folder, 'at-rest');
    await succeed(['backup', '--to', backup], server.settings);
    expected = await readEverything(server.url, await secretKeyOf(server));
  });

  it('a restored server returns the same rows and files and accepts the same sessions', async () => {
    const target = await newSettings();
    const { stdout } = await runFabrica(['restore', backup], target);
    expect(stdout).toMatch(/\nRestored: Fabrica can be started\.$/);
    const restored = await startServer(SETTINGS, target.DATA_DIR);
    try {
      expect(await readEverything(restored.url, await secretKeyOf(server))).toEqual(expected);
      const me = await fetch(`${restored.url}/api/auth/me`, {
        headers: { authorization: `Bearer ${author.token}` },
      });
      expect(me.status).toBe(200);
      const session = { refresh_token: author.session.refresh_token };
      const refreshed = await fetch(`${restored.url}/api/auth/refresh`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(session),
      });
      expect(refreshed.status).toBe(200);
      const file = await fetch(`${restored.url}/storage/journal/kept.bin`);
      expect((await file.arrayBuffer()).byteLength).toBe(3_000);
    } finally {
      await restored.stop();
    }
  });

  it('a restore replaces existing data only with --replace, which keeps the old data aside', async () => {
    const target = await newSettings();
    await succeed(['user', 'create', 'somebody@example.org'], {
      ...target,
      DATA_DIR: await createDataDir(target),
    });
    const refused = await runFabricaHere(['restore', backup], target);
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
    expect(refused.stderr).toMatch(
      /^There is a database of project "journal" in .* already: restore with --replace /,
    );
    expect(await succeed(['user', 'list'], target)).toContain('somebody@example.org');

    const replaced = await runFabricaHere(['restore', backup, '--replace', '--json'], target);
    expect(replaced).toMatchObject({ exitCode: 0, stderr: '' });
    const { aside } = JSON.parse(replaced.stdout);
    expect(aside).toEqual([
      expect.stringMatching(/journal\.replaced-\w+(\.sqlite)?$/),
      expect.stringMatching(/keys\.replaced-\w+$/),
    ]);
    expect(await succeed(['user', 'list'], target)).toContain(author.email);
    expect(await secretKeyOf({ settings: target })).toBe(await secretKeyOf(server));
  });

  it('a running server prevents a restore and the rollback of a migration', async () => {
    const refused = await runFabrica(['restore', backup, '--replace'], server.settings);
    expect(refused).toMatchObject({
      exitCode: 1,
      stderr: 'Somebody works with this data: stop Fabrica and its commands first, then restore.',
    });
    const down = await runFabrica(['migrate', 'down', '--yes'], server.settings);
    expect(down).toMatchObject({
      exitCode: 1,
      stderr: 'Fabrica is running on this data, or a command is: stop it first.',
    });
    expect(await readEverything(server.url, await secretKeyOf(server))).toEqual(expected);
  });

  it.each([
    ['a byte of the database', 'journal.sqlite', flipByte],
    ['a byte of a file', 'files', (path: string) => withFirstFile(path, flipByte)],
    ['the end of a file', 'files', (path: string) => withFirstFile(path, (file) => truncate(file, 10))],
    ['a whole file', 'files', (path: string) => withFirstFile(path, (file) => rm(file))],
    ['a key', 'keys/master.key', (path: string) => rm(path)],
    ['a line of the list', 'SHA256SUMS', flipByte],
    [
      'a count of the manifest',
      'manifest.json',
      (path: string) => replaceIn(path, `"rows": ${1}`, '"rows": 2'),
    ],
    ['half of the manifest', 'manifest.json', (path: string) => truncate(path, 300)],
  ])('a backup that has lost %s is refused, and nothing is restored', async (_, name, harm) => {
    const harmed = join(folder, 'harmed');
    await rm(harmed, { recursive: true, force: true });
    await cp(backup, harmed, { recursive: true });
    await harm(join(harmed, name));
    const target = await newSettings();
    const { exitCode, stdout, stderr } = await runFabricaHere(['restore', harmed], target);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(/^(The backup .*|The database journal\.sqlite) is damaged(\.|: .*\.)$/);
    expect(await runFabricaHere(['restore', harmed, '--check'], target)).toMatchObject({
      exitCode: 1,
      stderr,
    });
    expect(existsSync(join(target.DATA_DIR ?? '', 'keys'))).toBe(false);
    expect(existsSync(join(target.DATA_DIR ?? '', 'journal.sqlite'))).toBe(false);
  });

  it('a backup in a newer format is refused', async () => {
    const newer = join(folder, 'newer');
    await cp(backup, newer, { recursive: true });
    await replaceIn(join(newer, 'manifest.json'), '"format": 1', '"format": 2');
    const { exitCode, stderr } = await runFabricaHere(['restore', newer], await newSettings());
    expect(exitCode).toBe(1);
    expect(stderr).toBe(`A newer version of Fabrica has made the backup ${newer}: restore it with that one.`);
  });

  it('a folder without a manifest is refused as a backup', async () => {
    const nothing = join(folder, 'nothing');
    await mkdir(nothing, { recursive: true });
    const { exitCode, stderr } = await runFabricaHere(['restore', nothing], await newSettings());
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: `${nothing} is no backup: it has no manifest.json.`,
    });
  });

  it('a backup into an existing folder is refused, and the folder stays as it is', async () => {
    const { exitCode, stderr } = await runFabricaHere(['backup', '--to', backup], server.settings);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: `There is something in ${backup} already: name a new folder.`,
    });
    await succeed(['restore', backup, '--check'], server.settings);
  });

  it('a backup with --without-files has no files and can be restored', async () => {
    const without = join(folder, 'without-files');
    const stdout = await succeed(['backup', '--to', without, '--without-files'], server.settings);
    expect(stdout).toMatch(/^journal +\d+ +\d+ +\S+ \S+ +-$/m);
    expect(existsSync(join(without, 'files'))).toBe(false);
    await succeed(['restore', without], await newSettings());
  });

  it('a backup without --to goes into a folder beside the data folder', async () => {
    const stdout = await succeed(['backup', '--without-files', '--project', 'journal'], server.settings);
    const made = /^The backup is (.*)$/m.exec(stdout)?.[1] ?? '';
    expect(made).toMatch(/\/backups\/journal-\d{8}T\d{6}Z$/);
    await rm(made, { recursive: true });
  });

  it('a backup names the files that the storage has lost, and has all others', async () => {
    await upload('lost.bin', randomBytes(1_500));
    const lost = await findFile(join(server.dataDir, 'files/journal'), 1_500);
    await rm(lost);
    const incomplete = join(folder, 'incomplete');
    const { exitCode, stdout, stderr } = await runFabricaHere(
      ['backup', '--to', incomplete],
      server.settings,
    );
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: 'The originals of these files are missing or damaged where they were copied from:\n  lost.bin',
    });
    expect(stdout).toContain(`The backup is ${incomplete}`);
    await succeed(['restore', incomplete], await newSettings());
    await removeFile('lost.bin');
  });

  describe('a command that is killed half way', () => {
    it('a backup that was killed is not taken for a backup, and the next one names its folder', async () => {
      const killed = join(folder, 'killed');
      await upload('slow.bin', randomBytes(1_700));
      const file = await findFile(join(server.dataDir, 'files/journal'), 1_700);
      await replaceByPipe(file);
      const running = startFabrica(['backup', '--to', killed], server.settings);
      await killAtRead(file, running);
      await removeFile('slow.bin');
      expect(existsSync(killed)).toBe(false);
      const { stderr } = await runFabricaHere(['backup', '--to', killed], server.settings);
      expect(stderr).toBe(
        `A backup is being made at ${killed}, or was broken off: if none is under way, remove ${killed}.unfinished.`,
      );
      await rm(`${killed}.unfinished`, { recursive: true });
      await succeed(['backup', '--to', killed], server.settings);
    });

    it('a restore that was killed leaves the old data, and can be started again', async () => {
      const target = await newSettings();
      await createDataDir(target);
      await succeed(['user', 'create', 'before@example.org'], target);
      const blocked = join(folder, 'blocked');
      await cp(backup, blocked, { recursive: true });
      await withFirstFile(join(blocked, 'files'), async (file) => {
        const bytes = await replaceByPipe(file);
        const running = startFabrica(['restore', blocked, '--replace'], target);
        // The check of the backup reads the file, and the restore is killed when it reads the file again.
        await writeFile(file, bytes);
        await killAtRead(file, running);
      });
      expect(await succeed(['user', 'list'], target)).toContain('before@example.org');
      await succeed(['restore', backup, '--replace'], target);
      expect(await succeed(['user', 'list'], target)).toContain(author.email);
    });

    it('after a restore was killed while it moved files, the server and the commands say how to finish it', async () => {
      const target = await newSettings();
      const dataDir = await createDataDir(target);
      await succeed(['user', 'create', 'before@example.org'], target);
      // The state in which the last key has not been moved yet.
      await succeed(['restore', backup, '--replace'], target);
      const [suffix = ''] = (await readdir(dataDir)).flatMap((name) => /replaced-\w+/.exec(name) ?? []);
      await writeFile(join(dataDir, 'restore.unfinished'), JSON.stringify({ backup, suffix, replace: true }));
      await writeFile(join(dataDir, 'keys', 'master.key'), randomBytes(32).toString('base64url'));

      const message = `A restore into ${dataDir} was broken off: run "fabrica restore ${backup}" once more, which finishes it.`;
      const server = { ...target, ...SETTINGS, LOG_LEVEL: 'warn', PORT: String(await freePort()) };
      expect(await runServerToEnd(server)).toEqual({
        exitCode: 1,
        stderr: `Fabrica cannot start. ${message}`,
      });
      expect(await runFabrica(['user', 'list'], target)).toMatchObject({ exitCode: 1, stderr: message });
      await succeed(['restore', backup], target);
      const key = await readFile(join(dataDir, 'keys', 'master.key'));
      expect(key).toEqual(await readFile(join(backup, 'keys', 'master.key')));
      expect(await succeed(['user', 'list'], target)).toContain(author.email);
    });
  });

  it('a backup can be restored into an S3-compatible storage, and can be made from one', async () => {
    const s3 = await startS3Server();
    try {
      const there = { ...(await newSettings()), ...s3.environment };
      await succeed(['restore', backup], there);
      const again = join(folder, 'of-s3');
      await succeed(['backup', '--to', again], there);
      const back = await newSettings();
      await succeed(['restore', again], back);
      const files = async (dataDir: string) =>
        (await readdir(join(dataDir, 'files'), { recursive: true }))
          .filter((name) => !name.startsWith('.'))
          .sort();
      expect(await files(back.DATA_DIR ?? '')).toEqual(await files(backup));
    } finally {
      await s3.close();
    }
  });
});

/** Creates the data folder of these settings and returns its path. */
async function createDataDir({ DATA_DIR: dataDir = '' }: Record<string, string>): Promise<string> {
  await mkdir(dataDir, { recursive: true });
  return dataDir;
}

async function readManifest(backup: string) {
  return JSON.parse(await readFile(join(backup, 'manifest.json'), 'utf8'));
}

async function flipByte(path: string): Promise<void> {
  const bytes = await readFile(path);
  const at = Math.floor(bytes.byteLength / 2);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  await writeFile(path, bytes);
}

async function replaceIn(path: string, before: string, after: string): Promise<void> {
  const text = await readFile(path, 'utf8');
  expect(text).toContain(before);
  await writeFile(path, text.replace(before, after));
}

async function withFirstFile(path: string, act: (file: string) => Promise<void>): Promise<void> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const file = entries.find((entry) => entry.isFile());
  if (!file) throw new Error(`There is no file in ${path}.`);
  await act(join(file.parentPath, file.name));
}

/** Replaces a file by a named pipe, whose readers wait for a writer, and returns the bytes of the file. */
async function replaceByPipe(path: string): Promise<Buffer> {
  const bytes = await readFile(path);
  await rm(path);
  execFileSync('mkfifo', [path]);
  return bytes;
}

/** Kills a command once it has opened a named pipe. */
async function killAtRead(pipe: string, command: RunningCommand): Promise<void> {
  const writer = await open(pipe, 'w');
  await killCommand(command);
  await writer.close();
}

async function findFile(path: string, size: number): Promise<string> {
  for (const entry of await readdir(path, { recursive: true, withFileTypes: true })) {
    const found = join(entry.parentPath, entry.name);
    if (entry.isFile() && (await stat(found)).size === size) return found;
  }
  throw new Error(`There is no file of ${size} bytes in ${path}.`);
}

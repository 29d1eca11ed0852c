import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { databaseSettings, removeDatabase } from '@fabrica/backend/testing/database/build-test-engine.ts';
import { type Author, buildPost, serviceRest, signUp, uploadFile } from '@fabrica/test-peers/author.ts';
import { killCommand, runFabrica, runFabricaHere, startFabrica } from '@fabrica/test-peers/run-fabrica.ts';
import { startS3Server } from '@fabrica/test-peers/s3-server.ts';
import { freePort, type RunningServer, runServer, startServer } from '@fabrica/test-peers/start-server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const SETTINGS = { DEMO: 'off', RATE_LIMIT: 'off' };
/** What a command may take until it is where it is waited for. */
const SOON = { timeout: 20_000, interval: 1 };
const ROWS_BEFORE = 10_000;

let folder: string;
let server: RunningServer;
let author: Author;
let postId: string;

/** Data folders of this file's tests, each with a database of its own. */
const houses: string[] = [];

/** Settings of a data folder where there is nothing yet. */
async function newHouse(): Promise<Record<string, string>> {
  const dataDir = join(folder, `house-${houses.length}`);
  houses.push(dataDir);
  return { DATA_DIR: dataDir, ...(await databaseSettings(dataDir)) };
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fabrica-backup-'));
  server = await startServer(SETTINGS);
  author = await signUp(server);
  const [post] = (await (await author.rest('POST', 'journal_posts', buildPost(author))).json()) as [
    { id: string },
  ];
  postId = post.id;
  for (let at = 0; at < ROWS_BEFORE; at += 1_000) {
    const rows = Array.from({ length: 1_000 }, (_, index) => comment(`before-${at + index}`));
    expect((await serviceRest(server)('POST', 'post_comments', rows)).status).toBe(201);
  }
});

afterAll(async () => {
  await server.close();
  for (const dataDir of houses) await removeDatabase(dataDir);
  await rm(folder, { recursive: true, force: true });
});

function comment(id: string): Record<string, unknown> {
  const text = `A comment with "quotes", back\\slashes, ünïcödé 🫀 and\nlines: ${id}`;
  return { id, post_id: postId, user_id: author.id, user_name: 'Ada', content: text };
}

/** Runs a command within this process; answers what it stdout. */
async function succeed(typed: string[], settings: Record<string, string>): Promise<string> {
  const { exitCode, stdout, stderr } = await runFabricaHere(typed, settings);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return stdout;
}

const upload = (path: string, bytes: Uint8Array) => uploadFile(server, author.token, { path, bytes });

async function removeFile(path: string): Promise<void> {
  const answer = await fetch(`${server.url}/api/storage/journal/remove`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${author.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ paths: [path] }),
  });
  expect(answer.status).toBe(200);
}

/** Everything that a reader and an operator see, table by table. */
async function seen(url: string, secretKey: string): Promise<Record<string, unknown>> {
  const all: Record<string, unknown> = {};
  for (const table of ['journal_posts', 'post_comments', 'post_likes', 'comment_likes', 'profiles']) {
    const answer = await fetch(`${url}/api/db/journal/rest/v1/${table}?order=id&limit=10000`, {
      headers: { authorization: `Bearer ${secretKey}` },
    });
    expect(answer.status).toBe(200);
    all[table] = await answer.json();
  }
  return all;
}

const secretOf = async (dataDir: string) =>
  (await readFile(join(dataDir, 'keys', 'project-journal.secret'), 'utf8')).trim();

/** Runs `act` over and over until `done` is over; answers how often. */
async function meanwhile(done: Promise<unknown>, act: (turn: number) => Promise<void>): Promise<number> {
  let over = false;
  done.finally(() => {
    over = true;
  });
  let turn = 0;
  for (; !over; turn += 1) await act(turn);
  return turn;
}

describe('a backup that is made while others write', () => {
  let backup: string;
  let written: number;
  let database: DatabaseSync;

  beforeAll(async () => {
    backup = join(folder, 'while-writing');
    await upload('kept.bin', randomBytes(3_000));
    const running = runFabrica(['backup', '--to', backup], server.settings);
    const service = serviceRest(server);
    const pairs = meanwhile(running, async (turn) => {
      const rows = [comment(`left-${turn}`), comment(`right-${turn}`)];
      expect((await service('POST', 'post_comments', rows)).status).toBe(201);
    });
    const files = meanwhile(running, async (turn) => {
      await upload(`passing-${turn}.bin`, randomBytes(2_000));
      if (turn > 0) await removeFile(`passing-${turn - 1}.bin`);
    });
    expect(await running).toMatchObject({ exitCode: 0, stderr: '' });
    written = await pairs;
    await files;
    database = new DatabaseSync(join(backup, 'journal.sqlite'), { readOnly: true });
  });
  afterAll(() => database.close());

  it('has both rows of a transaction, or neither, and all that was there before', () => {
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

  it('has exactly the files that its database names, as they were uploaded', async () => {
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

  it('says what is in it, and can be read by its owner only', async () => {
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
    for (const name of ['manifest.json', 'SHA256SUMS', 'journal.sqlite', 'keys/refresh.key']) {
      expect((await stat(join(backup, name))).mode & 0o777).toBe(0o600);
    }
    expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    expect(await readdir(folder)).not.toContain('while-writing.unfinished');
  });
});

describe('a backup of a house at rest', () => {
  let backup: string;
  let expected: Record<string, unknown>;

  beforeAll(async () => {
    backup = join(folder, 'at-rest');
    await succeed(['backup', '--to', backup], server.settings);
    expected = await seen(server.url, await secretOf(server.dataDir));
  });

  it('gives a server that answers the same, to the same people', async () => {
    const house = await newHouse();
    const { stdout } = await runFabrica(['restore', backup], house);
    expect(stdout).toMatch(/\nRestored: Fabrica can be started\.$/);
    const restored = await startServer(SETTINGS, house.DATA_DIR);
    try {
      expect(await seen(restored.url, await secretOf(server.dataDir))).toEqual(expected);
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

  it('is not put in the place of something else, unless that is kept aside', async () => {
    const house = await newHouse();
    await succeed(['user', 'create', 'somebody@example.org'], { ...house, DATA_DIR: await made(house) });
    const refused = await runFabricaHere(['restore', backup], house);
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
    expect(refused.stderr).toMatch(
      /^There is a database of project "journal" in .* already: restore with --replace /,
    );
    expect(await succeed(['user', 'list'], house)).toContain('somebody@example.org');

    const replaced = await runFabricaHere(['restore', backup, '--replace', '--json'], house);
    expect(replaced).toMatchObject({ exitCode: 0, stderr: '' });
    const { aside } = JSON.parse(replaced.stdout);
    expect(aside).toEqual([
      expect.stringMatching(/journal\.replaced-\w+(\.sqlite)?$/),
      expect.stringMatching(/keys\.replaced-\w+$/),
    ]);
    expect(await succeed(['user', 'list'], house)).toContain(author.email);
    expect(await secretOf(house.DATA_DIR ?? '')).toBe(await secretOf(server.dataDir));
  });

  it('is not restored beside a running server, nor are tables taken from under it', async () => {
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
    expect(await seen(server.url, await secretOf(server.dataDir))).toEqual(expected);
  });

  it.each([
    ['a byte of the database', 'journal.sqlite', flipByte],
    ['a byte of a file', 'files', (path: string) => withFirstFile(path, flipByte)],
    ['the end of a file', 'files', (path: string) => withFirstFile(path, (file) => truncate(file, 10))],
    ['a whole file', 'files', (path: string) => withFirstFile(path, (file) => rm(file))],
    ['a key', 'keys/refresh.key', (path: string) => rm(path)],
    ['a line of the list', 'SHA256SUMS', flipByte],
    [
      'a count of the manifest',
      'manifest.json',
      (path: string) => replaceIn(path, `"rows": ${1}`, '"rows": 2'),
    ],
    ['half of the manifest', 'manifest.json', (path: string) => truncate(path, 300)],
  ])('is refused when %s was lost, and nothing is made of it', async (_, name, harm) => {
    const harmed = join(folder, 'harmed');
    await rm(harmed, { recursive: true, force: true });
    await cp(backup, harmed, { recursive: true });
    await harm(join(harmed, name));
    const house = await newHouse();
    const { exitCode, stdout, stderr } = await runFabricaHere(['restore', harmed], house);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(/^(The backup .*|The database journal\.sqlite) is damaged(\.|: .*\.)$/);
    expect(await runFabricaHere(['restore', harmed, '--check'], house)).toMatchObject({
      exitCode: 1,
      stderr,
    });
    expect(existsSync(join(house.DATA_DIR ?? '', 'keys'))).toBe(false);
    expect(existsSync(join(house.DATA_DIR ?? '', 'journal.sqlite'))).toBe(false);
  });

  it('is refused by a program that is older than the backup', async () => {
    const newer = join(folder, 'newer');
    await cp(backup, newer, { recursive: true });
    await replaceIn(join(newer, 'manifest.json'), '"format": 1', '"format": 2');
    const { exitCode, stderr } = await runFabricaHere(['restore', newer], await newHouse());
    expect(exitCode).toBe(1);
    expect(stderr).toBe(`A newer version of Fabrica has made the backup ${newer}: restore it with that one.`);
  });

  it('is refused when it is none', async () => {
    const nothing = join(folder, 'nothing');
    await mkdir(nothing, { recursive: true });
    const { exitCode, stderr } = await runFabricaHere(['restore', nothing], await newHouse());
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: `${nothing} is no backup: it has no manifest.json.`,
    });
  });

  it('is not made where there is something already', async () => {
    const { exitCode, stderr } = await runFabricaHere(['backup', '--to', backup], server.settings);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: `There is something in ${backup} already: name a new folder.`,
    });
    await succeed(['restore', backup, '--check'], server.settings);
  });

  it('leaves the files where they are when it is told to', async () => {
    const without = join(folder, 'without-files');
    const stdout = await succeed(['backup', '--to', without, '--without-files'], server.settings);
    expect(stdout).toMatch(/^journal +\d+ +\d+ +\S+ \S+ +-$/m);
    expect(existsSync(join(without, 'files'))).toBe(false);
    await succeed(['restore', without], await newHouse());
  });

  it('goes beside the data folder when nobody says where to', async () => {
    const stdout = await succeed(['backup', '--without-files', '--project', 'journal'], server.settings);
    const made = /^The backup is (.*)$/m.exec(stdout)?.[1] ?? '';
    expect(made).toMatch(/\/backups\/journal-\d{8}T\d{6}Z$/);
    await rm(made, { recursive: true });
  });

  it('names files that the store has lost, and has all the others', async () => {
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
    await succeed(['restore', incomplete], await newHouse());
    await removeFile('lost.bin');
  });

  describe('that is killed half way', () => {
    it('was no backup yet, and its folder says so', async () => {
      const killed = join(folder, 'killed');
      const running = startFabrica(['backup', '--to', killed], server.settings);
      await expect.poll(() => existsSync(`${killed}.unfinished`), SOON).toBe(true);
      await killCommand(running);
      expect(existsSync(killed)).toBe(false);
      const { stderr } = await runFabricaHere(['backup', '--to', killed], server.settings);
      expect(stderr).toBe(
        `A backup is being made at ${killed}, or was broken off: if none is under way, remove ${killed}.unfinished.`,
      );
      await rm(`${killed}.unfinished`, { recursive: true });
      await succeed(['backup', '--to', killed], server.settings);
    });

    it('left what was there before, and a restore that is started anew goes to its end', async () => {
      const house = await newHouse();
      const dataDir = await made(house);
      await succeed(['user', 'create', 'before@example.org'], house);
      const running = startFabrica(['restore', backup, '--replace'], house);
      await expect.poll(() => existsSync(join(dataDir, 'files/journal')), SOON).toBe(true);
      await killCommand(running);
      expect(await succeed(['user', 'list'], house)).toContain('before@example.org');
      await succeed(['restore', backup, '--replace'], house);
      expect(await succeed(['user', 'list'], house)).toContain(author.email);
    });

    it('while it put things in their places, says what to do to whoever starts before that is done', async () => {
      const house = await newHouse();
      const dataDir = await made(house);
      await succeed(['user', 'create', 'before@example.org'], house);
      // As it is when the last key was not put in its place yet.
      await succeed(['restore', backup, '--replace'], house);
      const [suffix = ''] = (await readdir(dataDir)).flatMap((name) => /replaced-\w+/.exec(name) ?? []);
      await writeFile(join(dataDir, 'restore.unfinished'), JSON.stringify({ backup, suffix, replace: true }));
      await writeFile(join(dataDir, 'keys', 'refresh.key'), randomBytes(32).toString('base64url'));

      const told = `A restore into ${dataDir} was broken off: run "fabrica restore ${backup}" once more, which finishes it.`;
      expect(await runToEnd(house)).toEqual({ code: 1, stderr: `Fabrica cannot start. ${told}` });
      expect(await runFabrica(['user', 'list'], house)).toMatchObject({ exitCode: 1, stderr: told });
      await succeed(['restore', backup], house);
      const key = await readFile(join(dataDir, 'keys', 'refresh.key'));
      expect(key).toEqual(await readFile(join(backup, 'keys', 'refresh.key')));
      expect(await succeed(['user', 'list'], house)).toContain(author.email);
    });
  });

  it('comes from an S3-compatible store and goes to one, where the settings name it', async () => {
    const s3 = await startS3Server();
    try {
      const there = { ...(await newHouse()), ...s3.environment };
      await succeed(['restore', backup], there);
      const again = join(folder, 'of-s3');
      await succeed(['backup', '--to', again], there);
      const back = await newHouse();
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

/** The server to its end: what it stderr and how it ended. */
async function runToEnd(settings: Record<string, string>): Promise<{ code: number | null; stderr: string }> {
  const child = runServer({ ...settings, ...SETTINGS, LOG_LEVEL: 'warn', PORT: String(await freePort()) });
  let stderr = '';
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  return { code, stderr: stderr.trim() };
}

/** The data folder, which is there then. */
async function made({ DATA_DIR: dataDir = '' }: Record<string, string>): Promise<string> {
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

async function findFile(path: string, size: number): Promise<string> {
  for (const entry of await readdir(path, { recursive: true, withFileTypes: true })) {
    const found = join(entry.parentPath, entry.name);
    if (entry.isFile() && (await stat(found)).size === size) return found;
  }
  throw new Error(`There is no file of ${size} bytes in ${path}.`);
}

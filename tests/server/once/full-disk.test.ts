import { spawnSync } from 'node:child_process';
import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const MEBIBYTE = 1024 * 1024;
const ROOM_MEBIBYTES = 24;

/** Runs the command behind it with a small disk of its own for DATA_DIR. */
const SMALL_DISK = [
  ...['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c'],
  `mount -t tmpfs -o size=${ROOM_MEBIBYTES}m tmpfs "$DATA_DIR" && exec "$0" "$@"`,
];
/** Limits the size of a file (in units of 512 bytes), for machines that do not let a user mount a disk. */
const SMALL_FILES = ['sh', '-c', `ulimit -f ${ROOM_MEBIBYTES * 2048} && exec "$0" "$@"`];

let server: RunningServer;
/** The path of the server's DATA_DIR outside its mount namespace. */
let folder: string;
let token: string;
let userId: string;

beforeAll(async () => {
  const [command = '', ...rest] = [...SMALL_DISK, 'true'];
  const canMount = spawnSync(command, rest, { env: { ...process.env, DATA_DIR: '/tmp' } }).status === 0;
  server = await startServer({ DEMO: 'off', RATE_LIMIT: 'off', LOG_LEVEL: 'silent' }, undefined, {
    wrapper: canMount ? SMALL_DISK : SMALL_FILES,
  });
  folder = canMount ? `/proc/${server.process.pid}/root${server.dataDir}` : server.dataDir;
  const { access_token, user } = await call('POST', 'auth/signup', {
    email: 'ada@example.org',
    password: 'quiet violet lantern',
    projectId: 'journal',
  });
  token = access_token;
  userId = user.id;
});
afterAll(() => server.close());

async function call(method: string, path: string, body?: unknown) {
  const response = await fetch(`${server.url}/api/${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      prefer: 'return=representation',
      ...(token && { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect(response.ok).toBe(true);
  return response.json();
}

async function upload(path: string, mebibytes: number) {
  const form = new FormData();
  form.set('path', path);
  form.set('file', new File([new Uint8Array(mebibytes * MEBIBYTE)], 'file'));
  const response = await fetch(`${server.url}/api/storage/journal/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  return { status: response.status, body: await response.json() };
}

async function storedFiles(): Promise<string[]> {
  const entries = await readdir(join(folder, 'files'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

/** Returns the result of SQLite's integrity check on a copy, since SQLite cannot open files on another process's disk. */
async function integrity(): Promise<unknown> {
  const copy = await mkdtemp(join(tmpdir(), 'fabrica-integrity-'));
  for (const name of ['journal.sqlite', 'journal.sqlite-wal'])
    await copyFile(join(folder, name), join(copy, name));
  const database = new DatabaseSync(join(copy, 'journal.sqlite'));
  try {
    return database.prepare('PRAGMA integrity_check').get()?.integrity_check;
  } finally {
    database.close();
    await rm(copy, { recursive: true });
  }
}

describe('a disk without room for an upload', () => {
  it('an upload without room on the disk is refused with STORAGE_FULL, and smaller ones are still stored', async () => {
    const stored = { status: 200, body: { size: 2 * MEBIBYTE } };
    expect(await upload('first.bin', 2)).toMatchObject(stored);
    const before = await storedFiles();
    for (const path of ['large.bin', 'large-again.bin']) {
      expect(await upload(path, 40)).toEqual({
        status: 507,
        body: {
          code: 'STORAGE_FULL',
          error: 'There is no room for this file on the server at the moment.',
        },
      });
      expect(await storedFiles()).toEqual(before);
    }

    expect((await fetch(`${server.url}/storage/journal/first.bin`)).status).toBe(200);
    expect((await fetch(`${server.url}/storage/journal/large.bin`)).status).toBe(404);
    expect(await upload('second.bin', 2)).toMatchObject(stored);
    const post = {
      user_id: userId,
      title: 'A title',
      content: 'A text',
      image_url: '/artwork.webp',
      published: 1,
    };
    await call('POST', 'db/journal/rest/v1/journal_posts', post);
    expect(await call('GET', 'db/journal/rest/v1/journal_posts?select=title')).toEqual([
      { title: 'A title' },
    ]);
    if (!server.settings.DATABASE_URL) expect(await integrity()).toBe('ok');
  });

  it('a server whose disk was full ends with code 0', async () => {
    expect(await server.stop()).toBe(0);
  });
});

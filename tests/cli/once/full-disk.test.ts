import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { runFabricaHere } from '@fabrica/test-peers/run-fabrica.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';

const SCRIPT = fileURLToPath(new URL('../../../scripts/fabrica.mjs', import.meta.url));
const MEBIBYTE = 1024 * 1024;
const ROOM_MEBIBYTES = 24;

/** Runs what stands behind it with a small disk of its own at SMALL, and then says what is left there. */
const SMALL_DISK = [
  ...['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c'],
  `mount -t tmpfs -o size=${ROOM_MEBIBYTES}m tmpfs "$SMALL" && "$0" "$@"; code=$?; find "$SMALL" -mindepth 1; exit $code`,
];
/** Where nobody may mount anything: the system refuses to write more than this into one file (in 512 bytes). */
const SMALL_FILES = [
  ...['sh', '-c'],
  `ulimit -f ${ROOM_MEBIBYTES * 2048}; "$0" "$@"; code=$?; find "$SMALL" -mindepth 1; exit $code`,
];

let folder: string;
let within: readonly string[];
/** What of the house is in the way of a disk that is too small for it. */
let settings: Record<string, string>;
let small: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fabrica-full-'));
  small = join(folder, 'small');
  await mkdir(small);
  settings = { DATA_DIR: join(folder, 'house') };
  await mkdir(settings.DATA_DIR ?? '');
  const [command = '', ...rest] = [...SMALL_DISK, 'true'];
  const canMount = spawnSync(command, rest, { env: { ...process.env, SMALL: small } }).status === 0;
  within = canMount ? SMALL_DISK : SMALL_FILES;
  expect(await runFabricaHere(['migrate', 'up'], settings)).toMatchObject({ exitCode: 0 });
  const database = new DatabaseSync(join(settings.DATA_DIR ?? '', 'journal.sqlite'));
  const insert = database.prepare(
    `INSERT INTO journal_posts (id, user_id, title, image_url, content, created_at, updated_at, published)
     VALUES (?, 'ada', 'A title', '/x.png', ?, 1, 1, 1)`,
  );
  for (let at = 0; at < 1.5 * ROOM_MEBIBYTES; at += 1) insert.run(`post_${at}`, 'x'.repeat(MEBIBYTE));
  database.close();
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Answers as well what is left on the small disk. */
async function fabrica(typed: readonly string[], environment: Record<string, string>) {
  const [command = '', ...rest] = [...within, process.execPath, SCRIPT, ...typed];
  const child = spawn(command, rest, {
    env: { PATH: process.env.PATH ?? '', SMALL: small, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { exitCode, left: stdout.split('\n').filter(Boolean), stderr: stderr.trimEnd() };
}

it('a backup that there is no room for is told as such, and nothing of it stays', async () => {
  expect(await fabrica(['backup', '--to', join(small, 'backup')], settings)).toEqual({
    exitCode: 1,
    stderr: `There is not enough room for the backup in ${small}: nothing was kept of it.`,
    left: [],
  });
});

it('a restore that there is no room for leaves everything as it was', async () => {
  const backup = join(folder, 'backup');
  expect(await runFabricaHere(['backup', '--to', backup], settings)).toMatchObject({ exitCode: 0 });
  const house = join(small, 'house');
  const { exitCode, stderr, left } = await fabrica(['restore', backup], { DATA_DIR: house });
  expect({ exitCode, stderr }).toEqual({
    exitCode: 1,
    stderr: 'There is not enough room for what is in the backup: everything is as it was.',
  });
  expect(left.filter((path) => /sqlite|keys|restore|arriving/.test(path))).toEqual([]);
});

it('a copy that there is no room for leaves nothing behind', async () => {
  const house = join(small, 'house');
  const { exitCode, stderr, left } = await fabrica(['copy', '--to', `sqlite:${house}`], settings);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 1,
    stderr: `There is not enough room for the copy in the folder ${house}: nothing was kept of it.`,
  });
  expect(left.filter((path) => /sqlite|arriving/.test(path))).toEqual([]);
});

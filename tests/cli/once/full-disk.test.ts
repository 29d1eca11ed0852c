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

/** Runs the command behind it with a small disk of its own at SMALL, and then prints the files that are left there. */
const SMALL_DISK = [
  ...['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c'],
  `mount -t tmpfs -o size=${ROOM_MEBIBYTES}m tmpfs "$SMALL" && "$0" "$@"; code=$?; find "$SMALL" -mindepth 1; exit $code`,
];
/** Limits the size of a file (in units of 512 bytes), for machines that do not let a user mount a disk. */
const SMALL_FILES = [
  ...['sh', '-c'],
  `ulimit -f ${ROOM_MEBIBYTES * 2048}; "$0" "$@"; code=$?; find "$SMALL" -mindepth 1; exit $code`,
];

let folder: string;
let wrapper: readonly string[];
/** The settings of a server whose data is too large for the small disk. */
let settings: Record<string, string>;
let small: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fabrica-full-'));
  small = join(folder, 'small');
  await mkdir(small);
  settings = { DATA_DIR: join(folder, 'data') };
  await mkdir(settings.DATA_DIR ?? '');
  const [command = '', ...rest] = [...SMALL_DISK, 'true'];
  const canMount = spawnSync(command, rest, { env: { ...process.env, SMALL: small } }).status === 0;
  wrapper = canMount ? SMALL_DISK : SMALL_FILES;
  expect(await runFabricaHere(['migrate', 'up'], settings)).toMatchObject({ exitCode: 0 });
  const database = new DatabaseSync(join(settings.DATA_DIR ?? '', 'journal.sqlite'));
  // The triggers of posts call them.
  for (const name of ['fold_text', 'markdown_words']) database.function(name, (text) => String(text));
  const insert = database.prepare(
    `INSERT INTO journal_posts (id, user_id, title, image_url, content, created_at, updated_at, published)
     VALUES (?, 'ada', 'A title', '/x.png', ?, 1, 1, 1)`,
  );
  for (let at = 0; at < 1.5 * ROOM_MEBIBYTES; at += 1) insert.run(`post_${at}`, 'x'.repeat(MEBIBYTE));
  database.close();
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs a command. Returns its outcome and the files that are left on the small disk. */
async function fabrica(args: readonly string[], environment: Record<string, string>) {
  const [command = '', ...rest] = [...wrapper, process.execPath, SCRIPT, ...args];
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

it('a backup without room on the disk says so and leaves no files', async () => {
  expect(await fabrica(['backup', '--to', join(small, 'backup')], settings)).toEqual({
    exitCode: 1,
    stderr: `There is not enough room for the backup in ${small}: nothing was kept of it.`,
    left: [],
  });
});

it('a restore without room on the disk leaves everything as it was', async () => {
  const backup = join(folder, 'backup');
  expect(await runFabricaHere(['backup', '--to', backup], settings)).toMatchObject({ exitCode: 0 });
  const target = join(small, 'data');
  const { exitCode, stderr, left } = await fabrica(['restore', backup], { DATA_DIR: target });
  expect({ exitCode, stderr }).toEqual({
    exitCode: 1,
    stderr: 'There is not enough room for what is in the backup: everything is as it was.',
  });
  expect(left.filter((path) => /sqlite|keys|restore|arriving/.test(path))).toEqual([]);
});

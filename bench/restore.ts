/**
 * `node scripts/run.mjs bench/restore.ts --gigabytes 10` fills an installation with that much, a fifth of it rows, backs it up and restores the
 * backup, and prints how long each took. `--database postgres://…` restores into that empty database as well. It needs four
 * times as much room in `--folder`. Before each restore the system's cache of files is emptied, where this account may do so.
 */
import { createHash, randomBytes, randomInt, randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { buildPost, signUp, uploadFile } from '@fabrica/test-peers/author.ts';
import { runFabrica } from '@fabrica/test-peers/run-fabrica.ts';
import { startServer } from '@fabrica/test-peers/start-server.ts';
import { addFunctions } from '../packages/backend/src/database/engines/sqlite/connect.ts';

const { values: options } = parseArgs({
  options: {
    gigabytes: { type: 'string', default: '10' },
    folder: { type: 'string', default: tmpdir() },
    database: { type: 'string' },
  },
});
const bytes = Number(options.gigabytes) * 1e9;
const ROWS_SHARE = 0.2;
/** A photo of a good camera. */
const FILE_BYTES = 4_000_000;
const TEXT_BYTES = 20_000;
const COMMENTS_PER_POST = 20;

/** Nobody waits for these statements. */
const UNLIMITED = {
  begin: () => undefined,
  withinRows: () => 1,
  withinTime: () => 1,
  withinText: () => undefined,
  elapsed: () => 0,
};
const WORDS = Array.from({ length: 4_000 }, () => randomBytes(2 + randomInt(4)).toString('hex'));

const print = (line: string) => process.stdout.write(`${line}\n`);
const folder = await mkdtemp(join(options.folder, 'fabrica-restore-'));
try {
  const dataDir = join(folder, 'data');
  await fillWithOne(dataDir);
  const counts = multiply(dataDir);
  print(`${counts.files} files and ${counts.rows} rows are there.`);
  const backup = join(folder, 'backup');
  await timed('backup', ['backup', '--to', backup], { DATA_DIR: dataDir });
  rmSync(dataDir, { recursive: true });
  await timed('restore into SQLite', ['restore', backup], { DATA_DIR: join(folder, 'sqlite') });
  rmSync(join(folder, 'sqlite'), { recursive: true });
  if (options.database !== undefined) {
    const settings = { DATA_DIR: join(folder, 'postgres'), DATABASE_URL: options.database };
    await timed('restore into PostgreSQL', ['restore', backup], settings);
  }
} finally {
  await rm(folder, { recursive: true });
}

/** Has a server make one of each: an account, a post, a comment and a file. */
async function fillWithOne(dataDir: string): Promise<void> {
  mkdirSync(dataDir, { recursive: true });
  const server = await startServer({ DEMO: 'off', RATE_LIMIT: 'off' }, dataDir);
  try {
    const author = await signUp(server);
    await uploadFile(server, author.token, { path: 'one.bin', bytes: randomBytes(100) });
    const post = buildPost(author, { id: 'post_one' });
    const comment = { id: 'one', post_id: 'post_one', user_id: author.id, user_name: 'Ada', content: 'One' };
    for (const [table, row] of [
      ['journal_posts', post],
      ['post_comments', comment],
    ] as const) {
      const { status } = await author.rest('POST', table, row);
      if (status !== 201) throw new Error(`The row of ${table} was not written: ${status}`);
    }
  } finally {
    await server.stop();
  }
}

/** Repeats them until there is as much as is wanted; no text and no file is like another. */
function multiply(dataDir: string): { files: number; rows: number } {
  const database = new DatabaseSync(join(dataDir, 'journal.sqlite'));
  addFunctions(database, UNLIMITED);
  database.exec('PRAGMA synchronous = OFF; BEGIN');
  const copyRow = copier(database);
  let [files, rows, written] = [0, 0, 0];
  for (; written < bytes * (1 - ROWS_SHARE); written += FILE_BYTES, files += 1) {
    const blob = `journal/${randomUUID().replace(/^(..)/, '$1/$1')}`;
    const content = randomBytes(FILE_BYTES);
    const path = join(dataDir, 'files', blob);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    const hash = createHash('sha256').update(content).digest('hex');
    copyRow('files', { path: `many/${files}.bin`, blob, hash, size: FILE_BYTES });
  }
  for (written = 0; written < bytes * ROWS_SHARE; rows += 1 + COMMENTS_PER_POST) {
    const text = writeText();
    const id = `post_${rows}`;
    copyRow('journal_posts', { id, content: JSON.stringify({ en: text }) });
    for (let at = 0; at < COMMENTS_PER_POST; at += 1) {
      copyRow('post_comments', {
        id: `comment_${rows}_${at}`,
        post_id: id,
        content: text.slice(at, at + 300),
      });
    }
    written += TEXT_BYTES + COMMENTS_PER_POST * 500;
  }
  database.exec('COMMIT');
  database.close();
  return { files, rows };
}

function writeText(): string {
  let text = '';
  while (text.length < TEXT_BYTES) text += `${WORDS[randomInt(WORDS.length)]} `;
  return text;
}

/** Returns a function that inserts the first row of a table once more, with some values changed. */
function copier(database: DatabaseSync) {
  const statements = new Map<string, StatementSync>();
  const prepare = (table: string, names: readonly string[]) => {
    const described = database.prepare('SELECT name FROM pragma_table_info(?)').all(table);
    const columns = described.map(({ name }) => String(name));
    const selected = columns.map((name) => (names.includes(name) ? `:${name}` : name));
    const statement = database.prepare(
      `INSERT INTO ${table} (${columns}) SELECT ${selected} FROM ${table} WHERE rowid = (SELECT min(rowid) FROM ${table})`,
    );
    statements.set(table, statement);
    return statement;
  };
  return (table: string, values: Record<string, string | number>) =>
    void (statements.get(table) ?? prepare(table, Object.keys(values))).run(values);
}

async function timed(what: string, args: readonly string[], settings: Record<string, string>): Promise<void> {
  try {
    writeFileSync('/proc/sys/vm/drop_caches', '3');
  } catch {
    print('The system keeps its cache of files: reading is faster than after a start.');
  }
  const began = performance.now();
  const { exitCode, stderr } = await runFabrica(args, settings);
  if (exitCode !== 0) throw new Error(`${what}: ${stderr}`);
  print(`${what}: ${Math.round((performance.now() - began) / 1_000)} s`);
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import {
  bookIds,
  createBook,
  openTestFolder,
  type TestFolder,
} from '@fabrica/backend/testing/database/build-test-sqlite.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

let files: TestFolder;
const children = new Set<ChildProcess>();

beforeEach(() => {
  files = openTestFolder();
});

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await files.close();
});

/** Starts a process that runs this script in the folder of the databases. */
function start(script: string) {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script, files.folder], {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.add(child);
  const ended = once(child, 'close');
  const lines: string[] = [];
  const output = createInterface({ input: child.stdout });
  output.on('line', (line) => lines.push(line));
  return {
    lines,
    go: () => child.stdin.end('go\n'),
    kill: () => child.kill('SIGKILL'),
    /** Returns the exit code and the signal. */
    async end() {
      const [code, signal] = await ended;
      children.delete(child);
      return [code, signal];
    },
  };
}

const OPEN = `
  import { createSqliteEngine } from './sqlite-engine.ts';
  import { createBook, openLibrary } from '@fabrica/backend/testing/database/build-test-sqlite.ts';
  const engine = createSqliteEngine(process.argv[1]);
`;

describe('one process', () => {
  test('a process with an open database finishes its writes and ends', async () => {
    const leaving = start(`
      ${OPEN}
      const database = await openLibrary(engine, 'library');
      createBook(database, 'b-1').then(() => process.stdout.write('written\\n'));
    `);
    expect(await leaving.end()).toEqual([0, null]);
    expect(leaving.lines).toEqual(['written']);
    expect(await bookIds(await files.open('library'))).toEqual(['b-1']);
  });
});

describe('several processes', () => {
  test('several processes write to the same file one after the other', async () => {
    const script = (name: string) => `
      ${OPEN}
      const database = await openLibrary(engine, 'library');
      process.stdout.write('ready\\n');
      process.stdin.once('data', async () => {
        for (let at = 0; at < 100; at += 1) await createBook(database, '${name}-' + at);
        await database.close();
      });
    `;
    const database = await files.open('library');
    const writing = ['x', 'y'].map((name) => start(script(name)));
    for (const { lines } of writing) await expect.poll(() => lines).toEqual(['ready']);
    for (const { go } of writing) go();
    for (let at = 0; at < 100; at += 1) await createBook(database, `own-${at}`);
    for (const { end } of writing) expect(await end()).toEqual([0, null]);
    expect(await bookIds(database)).toHaveLength(300);
  });
});

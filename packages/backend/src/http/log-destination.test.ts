import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { writeSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createLogDestination } from './log-destination.ts';

const LINES = 50_000;

/** Runs a process that logs many lines and then ends like this; returns what it has logged. */
async function logAndEnd(end: string): Promise<string> {
  const script = `
    import { createLogDestination } from ${JSON.stringify(import.meta.resolve('./log-destination.ts'))};
    const log = createLogDestination(1);
    for (let line = 0; line < ${LINES}; line += 1) log.write('line ' + line + '\\n');
    ${end}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [printed] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return printed;
}

it.each([
  ['by itself', ''],
  ['by an exception', 'throw new Error("no");'],
  ['by a rejection', 'Promise.reject(new Error("no"));'],
  ['by process.exit', 'process.exit(1);'],
  ['by a signal once its iteration is over', 'setImmediate(() => process.kill(process.pid, "SIGTERM"));'],
  ['by SIGKILL once its iteration is over', 'setImmediate(() => process.kill(process.pid, "SIGKILL"));'],
])('a process that ends %s has written every line of its log', async (_, end) => {
  const lines = (await logAndEnd(end)).split('\n');
  expect(lines).toHaveLength(LINES + 1);
  expect(lines[LINES - 1]).toBe(`line ${LINES - 1}`);
});

it('the lines of one iteration are written by one call', async () => {
  const written: string[] = [];
  const write = (_: number, bytes: Buffer) => written.push(String(bytes)) && bytes.length;
  const log = createLogDestination(1, write as typeof writeSync);
  for (const line of ['a\n', 'b\n', 'c\n']) log.write(line);
  expect(written).toEqual([]);
  await nextIteration();
  expect(written).toEqual(['a\nb\nc\n']);
});

it('lines wait for a pipe that is full, in their order, and do not hold up the process', async () => {
  let isFull = true;
  let written = '';
  const refused: string[] = [];
  const write = (_: number, bytes: Buffer) => {
    if (isFull) refused.push(String(bytes));
    if (isFull) throw Object.assign(new Error('full'), { code: 'EAGAIN' });
    // A pipe may take less than it is given.
    const taken = Math.min(bytes.length, 3);
    written += bytes.subarray(0, taken);
    return taken;
  };
  const log = createLogDestination(1, write as typeof writeSync);
  log.write('first\n');
  await nextIteration();
  log.write('second\n');
  await expect.poll(() => refused.length).toBeGreaterThan(2);
  expect(written).toBe('');
  // What waits is not copied at each try.
  expect(new Set(refused)).toEqual(new Set(['first\n']));
  isFull = false;
  await expect.poll(() => written).toBe('first\nsecond\n');
});

it('a log that cannot be written to costs its lines alone', async () => {
  let isBroken = true;
  const written: string[] = [];
  const write = (_: number, bytes: Buffer) => {
    if (isBroken) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
    return written.push(String(bytes)) && bytes.length;
  };
  const log = createLogDestination(1, write as typeof writeSync);
  log.write('lost\n');
  await nextIteration();
  isBroken = false;
  log.write('kept\n');
  await nextIteration();
  expect(written).toEqual(['kept\n']);
});

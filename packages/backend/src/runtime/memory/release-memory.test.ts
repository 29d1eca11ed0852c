import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

/**
 * Takes garbage of each kind: what V8 collects in time, as nothing else is made, never; and blocks of the C library between
 * others that stay in use.
 */
const SCRIPT = `
  import { releaseMemory } from ${JSON.stringify(import.meta.resolve('./release-memory.ts'))};
  let rows = Array.from({ length: 300_000 }, (_, at) => ({ at: [at] }));
  let blocks = Array.from({ length: 4_000 }, () => new Uint8Array(16_384).fill(1));
  const kept = blocks.filter((_, at) => at % 50 === 0);
  const taken = process.memoryUsage.rss();
  rows = blocks = undefined;
  releaseMemory();
  const left = process.memoryUsage.rss();
  releaseMemory();
  const { gc } = globalThis;
  console.log(JSON.stringify({ released: (taken - left) / 1024 ** 2, kept: kept.length, gc: typeof gc }));
`;

test('garbage and free blocks are returned to the system', () => {
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', SCRIPT], { encoding: 'utf8' });
  const { released, kept, gc } = JSON.parse(printed);
  // Of 100 MB, 60 are such blocks, which glibc has to be told to return.
  expect(released).toBeGreaterThan(process.platform === 'linux' ? 70 : 20);
  expect({ kept, gc }).toEqual({ kept: 80, gc: 'undefined' });
});

import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { forEachConcurrently } from '../runtime/for-each-concurrently.ts';
import { hashFile } from '../runtime/hash-file.ts';

/** The list of checksums, in the format that `sha256sum -c` reads. */
export const SUMS_FILE = 'SHA256SUMS';

/** Reads every file of a folder, writes its checksum to the list, and makes it readable by its owner only. */
export async function writeSums(folder: string): Promise<{ sha256: string; files: number }> {
  const sums = new Map<string, string>();
  await forEachConcurrently(filesBelow(folder, ''), async (path) => {
    await chmod(join(folder, path), 0o600);
    sums.set(path, String(await hashFile(join(folder, path))));
  });
  const hash = createHash('sha256');
  const list = createWriteStream(join(folder, SUMS_FILE), { flags: 'wx', mode: 0o600, flush: true });
  await pipeline(function* () {
    for (const path of [...sums.keys()].sort()) {
      const line = `${sums.get(path)}  ${path}\n`;
      hash.update(line);
      yield line;
    }
  }, list);
  return { sha256: hash.digest('hex'), files: sums.size };
}

/** Returns the paths of files that are missing or not as they were written, the list itself included. */
export async function findDamaged(
  folder: string,
  expected: { sha256: string; files: number },
): Promise<string[]> {
  if ((await hashFile(join(folder, SUMS_FILE))) !== expected.sha256) return [SUMS_FILE];
  const damaged: string[] = [];
  await forEachConcurrently(readSums(folder), async ({ path, sha256 }) => {
    if ((await hashFile(join(folder, path))) !== sha256) damaged.push(path);
  });
  return damaged.sort();
}

/** Yields every file of a backup. */
export async function* readSums(folder: string): AsyncGenerator<{ path: string; sha256: string }> {
  const lines = createInterface({ input: createReadStream(join(folder, SUMS_FILE)), crlfDelay: Infinity });
  for await (const line of lines) yield { sha256: line.slice(0, 64), path: line.slice(66) };
}

async function* filesBelow(folder: string, below: string): AsyncGenerator<string> {
  const entries = await opendir(join(folder, below));
  for await (const entry of entries) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) yield* filesBelow(folder, path);
    else yield path;
  }
}

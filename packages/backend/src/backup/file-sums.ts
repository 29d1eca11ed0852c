import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';

/** The list of checksums, in the format that `sha256sum -c` reads. */
export const SUMS_FILE = 'SHA256SUMS';

/** Returns the SHA-256 of a file in hexadecimal, or `null` when there is no file. */
export async function hashFile(path: string): Promise<string | null> {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(path), hash);
    return hash.digest('hex');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Reads every file of a folder, writes its checksum to the list, and makes it readable by its owner only. */
export async function writeSums(folder: string): Promise<{ sha256: string; files: number }> {
  const list = createWriteStream(join(folder, SUMS_FILE), { flags: 'wx', mode: 0o600, flush: true });
  const hash = createHash('sha256');
  let files = 0;
  await pipeline(async function* () {
    for await (const path of filesBelow(folder, '')) {
      if (path === SUMS_FILE) continue;
      await chmod(join(folder, path), 0o600);
      const line = `${await hashFile(join(folder, path))}  ${path}\n`;
      hash.update(line);
      files += 1;
      yield line;
    }
  }, list);
  return { sha256: hash.digest('hex'), files };
}

/** Returns the paths of files that are missing or not as they were written, the list itself included. */
export async function findDamaged(
  folder: string,
  expected: { sha256: string; files: number },
): Promise<string[]> {
  if ((await hashFile(join(folder, SUMS_FILE))) !== expected.sha256) return [SUMS_FILE];
  const damaged: string[] = [];
  for await (const { path, sha256 } of readSums(folder)) {
    if ((await hashFile(join(folder, path))) !== sha256) damaged.push(path);
  }
  return damaged;
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

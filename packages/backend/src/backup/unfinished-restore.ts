import { readFileSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** The file in the data folder that exists while a restore swaps data in. */
const UNFINISHED_FILE = 'restore.unfinished';

const schema = z.object({
  /** The backup. */
  backup: z.string(),
  /** The suffix of the names under which the previous data is kept. */
  suffix: z.string(),
  /** Whether existing data may be set aside. */
  replace: z.boolean(),
});

type UnfinishedRestore = z.infer<typeof schema>;

/** Returns `undefined` when there is none. */
export function readUnfinished(dataDir: string): UnfinishedRestore | undefined {
  const path = join(dataDir, UNFINISHED_FILE);
  try {
    return schema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Error(`The file ${path}, by which a restore that was broken off goes on, is damaged.`, {
      cause,
    });
  }
}

/** Writes the file atomically. */
export async function writeUnfinished(dataDir: string, restore: UnfinishedRestore): Promise<void> {
  const path = join(dataDir, UNFINISHED_FILE);
  const draft = `${path}.draft`;
  const file = await open(draft, 'w', 0o600);
  try {
    await file.writeFile(JSON.stringify(restore));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
}

export async function removeUnfinished(dataDir: string): Promise<void> {
  await rm(join(dataDir, UNFINISHED_FILE), { force: true });
}

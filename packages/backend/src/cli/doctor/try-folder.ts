import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Makes a file where a folder is, or is to be made, and removes it. Throws an Error of the system. */
export async function tryFolder(folder: string): Promise<void> {
  // `mkdir` with its parents never returns below /proc.
  const tried = await mkdtemp(join(nearestFolder(folder), '.fabrica-doctor-'));
  try {
    await writeFile(join(tried, 'file'), 'doctor');
  } finally {
    await rm(tried, { recursive: true });
  }
}

/** Returns the folder, or the nearest one above it while it is not there. */
export function nearestFolder(folder: string): string {
  return existsSync(folder) ? folder : nearestFolder(dirname(folder));
}

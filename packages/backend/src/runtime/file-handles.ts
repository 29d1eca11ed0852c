import { readFileSync } from 'node:fs';

const LIMITS = '/proc/self/limits';

/** Returns the number of files and connections that this process may have open; Infinity where the system does not tell. */
export function maxFileHandles(): number {
  try {
    const [, most] = /^Max open files\s+(\d+)/m.exec(readFileSync(LIMITS, 'utf8')) ?? [];
    return most === undefined ? Number.POSITIVE_INFINITY : Number(most);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

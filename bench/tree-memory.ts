import { readdirSync, readFileSync } from 'node:fs';

const SAMPLE_MS = 200;

/** The megabytes that processes have in memory together. */
export interface TreeMemory {
  /** All but those of databases. */
  own: number;
  /** The pages of databases that are mapped for reading. The system takes them back when it needs them. */
  databases: number;
}

/**
 * Watches processes with all of their descendants until it is stopped, and returns what they had when their own memory was the largest. A page
 * of a file counts once, however many of them have it mapped: of each file, what the process has that has the most of it.
 */
export function watchTree(pids: readonly number[]): { stop(): TreeMemory } {
  let peak = treeMemory(pids);
  const timer = setInterval(() => {
    const now = treeMemory(pids);
    if (now.own > peak.own) peak = now;
  }, SAMPLE_MS);
  return {
    stop() {
      clearInterval(timer);
      return peak;
    },
  };
}

function treeMemory(pids: readonly number[]): TreeMemory {
  const files = new Map<string, number>();
  let anonymous = 0;
  for (const pid of withDescendants(pids)) {
    const own = readMappings(pid);
    anonymous += own.anonymous;
    for (const [file, size] of own.files) files.set(file, Math.max(size, files.get(file) ?? 0));
  }
  const [databases, others] = [true, false].map((isDatabase) =>
    [...files.entries()]
      .filter(([file]) => file.includes('.sqlite') === isDatabase)
      .reduce((sum, [, size]) => sum + size, 0),
  );
  return { own: (anonymous + (others ?? 0)) / 1_000, databases: (databases ?? 0) / 1_000 };
}

function withDescendants(pids: readonly number[]): number[] {
  const found = [...pids];
  const parents = new Map(
    readdirSync('/proc')
      .filter(Number)
      .map((pid) => [Number(pid), parentOf(pid)]),
  );
  for (const pid of found) for (const [child, parent] of parents) if (parent === pid) found.push(child);
  return [...new Set(found)];
}

function parentOf(pid: string): number {
  return Number(/\) \S+ (\d+)/.exec(readProc(`${pid}/stat`))?.[1]);
}

/** Returns the resident kilobytes of a process: those of no file, and those of each file by its device, number and path. */
function readMappings(pid: number): { anonymous: number; files: Map<string, number> } {
  const files = new Map<string, number>();
  let anonymous = 0;
  let [file, resident] = ['', 0];
  for (const line of readProc(`${pid}/smaps`).split('\n')) {
    const [, mapped] = /^[\da-f]+-[\da-f]+ \S+ \S+ (.*)/.exec(line) ?? [];
    if (mapped !== undefined) file = mapped;
    const [, name, size] = /^(Rss|Anonymous): +(\d+) kB/.exec(line) ?? [];
    if (name === 'Rss') resident = Number(size);
    if (name !== 'Anonymous') continue;
    anonymous += Number(size);
    files.set(file, (files.get(file) ?? 0) + resident - Number(size));
  }
  return { anonymous, files };
}

/** Returns the text of a file of the kernel; none when the process has ended. */
function readProc(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'utf8');
  } catch {
    return '';
  }
}

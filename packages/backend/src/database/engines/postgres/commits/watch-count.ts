import { setTimeout as wait } from 'node:timers/promises';
import type { ProjectCommits } from './project-commits.ts';

/** Milliseconds between two looks at the counter. */
const INTERVAL_MS = 500;

/**
 * Compares the count of all commits in the database with those that this process knows, twice a second, because a
 * notification is lost when its sender ends before it is sent. Each count is compared at the next look: by then the
 * process knows its own commits. Returns a function that ends this.
 */
export async function watchCount(commits: ProjectCommits, read: () => Promise<number>): Promise<() => void> {
  let isOver = false;
  commits.beginCount(await read());
  const watch = async () => {
    for (let last: number | undefined; !isOver; ) {
      await wait(INTERVAL_MS, undefined, { ref: false });
      const count = isOver ? undefined : await read().catch(() => undefined);
      if (last !== undefined) commits.checkCount(last);
      last = count;
    }
  };
  void watch();
  return () => {
    isOver = true;
  };
}

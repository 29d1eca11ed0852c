import type { Migration } from './project.ts';

/**
 * Makes a migration that changes rows some at a time. On a database that serves meanwhile, each call of `fill` has a transaction of
 * its own, so that no request waits for more than a batch.
 */
export function fillInBatches(fill: NonNullable<Migration['fill']>): Migration {
  return {
    async up(database) {
      let after: string | undefined;
      do after = await fill(database, after);
      while (after !== undefined);
    },
    /** Does nothing: what it has written stays. */
    down: async () => undefined,
    fill,
    compatibleWith: 'any',
  };
}

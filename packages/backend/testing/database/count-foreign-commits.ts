import { sql } from 'kysely';
import { vi } from 'vitest';
import type { Database } from '../../src/database/port.ts';

let secondsAhead = 0;

/**
 * Returns the number of foreign commits up to now. SQLite looks for them at intervals, which are over for this call, and
 * has its writer count them: what is sent to the writer next runs when they are counted.
 */
export async function countForeignCommits(database: Database): Promise<number> {
  secondsAhead += 1;
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + secondsAhead * 1_000);
  database.foreignCommits();
  clock.mockRestore();
  await sql`SELECT 1`.execute(database.writer);
  return database.foreignCommits();
}

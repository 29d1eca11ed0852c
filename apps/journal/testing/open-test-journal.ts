import { defineProject } from '@fabrica/backend';
import {
  openTestDatabase,
  type TestDatabase,
} from '@fabrica/backend/testing/database/build-test-database.ts';
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { defineJournal } from '../project/project.ts';

/** Creates the part of the auth service's accounts that the journal's tables need. */
export const users: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('users')
      .addColumn('id', 'text', (column) => column.notNull().primaryKey())
      .addColumn('email', 'text', (column) => column.notNull())
      .addColumn('display_name', 'text')
      .addColumn('photo_url', 'text')
      .addColumn('hidden_at', 'bigint')
      .execute();
  },
};

/** Opens the journal's tables behind the real routes, on a temporary database with three accounts. */
export async function openTestJournal(
  options: { rateLimit?: boolean; rowsQuota?: number } = {},
): Promise<TestDatabase> {
  const journal = defineJournal({
    id: 'journal',
    imageOrigins: ['https://cdn.example', 'http://[::1]'],
  });
  const db = await openTestDatabase(
    defineProject({ ...journal, migrations: { '0001-users': users, ...journal.migrations } }),
    undefined,
    options,
  );
  await db.database.writer
    .insertInto('users')
    .values(
      ['ada', 'ben', 'rea'].map((id) => ({
        id,
        email: `${id}@example.org`,
        display_name: id === 'ada' ? 'Ada' : null,
      })),
    )
    .execute();
  return db;
}

export interface PostRow {
  [column: string]: string | number | null;
}

/** Returns the row of a post with these columns and defaults for the others. */
export function buildPostRow(columns: PostRow): PostRow {
  return { title: 'Heart', content: 'A muscle.', image_url: '/storage/journal/posts/1.png', ...columns };
}

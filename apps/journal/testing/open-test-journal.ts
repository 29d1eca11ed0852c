import { defineProject } from '@fabrica/backend';
import {
  openTestDatabase,
  type TestDatabase,
} from '@fabrica/backend/testing/database/build-test-database.ts';
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { defineJournal } from '../project/project.ts';

/** What the journal needs of the accounts that belong to the backend's auth. */
export const users: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('users')
      .addColumn('id', 'text', (column) => column.notNull().primaryKey())
      .addColumn('email', 'text', (column) => column.notNull())
      .addColumn('display_name', 'text')
      .addColumn('photo_url', 'text')
      .execute();
  },
};

/** The journal's tables behind the real routes, on a temporary database with three accounts. */
export async function openTestJournal(): Promise<TestDatabase> {
  const journal = defineJournal({ id: 'journal' });
  const db = await openTestDatabase(
    defineProject({ ...journal, migrations: { '0001-users': users, ...journal.migrations } }),
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

export interface PostFields {
  [column: string]: string | number | null;
}

export function buildPost(fields: PostFields): PostFields {
  return { title: 'Heart', content: 'A muscle.', image_url: '/storage/journal/posts/1.png', ...fields };
}

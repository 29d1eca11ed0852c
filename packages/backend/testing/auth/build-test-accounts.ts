import type { Migration } from 'kysely/migration';
import { type ChangeEvent, createInProcessBus } from '../../src/core/bus.ts';
import { equals } from '../../src/core/filter.ts';
import { writeMigrations } from '../../src/database/index.ts';
import type { Project } from '../../src/database/project.ts';
import { defineProject } from '../../src/project-database.ts';
import { analyticsMigrations } from '../../src/services/analytics/index.ts';
import { newUser } from '../../src/services/auth/accounts/user.ts';
import { authMigrations } from '../../src/services/auth/migrations.ts';
import { authWriter, insertUser, type UserRow } from '../../src/services/auth/queries.ts';
import { storageMigrations } from '../../src/services/storage/migrations.ts';
import { openTestDatabase } from '../database/build-test-database.ts';
import { library } from '../database/build-test-library.ts';

const text = { type: 'text', max: 100 } as const;

const members: Migration = {
  async up(db) {
    await db.schema
      .createTable('reviews')
      .addColumn('id', 'text', (column) => column.notNull().primaryKey())
      .addColumn('book_id', 'text', (column) => column.references('books.id').onDelete('cascade'))
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('reader', 'text', (column) => column.notNull())
      .execute();
    await db.schema
      .createView('members')
      .as(db.selectFrom('users').select(['id', 'display_name']))
      .execute();
  },
};

/**
 * The library with accounts. A deleted account's books and loans are deleted; its reviews of other books stay
 * and belong to nobody.
 */
export const accountLibrary = defineProject({
  ...library,
  tables: {
    ...library.tables,
    reviews: {
      columns: { id: text, book_id: { ...text, nullable: true }, user_id: text, reader: text },
      policies: { anonymous: { read: equals('reader', 'Anonymous') } },
    },
    members: {
      view: true,
      ofUsers: true,
      columns: { id: text, display_name: { ...text, nullable: true } },
      policies: {},
    },
  },
  migrations: {
    ...authMigrations,
    ...storageMigrations,
    ...analyticsMigrations,
    ...writeMigrations,
    ...library.migrations,
    '0009-members': members,
  },
  whenAccountIsDeleted: { reviews: { set: { user_id: 'nobody', reader: 'Anonymous' } } },
});

/** Opens the library on a temporary database that also has the auth service's tables. */
export async function openTestAccounts() {
  const db = await openTestDatabase(accountLibrary);
  const project: Project = { definition: accountLibrary, database: db.database, secretKey: 'sk_test' };
  const bus = createInProcessBus();
  const events: ChangeEvent[] = [];
  bus.subscribe((event) => events.push(event));
  return {
    ...db,
    project,
    bus,
    /** The events of the bus, oldest first. */
    events,
    async createAccount(id: string, given: Partial<UserRow> = {}) {
      await insertUser(
        authWriter(db.database),
        newUser(project, { id, email: `${id}@example.org`, display_name: id, ...given }),
      );
    },
  };
}

export type TestAccounts = Awaited<ReturnType<typeof openTestAccounts>>;

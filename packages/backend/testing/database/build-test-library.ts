import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Row } from '../../src/core/bus.ts';
import type { Caller } from '../../src/core/caller.ts';
import { allOf, anyOf, callerId, callerName, equals, everyRow, through } from '../../src/core/filter.ts';
import type { ProjectDefinition, Table } from '../../src/core/project.ts';
import { defineProject } from '../../src/project-database.ts';

const id = { type: 'text', max: 60, pattern: /^[A-Za-z0-9_-]+$/ } as const;
const own = equals('user_id', callerId);
const namedOrNot = anyOf(equals('user_name', callerName), { kind: 'is', column: 'user_name', value: 'null' });

/** Tables and a view without the journal's rules: nullable columns, equal values and cascades. */
export const libraryTables: Record<string, Table> = {
  books: {
    idPrefix: 'book_',
    columns: {
      id,
      user_id: id,
      title: { type: 'text', min: 1, max: 20, trim: true },
      author: { type: 'text', max: 40, nullable: true },
      pages: { type: 'integer', min: -1_000, nullable: true },
      shelf: { type: 'integer', default: 0 },
      created_at: { type: 'integer', stamp: 'create' },
      updated_at: { type: 'integer', stamp: 'write' },
    },
    policies: {
      anonymous: { read: equals('shelf', 0) },
      guest: { read: everyRow },
      signedIn: {
        read: everyRow,
        create: own,
        update: { where: own, columns: ['title', 'author', 'pages', 'user_id'] },
        delete: own,
      },
    },
  },
  loans: {
    idPrefix: 'loan_',
    columns: { id, book_id: id, user_id: id, user_name: { type: 'text', max: 100, nullable: true } },
    onePer: ['book_id', 'user_id'],
    policies: {
      signedIn: {
        read: everyRow,
        create: allOf(own, namedOrNot),
        delete: anyOf(own, through('book_id', 'books', own)),
      },
    },
  },
  notes: { columns: { id, loan_id: id }, policies: {} },
  titles: {
    view: true,
    columns: { id, title: { type: 'text', max: 20 } },
    policies: { anonymous: { read: everyRow } },
  },
};

const tables: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('books')
      .addColumn('id', 'text', (column) => column.notNull().primaryKey())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('title', 'text', (column) => column.notNull())
      .addColumn('author', 'text')
      .addColumn('pages', 'bigint')
      .addColumn('shelf', 'bigint', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('loans')
      .addColumn('id', 'text', (column) => column.notNull().primaryKey())
      .addColumn('book_id', 'text', (column) => column.notNull().references('books.id').onDelete('cascade'))
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('user_name', 'text')
      .addUniqueConstraint('loans_one_per_user', ['book_id', 'user_id'])
      .execute();
    await db.schema
      .createTable('notes')
      .addColumn('id', 'text', (column) => column.notNull().primaryKey())
      .addColumn('loan_id', 'text', (column) => column.notNull().references('loans.id').onDelete('cascade'))
      .execute();
    const titles = (db as Kysely<{ books: { id: string; title: string } }>)
      .selectFrom('books')
      .select(['id', 'title']);
    await db.schema.createView('titles').as(titles).execute();
  },
};

export const library: ProjectDefinition = defineProject({
  id: 'library',
  tables: libraryTables,
  roles: { member: { permissions: [] } },
  signUpRole: 'member',
  origins: [],
  migrations: { '0001-library': tables },
});

export function buildUser(name: string, role = 'member'): Caller {
  return { kind: 'user', id: name, email: `${name}@example.org`, displayName: null, role };
}

/** Builds a book as the service role sends it. */
export function buildBook(book: Row): Row {
  return { user_id: 'ada', title: 'Untitled', ...book };
}

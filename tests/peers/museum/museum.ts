import { allOf, callerId, defineProject, equals, everyRow } from '@fabrica/backend';
import type { Kysely } from 'kysely';

/** A project without any relation to the journal, with nulls, defaults, and unique keys besides the id. */
const tables = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('paintings')
      .addColumn('id', 'text', (column) => column.notNull().primaryKey())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('title', 'text', (column) => column.notNull())
      .addColumn('artist', 'text')
      .addColumn('year', 'bigint')
      .addColumn('on_view', 'bigint', (column) => column.notNull())
      .addColumn('inventory_number', 'text', (column) => column.unique())
      .addColumn('room', 'text')
      .addColumn('place', 'bigint')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .addUniqueConstraint('one_painting_a_place', ['room', 'place'])
      .execute();
  },
};

const own = equals('user_id', callerId);

// biome-ignore lint/style/noDefaultExport: the default export of a project's file is its definition
export default defineProject({
  id: 'museum',
  tables: {
    paintings: {
      idPrefix: 'painting_',
      columns: {
        id: { type: 'text', max: 60, pattern: /^[A-Za-z0-9_-]+$/ },
        user_id: { type: 'text', max: 60, default: 'museum' },
        title: { type: 'text', min: 1, max: 200 },
        artist: { type: 'text', max: 200, nullable: true },
        year: { type: 'integer', nullable: true },
        on_view: { type: 'integer', min: 0, max: 1, default: 1 },
        inventory_number: { type: 'text', max: 20, nullable: true },
        room: { type: 'text', max: 20, nullable: true },
        place: { type: 'integer', nullable: true },
        created_at: { type: 'integer', stamp: 'create' },
        updated_at: { type: 'integer', stamp: 'write' },
      },
      policies: {
        anonymous: { read: equals('on_view', 1) },
        signedIn: {
          read: everyRow,
          create: own,
          update: { where: own, columns: ['title', 'artist', 'year', 'on_view', 'inventory_number'] },
          delete: allOf(own, equals('on_view', 0)),
        },
      },
    },
  },
  roles: { member: { permissions: [] } },
  signUpRole: 'member',
  origins: [],
  migrations: { 'museum-0001-paintings': tables },
});

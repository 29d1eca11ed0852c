import type { Migration } from 'kysely/migration';

/** The storage service's tables in a project's database. */
export const storageMigrations: Record<string, Migration> = {
  '0002-files': {
    async up(database) {
      await database.schema
        .createTable('files')
        .addColumn('path', 'text', (column) => column.primaryKey().notNull())
        .addColumn('blob', 'text', (column) => column.notNull())
        .addColumn('user_id', 'text')
        .addColumn('content_type', 'text', (column) => column.notNull())
        .addColumn('size', 'integer', (column) => column.notNull())
        .addColumn('hash', 'text', (column) => column.notNull())
        .addColumn('created_at', 'integer', (column) => column.notNull())
        .addColumn('updated_at', 'integer', (column) => column.notNull())
        .execute();
    },
  },
  '0004-files-of-users': {
    async up(database) {
      await database.schema.createIndex('files_user').on('files').columns(['user_id', 'path']).execute();
    },
  },
};

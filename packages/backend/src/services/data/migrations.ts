import type { Migration } from '../../core/project.ts';

/** The data service's table in a project's database. */
export const dataMigrations: Record<string, Migration> = {
  '0006-secrets': {
    async up(database) {
      await database.schema
        .createTable('secrets')
        .addColumn('name', 'text', (column) => column.primaryKey().notNull())
        .addColumn('sealed', 'text', (column) => column.notNull())
        .addColumn('hosts', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('updated_at', 'bigint', (column) => column.notNull())
        .execute();
    },
    async down(database) {
      await database.schema.dropTable('secrets').execute();
    },
  },
};

/** The tables of this service, which no project may define or open. */
export const dataTables: readonly string[] = ['secrets'];

import type { Migration } from '../../core/project.ts';

/** Columns of `files` that are null for a file that is no image. */
const imageColumns = [
  ['width', 'integer'],
  ['height', 'integer'],
  ['animated', 'integer'],
  ['placeholder', 'text'],
  ['served_blob', 'text'],
] as const;

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
    async down({ schema }) {
      await schema.dropTable('files').execute();
    },
  },
  '0004-files-of-users': {
    async up(database) {
      await database.schema.createIndex('files_user').on('files').columns(['user_id', 'path']).execute();
    },
    async down({ schema }) {
      await schema.dropIndex('files_user').execute();
    },
  },
  '0005-images': {
    async up(database) {
      for (const [name, type] of imageColumns)
        await database.schema.alterTable('files').addColumn(name, type).execute();
      await database.schema.createIndex('files_blob').on('files').column('blob').execute();
      await database.schema
        .createTable('variants')
        .addColumn('blob', 'text', (column) => column.notNull())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('key', 'text', (column) => column.notNull())
        .addColumn('size', 'integer', (column) => column.notNull())
        .addColumn('created_at', 'integer', (column) => column.notNull())
        .addPrimaryKeyConstraint('variants_of_blob', ['blob', 'name'])
        .execute();
    },
    async down({ schema }) {
      await schema.dropTable('variants').execute();
      await schema.dropIndex('files_blob').execute();
      for (const [name] of imageColumns) await schema.alterTable('files').dropColumn(name).execute();
    },
  },
};

/** The tables of this service, which no project may define or open. */
export const storageTables: readonly string[] = ['files', 'variants'];

import type { Migration } from '../../core/project.ts';

/** The AI service’s table in a project’s database, which records usage. */
export const aiMigrations: Record<string, Migration> = {
  '0007-ai-usage': {
    async up({ schema }) {
      await schema
        .createTable('ai_usage')
        .addColumn('id', 'text', (column) => column.primaryKey().notNull())
        .addColumn('user_id', 'text')
        .addColumn('capability', 'text', (column) => column.notNull())
        .addColumn('model', 'text', (column) => column.notNull())
        .addColumn('outcome', 'text', (column) => column.notNull())
        .addColumn('input_tokens', 'bigint')
        .addColumn('output_tokens', 'bigint')
        .addColumn('latency_ms', 'bigint', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .execute();
      await schema.createIndex('ai_usage_user').on('ai_usage').columns(['user_id', 'created_at']).execute();
      await schema.createIndex('ai_usage_time').on('ai_usage').column('created_at').execute();
    },
    async down({ schema }) {
      await schema.dropTable('ai_usage').execute();
    },
  },
};

/** The tables of this service, which no project may define or open. */
export const aiTables: readonly string[] = ['ai_usage'];

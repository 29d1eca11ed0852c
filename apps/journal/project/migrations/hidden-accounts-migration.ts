import type { Migration } from '@fabrica/backend';
import { type Kysely, sql } from 'kysely';

/** Adds the view by which policies ask whose comments an operator has hidden. */
export const hiddenAccountsMigration: Migration = {
  compatibleWith: 'any',
  async up(db: Kysely<unknown>) {
    await sql`CREATE VIEW hidden_accounts AS SELECT id FROM users WHERE hidden_at IS NOT NULL`.execute(db);
  },
  async down({ schema }: Kysely<unknown>) {
    await schema.dropView('hidden_accounts').execute();
  },
};

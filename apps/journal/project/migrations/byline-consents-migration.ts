import type { Migration } from '@fabrica/backend';
import { type Kysely, sql } from 'kysely';
import type { Byline } from '../document.ts';

/**
 * Adds what accounts say to being named in the bylines of others, and the view by which they are mailed. Accounts that are named in
 * published posts count as having accepted: readers know them so.
 */
export const bylineConsentsMigration: Migration = {
  compatibleWith: 'any',
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('byline_consents')
      .addColumn('id', 'text', (column) => column.notNull().primaryKey())
      .addColumn('post_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('account_id', 'text', (column) =>
        column.notNull().references('users.id').onDelete('cascade'),
      )
      .addColumn('accepted', 'bigint', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute();
    const index = (name: string) => db.schema.createIndex(`byline_consents_${name}`).on('byline_consents');
    await index('once').unique().columns(['post_id', 'account_id']).execute();
    await index('account').columns(['account_id']).execute();
    await index('user').columns(['user_id']).execute();
    await index('time').columns(['created_at']).execute();
    await sql`CREATE VIEW named_accounts AS SELECT id, id AS user_id FROM users`.execute(db);
    const { rows } = await sql<{ id: string; user_id: string; byline: string; updated_at: number }>`
      SELECT id, user_id, byline, updated_at FROM journal_posts
      WHERE published = 1 AND byline LIKE '%"userId"%'`.execute(db);
    for (const { id, user_id, byline, updated_at } of rows) {
      const named = (JSON.parse(byline) as Byline).flatMap(({ userId }) => userId ?? []);
      for (const [place, account] of [...new Set(named)].entries()) {
        if (account === user_id) continue;
        await sql`INSERT INTO byline_consents (id, post_id, user_id, account_id, accepted, created_at)
          SELECT ${`${id}_${place}`}, ${id}, ${user_id}, id, 1, ${sql.lit(Number(updated_at))}
          FROM users WHERE id = ${account}`.execute(db);
      }
    }
  },
  async down({ schema }: Kysely<unknown>) {
    await schema.dropView('named_accounts').execute();
    await schema.dropTable('byline_consents').execute();
  },
};

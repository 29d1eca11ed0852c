import type { Migration } from '@fabrica/backend';
import { type Kysely, SqliteAdapter, sql } from 'kysely';

const WAITING_SUM = 'missing + machine + edited + outdated + blocked';
const WAITING = `${WAITING_SUM} > 0`;

/**
 * Returns the indexes that the lists of the desk and the queue of translations are read by, in their order. Those of the queue have
 * the rows alone in which something waits: most of the time few. SQLite takes "IS NULL" for a value like any other, and prefers an
 * index that begins with the column; PostgreSQL reads in order only when such rows are all that the index has.
 */
function indexesOf(isSqlite: boolean): Readonly<Record<string, string>> {
  const copies = (columns: string, more = '') =>
    isSqlite
      ? `post_drafts (discarded_at, ${columns})${more && ` WHERE ${more}`}`
      : `post_drafts (${columns}) WHERE discarded_at IS NULL${more && ` AND ${more}`}`;
  const waiting = ['missing', 'machine', 'edited', 'outdated', 'blocked'].map(
    (state) => [`post_languages_${state}`, `post_languages (updated_at, id) WHERE ${state} > 0`] as const,
  );
  return {
    post_drafts_changed: copies('updated_at, id'),
    post_drafts_state: copies('state, updated_at, id'),
    post_drafts_own: copies('user_id, updated_at, id'),
    post_drafts_own_state: copies('user_id, state, updated_at, id'),
    post_drafts_named: copies('updated_at, id', "people <> ''"),
    journal_posts_changed: 'journal_posts (published, updated_at, id)',
    journal_posts_own: 'journal_posts (user_id, published, updated_at, id)',
    post_languages_waiting: `post_languages (updated_at, id) WHERE ${WAITING}`,
    post_languages_waiting_in: `post_languages (language, updated_at, id) WHERE ${WAITING}`,
    ...Object.fromEntries(waiting),
  };
}

export const listIndexesMigration: Migration = {
  compatibleWith: 'any',
  async up(db: Kysely<unknown>) {
    for (const [name, columns] of Object.entries(indexesOf(isSqlite(db))))
      await sql.raw(`CREATE INDEX ${name} ON ${columns}`).execute(db);
  },
  async down(db: Kysely<unknown>) {
    for (const name of Object.keys(indexesOf(isSqlite(db)))) await db.schema.dropIndex(name).execute();
  },
};

/**
 * Drops the index of all languages of all posts. Nothing but the queue was read by it: SQLite preferred it to those of what is
 * missing, say, and looked through all that waits, or through everything, for the few. PostgreSQL takes a third of all rows to satisfy
 * a comparison of a sum, and read whole tables to join them, until it has statistics of that sum.
 */
export const queueIndexMigration: Migration = {
  compatibleWith: 'any',
  async up(db: Kysely<unknown>) {
    if (!isSqlite(db)) await createStatistics(db);
    // Last, as PostgreSQL lets nobody read the table from here to the end of the transaction.
    await db.schema.dropIndex('post_languages_queue').execute();
  },
  async down(db: Kysely<unknown>) {
    if (!isSqlite(db)) await sql.raw('DROP STATISTICS post_languages_waiting_rows').execute(db);
    await db.schema
      .createIndex('post_languages_queue')
      .on('post_languages')
      .columns(['language', 'updated_at', 'id'])
      .execute();
  },
};

async function createStatistics(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`CREATE STATISTICS post_languages_waiting_rows ON (${WAITING_SUM}) FROM post_languages`)
    .execute(db);
  await sql.raw('ANALYZE post_languages').execute(db);
}

function isSqlite(db: Kysely<unknown>): boolean {
  return db.getExecutor().adapter instanceof SqliteAdapter;
}

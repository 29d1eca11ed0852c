import type { Migration } from '@fabrica/backend';
import { type Kysely, SqliteAdapter, sql } from 'kysely';

/**
 * Has the server translate what a new post lacks, whichever program stores it with a machine's translations: the job is added in the
 * transaction of the post, so that no crash comes between, and is done on the budget of the post's owner.
 */
export const machineJobsMigration: Migration = {
  compatibleWith: 'any',
  async up(db: Kysely<unknown>) {
    const statements = isSqlite(db) ? [sqliteTrigger] : [postgresFunction, postgresTrigger];
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
  async down(db: Kysely<unknown>) {
    await sql.raw(`DROP TRIGGER machine_jobs${isSqlite(db) ? '' : ' ON journal_posts'}`).execute(db);
    if (!isSqlite(db)) await sql.raw('DROP FUNCTION machine_jobs()').execute(db);
  },
};

const isSqlite = (db: Kysely<unknown>) => db.getExecutor().adapter instanceof SqliteAdapter;

/**
 * Returns the statements that add the job, and before it the records that it belongs to. The language of the original, which may not
 * be known yet, is left out when the job is done.
 */
const addJob = (now: string) => `
  INSERT INTO post_segments (id, version, updated_at, segments) VALUES (NEW.id, 1, ${now}, '[]') ON CONFLICT (id) DO NOTHING;
  INSERT INTO translation_jobs
    (id, post_id, user_id, state, languages, words_done, words_total, attempts, created_at, updated_at)
    VALUES ('job_' || NEW.id, NEW.id, NEW.user_id, 'waiting', 'en,es,fr,de', 0, 0, 0, ${now}, ${now}) ON CONFLICT (id) DO NOTHING;`;

const isMachine = "WHEN (NEW.translated_by = 'machine')";
const sqliteTrigger = `CREATE TRIGGER machine_jobs AFTER INSERT ON journal_posts ${isMachine}
  BEGIN ${addJob("CAST(unixepoch('subsec') * 1000 AS INTEGER)")} END`;
const postgresFunction = `CREATE FUNCTION machine_jobs() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN ${addJob('CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)')} RETURN NEW; END $$`;
const postgresTrigger = `CREATE TRIGGER machine_jobs AFTER INSERT ON journal_posts FOR EACH ROW ${isMachine}
  EXECUTE FUNCTION machine_jobs()`;

import type { Migration } from '@fabrica/backend';
import { type Kysely, SqliteAdapter, sql } from 'kysely';

/** The columns of a post that hold translations. */
const COLUMNS = ['title', 'content'].flatMap((base) =>
  ['en', 'es', 'fr', 'de'].map((language) => `${base}_${language}`),
);

/**
 * Lets whoever stores a translation say that a machine wrote it. The word speaks for the columns that this one write changes: triggers
 * note them, whichever program writes and whether or not a node looks, and forget a column that is changed without it. `since` is the
 * `updated_at` up to which other writes may have changed the column: what was taken by then is known, and what was not is uncertain.
 */
export const translatedByMigration: Migration = {
  compatibleWith: 'any',
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('journal_posts').addColumn('translated_by', 'text').execute();
    await db.schema
      .createTable('machine_columns')
      .addColumn('post_id', 'text', (column) =>
        column.notNull().references('journal_posts.id').onDelete('cascade'),
      )
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('since', 'bigint', (column) => column.notNull())
      // 1 while the write is under way that names the machine.
      .addColumn('named', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('machine_columns_key', ['post_id', 'name'])
      .execute();
    for (const statement of isSqlite(db) ? sqliteTriggers() : postgresTriggers())
      await sql.raw(statement).execute(db);
  },
  async down(db: Kysely<unknown>) {
    for (const name of Object.keys(TRIGGERS)) {
      await sql.raw(`DROP TRIGGER ${name}${isSqlite(db) ? '' : ' ON journal_posts'}`).execute(db);
      if (!isSqlite(db)) await sql.raw(`DROP FUNCTION ${name}()`).execute(db);
    }
    await db.schema.dropTable('machine_columns').execute();
    await db.schema.alterTable('journal_posts').dropColumn('translated_by').execute();
  },
};

const isSqlite = (db: Kysely<unknown>) => db.getExecutor().adapter instanceof SqliteAdapter;

const isMachine = "NEW.translated_by = 'machine'";
/** Lists the columns with their present texts, and with the former ones. */
const written = COLUMNS.map((name) => `SELECT '${name}' AS name, NEW.${name} AS text`).join(' UNION ALL ');
const changed = COLUMNS.map(
  (name) => `SELECT '${name}' AS name, NEW.${name} AS text WHERE OLD.${name} IS DISTINCT FROM NEW.${name}`,
).join(' UNION ALL ');

const TRIGGERS: Readonly<Record<string, { event: string; when?: string; statements: readonly string[] }>> = {
  machine_columns_created: {
    event: 'AFTER INSERT',
    when: isMachine,
    statements: [
      `INSERT INTO machine_columns (post_id, name, since, named)
       SELECT NEW.id, name, 0, 0 FROM (${written}) AS texts WHERE text IS NOT NULL`,
    ],
  },
  // It comes first, and only where the statement names the column, whatever the row says already.
  machine_columns_named: {
    event: 'BEFORE UPDATE OF translated_by',
    when: isMachine,
    statements: [
      `INSERT INTO machine_columns (post_id, name, since, named)
       SELECT NEW.id, name, OLD.updated_at, 1 FROM (${changed}) AS texts WHERE text IS NOT NULL
       ON CONFLICT (post_id, name) DO UPDATE SET named = 1`,
    ],
  },
  machine_columns_changed: {
    event: `AFTER UPDATE OF translated_by, ${COLUMNS.join(', ')}`,
    statements: [
      `DELETE FROM machine_columns WHERE post_id = NEW.id AND named = 0 AND name IN (
       SELECT name FROM (${changed}) AS texts)`,
      'UPDATE machine_columns SET named = 0 WHERE post_id = NEW.id AND named = 1',
    ],
  },
};

function sqliteTriggers(): string[] {
  return Object.entries(TRIGGERS).map(
    ([name, { event, when, statements }]) =>
      `CREATE TRIGGER ${name} ${event} ON journal_posts ${when ? `WHEN ${when} ` : ''}BEGIN ${statements.join('; ')}; END`,
  );
}

function postgresTriggers(): string[] {
  return Object.entries(TRIGGERS).flatMap(([name, { event, when, statements }]) => [
    `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${statements.join('; ')}; RETURN NEW; END $$`,
    `CREATE TRIGGER ${name} ${event} ON journal_posts FOR EACH ROW ${when ? `WHEN (${when}) ` : ''}EXECUTE FUNCTION ${name}()`,
  ]);
}

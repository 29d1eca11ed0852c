import type { Migration } from '@fabrica/backend';
import { type CreateTableBuilder, type Kysely, SqliteAdapter, sql } from 'kysely';

type Columns = Readonly<Record<string, 'text' | 'bigint'>>;

interface NewTable {
  /** Columns that must have a value, and those that need none. */
  required: Columns;
  optional?: Columns;
  /** The column that holds the id of a row, with which this one is removed. */
  parent?: readonly [column: string, table: string];
  indexes?: Readonly<Record<string, readonly string[]>>;
}

const TEXT = 'text';
const NUMBER = 'bigint';
const WRITER = { writer_name: TEXT, user_id: TEXT } as const;
const OF_POST = ['post_id', 'post_segments'] as const;

const NEW_TABLES: Readonly<Record<string, NewTable>> = {
  post_segments: {
    required: { version: NUMBER, updated_at: NUMBER, segments: TEXT },
    optional: { post_updated_at: NUMBER, published: TEXT },
  },
  segment_translations: {
    required: {
      ...{ post_id: TEXT, segment_id: TEXT, language: TEXT, state: TEXT, writer_kind: TEXT },
      ...{ source_hash: TEXT, blocks: NUMBER, version: NUMBER, updated_at: NUMBER, source_text: TEXT },
    },
    optional: {
      ...WRITER,
      ...{ overruled_by: TEXT, overruled_reason: TEXT, overruled_at: NUMBER },
      ...{ reviewed_by: TEXT, reviewed_at: NUMBER, text: TEXT, proposal: TEXT, proposal_hash: TEXT },
      ...{ findings: TEXT },
    },
    parent: OF_POST,
    indexes: { post: ['post_id', 'language'], user: ['user_id'] },
  },
  segment_versions: {
    required: {
      ...{ translation_id: TEXT, version: NUMBER, state: TEXT, writer_kind: TEXT },
      ...{ created_at: NUMBER, source_text: TEXT, text: TEXT },
    },
    optional: WRITER,
    parent: ['translation_id', 'segment_translations'],
    indexes: { translation: ['translation_id', 'version'], user: ['user_id'] },
  },
  segment_comments: {
    required: {
      ...{ post_id: TEXT, segment_id: TEXT, language: TEXT, user_id: TEXT, text: TEXT, created_at: NUMBER },
    },
    parent: OF_POST,
    indexes: { post: ['post_id', 'language'], user: ['user_id'] },
  },
  post_languages: {
    required: {
      ...{ post_id: TEXT, language: TEXT, state: TEXT, rule: TEXT },
      ...{ missing: NUMBER, machine: NUMBER, edited: NUMBER, reviewed: NUMBER, outdated: NUMBER },
      ...{ blocked: NUMBER, updated_at: NUMBER },
    },
    optional: { released_at: NUMBER, user_id: TEXT, columns_hash: TEXT },
    parent: OF_POST,
    indexes: { post: ['post_id', 'language'], queue: ['language', 'updated_at', 'id'], user: ['user_id'] },
  },
  translation_jobs: {
    required: {
      ...{ post_id: TEXT, user_id: TEXT, state: TEXT, languages: TEXT, words_done: NUMBER },
      ...{ words_total: NUMBER, attempts: NUMBER, created_at: NUMBER, updated_at: NUMBER },
    },
    optional: { segments: TEXT, fault: TEXT, leased_until: NUMBER, leased_by: TEXT },
    parent: OF_POST,
    indexes: { post: ['post_id', 'created_at'], due: ['state', 'leased_until'], user: ['user_id'] },
  },
  translation_terms: {
    required: { user_id: TEXT, keep: NUMBER, created_at: NUMBER, updated_at: NUMBER },
    optional: { term_en: TEXT, term_es: TEXT, term_fr: TEXT, term_de: TEXT, note: TEXT },
    indexes: { user: ['user_id'] },
  },
  translation_memory: {
    required: {
      ...{ source_language: TEXT, language: TEXT, source_hash: TEXT, writer_kind: TEXT },
      ...{ updated_at: NUMBER, key_1: TEXT, key_2: TEXT, key_3: TEXT, key_4: TEXT },
      ...{ source_text: TEXT, text: TEXT },
    },
    optional: { user_id: TEXT, post_id: TEXT },
    indexes: {
      ...{ exact: ['language', 'source_hash'], user: ['user_id'] },
      ...{ key_1: ['key_1'], key_2: ['key_2'], key_3: ['key_3'], key_4: ['key_4'] },
    },
  },
  translation_reports: {
    required: { post_id: TEXT, language: TEXT, quote: TEXT, message: TEXT, created_at: NUMBER },
    optional: { segment_id: TEXT, user_id: TEXT, resolved_by: TEXT, resolved_at: NUMBER },
    parent: ['post_id', 'journal_posts'],
    indexes: { post: ['post_id'], open: ['resolved_at', 'created_at'], user: ['user_id'] },
  },
  comment_translations: {
    required: { comment_id: TEXT, language: TEXT, source_hash: TEXT, created_at: NUMBER, text: TEXT },
    optional: { findings: TEXT },
    parent: ['comment_id', 'post_comments'],
    indexes: { comment: ['comment_id'] },
  },
};

/**
 * Creates the tables of translations, and the column by which readers know where a translation comes from. The segments of a
 * post exist before it is published, and for posts without a working copy: triggers remove them with the last of the two.
 */
export const translationMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('journal_posts').addColumn('translations', 'text').execute();
    for (const [name, table] of Object.entries(NEW_TABLES)) await create(db, name, table);
    for (const statement of isSqlite(db) ? SQLITE_TRIGGERS : POSTGRES_TRIGGERS)
      await sql.raw(statement).execute(db);
  },
  async down(db: Kysely<unknown>) {
    for (const [trigger, table] of TRIGGERS) {
      await sql.raw(`DROP TRIGGER ${trigger}${isSqlite(db) ? '' : ` ON ${table}`}`).execute(db);
      if (!isSqlite(db)) await sql.raw(`DROP FUNCTION ${trigger}()`).execute(db);
    }
    for (const name of Object.keys(NEW_TABLES).reverse()) await db.schema.dropTable(name).execute();
    await db.schema.alterTable('journal_posts').dropColumn('translations').execute();
  },
};

async function create({ schema }: Kysely<unknown>, name: string, table: NewTable): Promise<void> {
  const { required, optional = {}, parent, indexes = {} } = table;
  let made: CreateTableBuilder<string, string> = schema
    .createTable(name)
    .addColumn('id', 'text', (column) => column.notNull().primaryKey());
  for (const [column, type] of Object.entries(required)) {
    made = made.addColumn(column, type, (built) =>
      parent?.[0] === column
        ? built.notNull().references(`${parent[1]}.id`).onDelete('cascade')
        : built.notNull(),
    );
  }
  for (const [column, type] of Object.entries(optional)) made = made.addColumn(column, type);
  await made.execute();
  for (const [index, columns] of Object.entries(indexes)) {
    await schema
      .createIndex(`${name}_${index}`)
      .on(name)
      .columns([...columns])
      .execute();
  }
}

function isSqlite(db: Kysely<unknown>): boolean {
  return db.getExecutor().adapter instanceof SqliteAdapter;
}

/** Each trigger with its table and the one that may have the same id. */
const TRIGGERS = [
  ['post_segments_with_post', 'journal_posts', 'post_drafts'],
  ['post_segments_with_draft', 'post_drafts', 'journal_posts'],
] as const;

const removal = (other: string) =>
  `DELETE FROM post_segments WHERE id = OLD.id AND NOT EXISTS (SELECT 1 FROM ${other} WHERE id = OLD.id)`;

const SQLITE_TRIGGERS = TRIGGERS.map(
  ([trigger, table, other]) =>
    `CREATE TRIGGER ${trigger} AFTER DELETE ON ${table} BEGIN ${removal(other)}; END`,
);

const POSTGRES_TRIGGERS = TRIGGERS.flatMap(([trigger, table, other]) => [
  `CREATE FUNCTION ${trigger}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${removal(other)}; RETURN NULL; END $$`,
  `CREATE TRIGGER ${trigger} AFTER DELETE ON ${table} FOR EACH ROW EXECUTE FUNCTION ${trigger}()`,
]);

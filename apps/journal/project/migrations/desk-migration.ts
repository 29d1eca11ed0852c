import type { Migration } from '@fabrica/backend';
import { type Kysely, SqliteAdapter, sql } from 'kysely';

/** Columns of what readers see of a document beside its texts and its image. They are last: no list reads them. */
const POST_COLUMNS = ['content_format', 'cover', 'sources', 'byline'];

/**
 * Creates the tables of the editorial desk. A post that is deleted, by whichever program, takes its working copy along,
 * which a trigger sees to: a working copy exists before its post, and cannot refer to it.
 */
export const deskMigration: Migration = {
  async up(db: Kysely<unknown>) {
    for (const name of POST_COLUMNS)
      await db.schema.alterTable('journal_posts').addColumn(name, 'text').execute();
    await createDrafts(db);
    await createRevisions(db);
    await createSlugs(db);
    await createPreviews(db);
    await createFiles(db);
    for (const statement of isSqlite(db) ? SQLITE_TRIGGER : POSTGRES_TRIGGER)
      await sql.raw(statement).execute(db);
  },
  async down(db: Kysely<unknown>) {
    await sql.raw(`DROP TRIGGER post_draft_removal${isSqlite(db) ? '' : ' ON journal_posts'}`).execute(db);
    if (!isSqlite(db)) await sql.raw('DROP FUNCTION post_draft_removal()').execute(db);
    for (const table of ['post_files', 'post_previews', 'post_slugs', 'post_revisions', 'post_drafts'])
      await db.schema.dropTable(table).execute();
    for (const name of POST_COLUMNS) await db.schema.alterTable('journal_posts').dropColumn(name).execute();
  },
};

/** Adds the further pictures of a post. The column is the last one: no list reads it. */
export const picturesMigration: Migration = {
  compatibleWith: 'any',
  async up({ schema }: Kysely<unknown>) {
    await schema.alterTable('journal_posts').addColumn('pictures', 'text').execute();
  },
  async down({ schema }: Kysely<unknown>) {
    await schema.alterTable('journal_posts').dropColumn('pictures').execute();
  },
};

async function createDrafts({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('post_drafts')
    .addColumn('id', 'text', (column) => column.notNull().primaryKey())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('changed', 'bigint', (column) => column.notNull())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('image_url', 'text')
    .addColumn('languages', 'text', (column) => column.notNull())
    .addColumn('people', 'text', (column) => column.notNull())
    .addColumn('revisions', 'bigint', (column) => column.notNull())
    .addColumn('revised_at', 'bigint', (column) => column.notNull())
    .addColumn('published_revision', 'text')
    .addColumn('published_at', 'bigint')
    .addColumn('post_updated_at', 'bigint')
    .addColumn('scheduled_at', 'bigint')
    .addColumn('time_zone', 'text')
    .addColumn('schedule_fault', 'text')
    .addColumn('discarded_at', 'bigint')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_by', 'text')
    // The document is last, because lists do not read it.
    .addColumn('document', 'text', (column) => column.notNull())
    .execute();
  await schema.createIndex('post_drafts_user').on('post_drafts').columns(['user_id']).execute();
  await schema.createIndex('post_drafts_due').on('post_drafts').columns(['state', 'scheduled_at']).execute();
  await schema.createIndex('post_drafts_bin').on('post_drafts').columns(['discarded_at']).execute();
}

async function createRevisions({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('post_revisions')
    .addColumn('id', 'text', (column) => column.notNull().primaryKey())
    .addColumn('post_id', 'text', (column) =>
      column.notNull().references('post_drafts.id').onDelete('cascade'),
    )
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('number', 'bigint', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('document', 'text', (column) => column.notNull())
    .execute();
  await schema
    .createIndex('post_revisions_number')
    .unique()
    .on('post_revisions')
    .columns(['post_id', 'number'])
    .execute();
  await schema.createIndex('post_revisions_user').on('post_revisions').columns(['user_id']).execute();
}

/** The id of a row is the slug itself. */
async function createSlugs({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('post_slugs')
    .addColumn('id', 'text', (column) => column.notNull().primaryKey())
    .addColumn('post_id', 'text', (column) =>
      column.notNull().references('journal_posts.id').onDelete('cascade'),
    )
    .addColumn('language', 'text', (column) => column.notNull())
    .addColumn('current', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema.createIndex('post_slugs_post').on('post_slugs').columns(['post_id', 'language']).execute();
}

/** The id of a row is the hash of a link's token. */
async function createPreviews({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('post_previews')
    .addColumn('id', 'text', (column) => column.notNull().primaryKey())
    .addColumn('post_id', 'text', (column) =>
      column.notNull().references('post_drafts.id').onDelete('cascade'),
    )
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema.createIndex('post_previews_post').on('post_previews').columns(['post_id']).execute();
  await schema.createIndex('post_previews_user').on('post_previews').columns(['user_id']).execute();
}

/** The files that a post's working copy or one of its revisions refers to, which keeps them in the storage. */
async function createFiles({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('post_files')
    .addColumn('id', 'text', (column) => column.notNull().primaryKey())
    .addColumn('post_id', 'text', (column) =>
      column.notNull().references('post_drafts.id').onDelete('cascade'),
    )
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('url', 'text', (column) => column.notNull())
    .execute();
  await schema.createIndex('post_files_once').unique().on('post_files').columns(['post_id', 'url']).execute();
  await schema.createIndex('post_files_user').on('post_files').columns(['user_id']).execute();
}

function isSqlite(db: Kysely<unknown>): boolean {
  return db.getExecutor().adapter instanceof SqliteAdapter;
}

const SQLITE_TRIGGER = [
  'CREATE TRIGGER post_draft_removal AFTER DELETE ON journal_posts BEGIN DELETE FROM post_drafts WHERE id = OLD.id; END',
];

const POSTGRES_TRIGGER = [
  'CREATE FUNCTION post_draft_removal() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN DELETE FROM post_drafts WHERE id = OLD.id; RETURN NULL; END $$',
  'CREATE TRIGGER post_draft_removal AFTER DELETE ON journal_posts FOR EACH ROW EXECUTE FUNCTION post_draft_removal()',
];

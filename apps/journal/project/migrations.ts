import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const translations = ['en', 'es', 'fr', 'de'] as const;

/** The journal's tables (docs/spec/product.md section 3); `users` is there already, it belongs to auth. */
const tables: Migration = {
  async up(db: Kysely<unknown>) {
    let posts = db.schema
      .createTable('journal_posts')
      .addColumn('id', 'text', (column) => column.notNull().primaryKey())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('title', 'text', (column) => column.notNull());
    for (const language of translations) posts = posts.addColumn(`title_${language}`, 'text');
    posts = posts
      .addColumn('image_url', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .addColumn('published', 'bigint', (column) => column.notNull())
      // The long texts stand last: what comes after them is only reached by reading through them.
      .addColumn('content', 'text', (column) => column.notNull());
    for (const language of translations) posts = posts.addColumn(`content_${language}`, 'text');
    await posts.execute();
    await createLikes(db, { table: 'post_likes', of: 'journal_posts', column: 'post_id' });
    await db.schema
      .createTable('post_comments')
      .addColumn('id', 'text', (column) => column.notNull().primaryKey())
      .addColumn('post_id', 'text', (column) =>
        column.notNull().references('journal_posts.id').onDelete('cascade'),
      )
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('user_name', 'text', (column) => column.notNull())
      .addColumn('content', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute();
    await createLikes(db, { table: 'comment_likes', of: 'post_comments', column: 'comment_id' });
    await createIndexes(db);
  },
  async down({ schema }: Kysely<unknown>) {
    for (const table of ['comment_likes', 'post_comments', 'post_likes', 'journal_posts'])
      await schema.dropTable(table).execute();
  },
};

/** A like is given once: the pair is unique, and its index answers "who likes this" and "do I". */
async function createLikes(
  db: Kysely<unknown>,
  { table, of, column: target }: { table: string; of: string; column: string },
): Promise<void> {
  await db.schema
    .createTable(table)
    .addColumn('id', 'text', (column) => column.notNull().primaryKey())
    .addColumn(target, 'text', (column) => column.notNull().references(`${of}.id`).onDelete('cascade'))
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex(`${table}_one_per_user`)
    .unique()
    .on(table)
    .columns([target, 'user_id'])
    .execute();
  await db.schema.createIndex(`${table}_user`).on(table).column('user_id').execute();
}

/** Each serves a list of docs/spec/product.md section 7, and the account's own rows; the last columns are its order. */
async function createIndexes(db: Kysely<unknown>): Promise<void> {
  const index = (name: string, table: string, columns: string[]) =>
    db.schema.createIndex(name).on(table).columns(columns).execute();
  await index('journal_posts_gallery', 'journal_posts', ['published', 'created_at', 'id']);
  await index('journal_posts_user', 'journal_posts', ['user_id', 'created_at', 'id']);
  await index('post_comments_post', 'post_comments', ['post_id', 'created_at', 'id']);
  await index('post_comments_user', 'post_comments', ['user_id']);
}

/** What everyone may know of an account: never its address. */
const profiles: Migration = {
  async up(db: Kysely<{ users: { id: string; display_name: string | null; photo_url: string | null } }>) {
    await db.schema
      .createView('profiles')
      .as(db.selectFrom('users').select(['id', 'display_name', 'photo_url']))
      .execute();
  },
  async down({ schema }: Kysely<unknown>) {
    await schema.dropView('profiles').execute();
  },
};

const imageColumns = [
  ['image_width', 'bigint'],
  ['image_height', 'bigint'],
  ['image_placeholder', 'text'],
] as const;

const contents = ['content', ...translations.map((language) => `content_${language}`)] as const;

/**
 * What a card needs to know of a post's image. The texts move behind it, where they were before: lists are read
 * without them.
 */
const images: Migration = {
  async up(db: Kysely<unknown>) {
    const change = () => db.schema.alterTable('journal_posts');
    for (const column of contents) await change().renameColumn(column, `${column}_before`).execute();
    for (const [name, type] of imageColumns) await change().addColumn(name, type).execute();
    for (const column of contents) {
      const required = column === 'content';
      await change()
        .addColumn(column, 'text', (text) => (required ? text.notNull().defaultTo('') : text))
        .execute();
    }
    const moves = contents.map((column) => sql`${sql.ref(column)} = ${sql.ref(`${column}_before`)}`);
    await sql`update journal_posts set ${sql.join(moves)}`.execute(db);
    for (const column of contents) await change().dropColumn(`${column}_before`).execute();
  },
  /** The texts stand last again by themselves. */
  async down({ schema }: Kysely<unknown>) {
    for (const [name] of imageColumns) await schema.alterTable('journal_posts').dropColumn(name).execute();
  },
};

/** Which of a post's translations failed. Only the post's own page asks, which reads the texts anyway. */
const untranslated: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema.alterTable('journal_posts').addColumn('untranslated', 'text').execute();
  },
  async down({ schema }: Kysely<unknown>) {
    await schema.alterTable('journal_posts').dropColumn('untranslated').execute();
  },
};

/** What was written since a moment, on whichever post: what authors are still to be told of. */
const commentsByTime: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createIndex('post_comments_time')
      .on('post_comments')
      .columns(['created_at', 'id'])
      .execute();
  },
  async down({ schema }: Kysely<unknown>) {
    await schema.dropIndex('post_comments_time').execute();
  },
};

/** How many likes there were on each day. */
const likesByTime: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema.createIndex('post_likes_time').on('post_likes').column('created_at').execute();
  },
  async down({ schema }: Kysely<unknown>) {
    await schema.dropIndex('post_likes_time').execute();
  },
};

/** Run in the order of these names, after those of the backend's services, whose names start with digits. */
export const migrations: Record<string, Migration> = {
  'journal-0001-tables': tables,
  'journal-0002-profiles': profiles,
  'journal-0003-images': images,
  'journal-0004-untranslated': untranslated,
  'journal-0005-comments-by-time': commentsByTime,
  'journal-0006-likes-by-time': likesByTime,
};

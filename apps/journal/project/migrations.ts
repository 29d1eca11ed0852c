import type { Migration } from '@fabrica/backend';
import { looksLikeEmail } from '@fabrica/contract';
import { type Kysely, sql } from 'kysely';
import { assetMigration } from './migrations/asset-migration.ts';
import { bylineConsentsMigration } from './migrations/byline-consents-migration.ts';
import { datedChangesMigration, datesOfPublications } from './migrations/dated-changes-migration.ts';
import { deskMigration, picturesMigration } from './migrations/desk-migration.ts';
import {
  deskWords,
  deskWordsMigration,
  draftBylines,
  postBylines,
  revisionBylines,
} from './migrations/document-migrations.ts';
import { doubtfulTranslations } from './migrations/doubtful-translations-migration.ts';
import { examinedPostsMigration, formerExamination } from './migrations/examined-posts-migration.ts';
import { hiddenAccountsMigration } from './migrations/hidden-accounts-migration.ts';
import { introductionsMigration } from './migrations/introductions-migration.ts';
import { labelsOfTranslations } from './migrations/label-migration.ts';
import { listIndexesMigration, queueIndexMigration } from './migrations/list-indexes-migration.ts';
import { machineJobsMigration } from './migrations/machine-jobs-migration.ts';
import {
  searchCaseMigration,
  searchCaseTexts,
  searchForms,
  searchFormsMigration,
  searchMigration,
  searchPassagesMigration,
  searchWords,
  searchWordsMigration,
} from './migrations/search-migration.ts';
import { secondReadingsMigration } from './migrations/second-readings-migration.ts';
import { siteMigration } from './migrations/site-migration.ts';
import { translatedByMigration } from './migrations/translated-by-migration.ts';
import { translatedPostsMigration } from './migrations/translated-posts-migration.ts';
import { translationBriefsMigration } from './migrations/translation-briefs-migration.ts';
import { translationMigration } from './migrations/translation-migration.ts';
import { recogniseLanguage } from './recognise-language.ts';

const translations = ['en', 'es', 'fr', 'de'] as const;

/** Creates the journal's tables (docs/spec/product.md section 3). The auth service has created `users` before. */
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
      // The long texts are last, because an engine reads through them to reach the columns after them.
      .addColumn('content', 'text', (column) => column.notNull());
    for (const language of translations) posts = posts.addColumn(`content_${language}`, 'text');
    await posts.execute();
    await createLikes(db, { table: 'post_likes', parent: 'journal_posts', column: 'post_id' });
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
    await createLikes(db, { table: 'comment_likes', parent: 'post_comments', column: 'comment_id' });
    await createIndexes(db);
  },
  async down({ schema }: Kysely<unknown>) {
    for (const table of ['comment_likes', 'post_comments', 'post_likes', 'journal_posts'])
      await schema.dropTable(table).execute();
  },
};

/**
 * Creates a table of likes. The index on the pair makes each like unique, and serves the lookups by target and by
 * user.
 */
async function createLikes(
  db: Kysely<unknown>,
  { table, parent, column: target }: { table: string; parent: string; column: string },
): Promise<void> {
  await db.schema
    .createTable(table)
    .addColumn('id', 'text', (column) => column.notNull().primaryKey())
    .addColumn(target, 'text', (column) => column.notNull().references(`${parent}.id`).onDelete('cascade'))
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

/**
 * Creates the indexes for the lists of docs/spec/product.md section 7, ordered by their last columns, and for an
 * account's own rows.
 */
async function createIndexes(db: Kysely<unknown>): Promise<void> {
  const index = (name: string, table: string, columns: string[]) =>
    db.schema.createIndex(name).on(table).columns(columns).execute();
  await index('journal_posts_gallery', 'journal_posts', ['published', 'created_at', 'id']);
  await index('journal_posts_user', 'journal_posts', ['user_id', 'created_at', 'id']);
  await index('post_comments_post', 'post_comments', ['post_id', 'created_at', 'id']);
  await index('post_comments_user', 'post_comments', ['user_id']);
}

/** Creates the view of the public columns of accounts, without the e-mail address. */
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
 * Adds the columns that a card needs for a post's image. The texts move behind them, so that lists are read without the
 * texts, as before.
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
  /** Leaves the texts last. */
  async down({ schema }: Kysely<unknown>) {
    for (const [name] of imageColumns) await schema.alterTable('journal_posts').dropColumn(name).execute();
  },
};

/** Adds the list of a post's failed translations. Only the post's own page reads it, which reads the texts anyway. */
const untranslated: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema.alterTable('journal_posts').addColumn('untranslated', 'text').execute();
  },
  async down({ schema }: Kysely<unknown>) {
    await schema.alterTable('journal_posts').dropColumn('untranslated').execute();
  },
};

/** Creates the index for the comments since a time on all posts, which the mails to authors list. */
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

/** Creates the index for the number of likes on each day. */
const likesByTime: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema.createIndex('post_likes_time').on('post_likes').column('created_at').execute();
  },
  async down({ schema }: Kysely<unknown>) {
    await schema.dropIndex('post_likes_time').execute();
  },
};

interface NamedComments {
  users: { id: string; display_name: string | null };
  post_comments: { user_id: string; user_name: string };
}

/** Replaces the e-mail addresses that comments were published under by the account's present name, or "Anonymous". */
const commentNames: Migration = {
  async up(db: Kysely<NamedComments>) {
    const names = await db
      .selectFrom('post_comments')
      .leftJoin('users', 'users.id', 'post_comments.user_id')
      .select(['user_id', 'user_name', 'display_name'])
      .distinct()
      .where('user_name', 'like', '%_@_%._%')
      .execute();
    for (const { user_id, user_name, display_name } of names) {
      if (!looksLikeEmail(user_name)) continue;
      const name = display_name && !looksLikeEmail(display_name) ? display_name : 'Anonymous';
      await db
        .updateTable('post_comments')
        .set({ user_name: name })
        .where('user_id', '=', user_id)
        .where('user_name', '=', user_name)
        .execute();
    }
  },
  /** Leaves the names as they are. */
  async down() {},
};

interface Originals {
  journal_posts: { id: string; content: string; language: string | null };
}

/** Adds the language of a post's original text, and finds it for the posts that exist. */
const languages: Migration = {
  async up(db: Kysely<Originals>) {
    await db.schema.alterTable('journal_posts').addColumn('language', 'text').execute();
    const ids = await db.selectFrom('journal_posts').select('id').execute();
    for (const { id } of ids) {
      const post = db.selectFrom('journal_posts').select('content').where('id', '=', id);
      const language = recogniseLanguage((await post.executeTakeFirstOrThrow()).content);
      if (!language) continue;
      await db.updateTable('journal_posts').set({ language }).where('id', '=', id).execute();
    }
  },
  async down({ schema }: Kysely<unknown>) {
    await schema.alterTable('journal_posts').dropColumn('language').execute();
  },
};

/**
 * The migrations run in the order of their names, after those of the backend's services, whose names begin with
 * digits.
 */
export const migrations: Record<string, Migration> = {
  'journal-0001-tables': tables,
  'journal-0002-profiles': profiles,
  'journal-0003-images': images,
  'journal-0004-untranslated': untranslated,
  'journal-0005-comments-by-time': commentsByTime,
  'journal-0006-likes-by-time': likesByTime,
  'journal-0007-search': searchMigration,
  'journal-0008-comment-names': commentNames,
  'journal-0009-site': siteMigration,
  'journal-0010-languages': languages,
  'journal-0011-desk': deskMigration,
  'journal-0012-search-case': searchCaseMigration,
  'journal-0013-translations': translationMigration,
  'journal-0014-search-case-texts': searchCaseTexts,
  'journal-0015-page-assets': assetMigration,
  'journal-0016-pictures': picturesMigration,
  'journal-0017-search-words': searchWordsMigration,
  'journal-0018-search-words-texts': searchWords,
  'journal-0019-desk-words': deskWordsMigration,
  'journal-0020-desk-words-texts': deskWords,
  'journal-0021-list-indexes': listIndexesMigration,
  'journal-0022-post-bylines': postBylines,
  'journal-0023-draft-bylines': draftBylines,
  'journal-0024-revision-bylines': revisionBylines,
  'journal-0025-translated-posts': translatedPostsMigration,
  'journal-0026-queue-index': queueIndexMigration,
  'journal-0027-translated-by': translatedByMigration,
  'journal-0028-labels': labelsOfTranslations,
  'journal-0031-doubtful-translations': doubtfulTranslations,
  'journal-0036-hidden-accounts': hiddenAccountsMigration,
  'journal-0037-machine-jobs': machineJobsMigration,
  'journal-0039-search-forms': searchFormsMigration,
  'journal-0040-search-forms-texts': searchForms,
  'journal-0041-dated-changes': datedChangesMigration,
  'journal-0042-dates-of-publications': datesOfPublications,
  // Their usual forms (NFKC) are found since `foldText` writes them.
  'journal-0042-desk-words-forms': deskWords,
  'journal-0043-byline-consents': bylineConsentsMigration,
  'journal-0044-examined-anew': formerExamination,
  'journal-0045-second-readings': secondReadingsMigration,
  'journal-0046-translation-briefs': translationBriefsMigration,
  'journal-0047-examined-posts': examinedPostsMigration,
  'journal-0048-introductions': introductionsMigration,
  'journal-0049-search-passages': searchPassagesMigration,
};

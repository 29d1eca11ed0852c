import {
  allOf,
  anyOf,
  type Column,
  callerId,
  equals,
  everyRow,
  type Filter,
  not,
  permitted,
  type RowPolicy,
  type Table,
  through,
} from '@fabrica/backend';
import { toSnakeCase } from '@fabrica/contract';
import { deskTables } from './desk-tables.ts';
import {
  BASE64,
  coverDetails,
  datedChanges,
  jsonOf,
  pictures,
  publicByline,
  sources,
  TRANSLATION_PARTS_PATTERN,
  WEB_URL,
} from './document.ts';
import { DOCUMENT_LIMITS } from './document-limits.ts';
import type { JournalPost } from './entities.ts';
import { POST_COLUMNS } from './post-fields.ts';
import { siteTables } from './site-tables.ts';
import { translationTables } from './translation-tables.ts';
import { releasedTranslations } from './translations.ts';

const own = equals('user_id', callerId);
const published = equals('published', 1);
/** Requires that an operator has not hidden what the account has written below the texts of others. */
const shown = not(through('user_id', 'hidden_accounts', everyRow));
const readAll: RowPolicy = { read: everyRow };
/** Every row for those who edit the posts of all. */
const editor = permitted('posts.edit-any');
const readable = anyOf(published, own, editor);
/** Requires that the caller can read the post. */
const onReadablePost = through('post_id', 'journal_posts', readable);
const onReadableComment = through('comment_id', 'post_comments', onReadablePost);
/** Returns who reads the rows of a post: all who can read the post, and accounts their own ones, which they may delete. */
const readWith = (post: Filter) => ({ anonymous: { read: post }, signedIn: { read: anyOf(own, post) } });
const ofPost = readWith(onReadablePost);
const ofComment = readWith(onReadableComment);
/** Requires that no other account has a working copy under this id: its links show the id to all who have one. */
const takesNoDraft = not(through('id', 'post_drafts', not(own)));

/** Matches a line without an e-mail address and control characters: not even the service role publishes such a name. */
const PUBLIC_NAME = /^(?!.*[^\s@]@[^\s@]+\.[^\s@])[^\p{Cc}\p{Bidi_Control}\u2028\u2029]*$/u;

const id = { type: 'text', max: 100, pattern: /^[A-Za-z0-9_-]+$/ } as const;
const createdAt = { type: 'integer', min: 0, stamp: 'create' } as const;
const translatedTitle = { type: 'text', max: 300, nullable: true } as const;
const pixels = { type: 'integer', min: 1, max: 1_000_000, nullable: true } as const;
const searchedText = { type: 'text', max: 300_000, nullable: true } as const;
const translatedContent = { type: 'text', max: 100_000, nullable: true } as const;

/** Lists the columns of a post that its owner may change. */
const editableColumns = [...POST_COLUMNS.map(toSnakeCase), ...['translated_by', 'published', 'updated_at']];

type StoredName<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${StoredName<Rest>}`
  : Name;

/**
 * Defines the journal's tables with their columns, limits and row policies (see the table of rules in
 * ARCHITECTURE.md).
 */
export const tables: Record<string, Table> = {
  journal_posts: {
    idPrefix: 'post_',
    columns: {
      id,
      user_id: id,
      title: { type: 'text', min: 1, max: 300, trim: true },
      content: { type: 'text', min: 1, max: 100_000, trim: true },
      image_url: { type: 'text', min: 1, max: 2_000, pattern: WEB_URL },
      image_width: pixels,
      image_height: pixels,
      image_placeholder: { type: 'text', max: 100, nullable: true, pattern: BASE64 },
      title_en: translatedTitle,
      title_es: translatedTitle,
      title_fr: translatedTitle,
      title_de: translatedTitle,
      content_en: translatedContent,
      content_es: translatedContent,
      content_fr: translatedContent,
      content_de: translatedContent,
      untranslated: { type: 'text', max: 100, nullable: true, pattern: TRANSLATION_PARTS_PATTERN },
      language: { type: 'text', max: 2, nullable: true, pattern: /^(?:en|es|fr|de)$/ },
      /** Null for plain text. */
      content_format: { type: 'text', max: 20, nullable: true, pattern: /^(?:plain|markdown)$/ },
      /** JSON, as the next two: what is said about the image; references; the people of the post. */
      cover: { type: 'text', max: DOCUMENT_LIMITS.coverJson, nullable: true, check: jsonOf(coverDetails) },
      sources: { type: 'text', max: DOCUMENT_LIMITS.sourcesJson, nullable: true, check: jsonOf(sources) },
      byline: { type: 'text', max: 30_000, nullable: true, check: jsonOf(publicByline) },
      created_at: createdAt,
      updated_at: { type: 'integer', min: 0, stamp: 'write' },
      published: { type: 'integer', min: 0, max: 1, default: 1 },
      /** JSON: what readers may know of the translations. The desk alone writes it. */
      translations: { type: 'text', max: 1_000_000, nullable: true, check: jsonOf(releasedTranslations) },
      /** JSON: the pictures beside the image, each with what is said about it. */
      pictures: { type: 'text', max: DOCUMENT_LIMITS.picturesJson, nullable: true, check: jsonOf(pictures) },
      /** `machine` says who wrote the translations that this one write changes. What is not said is uncertain. */
      translated_by: { type: 'text', max: 20, nullable: true, pattern: /^machine$/ },
      /** JSON: when the words that readers have changed last. A trigger of the database and the desk write it. */
      dated_changes: { type: 'text', max: 2_000, nullable: true, check: jsonOf(datedChanges) },
    } satisfies Record<StoredName<keyof JournalPost>, Column>,
    files: ['image_url'],
    searchedTexts: ['en', 'es', 'fr', 'de'].flatMap((language) => [
      [`title_${language}`, 'title'],
      [`content_${language}`, 'content'],
    ]),
    policies: {
      anonymous: { read: published },
      signedIn: {
        read: readable,
        create: allOf(
          ...[own, permitted('posts.create'), takesNoDraft],
          ...['translations', 'dated_changes'].map(
            (column) => ({ kind: 'is', column, value: 'null' }) as const,
          ),
        ),
        update: { where: anyOf(own, editor), columns: editableColumns },
        delete: anyOf(own, editor),
      },
    },
  },
  post_likes: {
    idPrefix: 'like_',
    columns: { id, post_id: id, user_id: id, created_at: createdAt },
    onePer: ['post_id', 'user_id'],
    hidesOwner: true,
    policies: {
      ...ofPost,
      signedIn: { ...ofPost.signedIn, create: allOf(own, onReadablePost), delete: own },
    },
  },
  post_comments: {
    idPrefix: 'comment_',
    columns: {
      id,
      post_id: id,
      user_id: id,
      user_name: { type: 'text', min: 1, max: 320, pattern: PUBLIC_NAME, stamp: 'caller-name' },
      content: { type: 'text', min: 1, max: 5_000, trim: true },
      created_at: createdAt,
    },
    limits: { rowsPerHour: { post_id: 100 } },
    moderated: true,
    policies: {
      anonymous: { read: allOf(shown, onReadablePost) },
      signedIn: {
        read: allOf(shown, ofPost.signedIn.read),
        create: allOf(own, onReadablePost),
        delete: anyOf(own, through('post_id', 'journal_posts', own), permitted('comments.moderate')),
      },
    },
  },
  comment_likes: {
    idPrefix: 'clike_',
    columns: { id, comment_id: id, user_id: id, created_at: createdAt },
    onePer: ['comment_id', 'user_id'],
    hidesOwner: true,
    policies: {
      ...ofComment,
      signedIn: { ...ofComment.signedIn, create: allOf(own, onReadableComment), delete: own },
    },
  },
  /** Finds posts by `text_…`, which `foldText` has made of the title, the content and the author's name. */
  searchable_posts: {
    view: true,
    columns: {
      id,
      user_id: id,
      title: { type: 'text', max: 300 },
      title_en: translatedTitle,
      title_es: translatedTitle,
      title_fr: translatedTitle,
      title_de: translatedTitle,
      image_url: { type: 'text', max: 2_000 },
      image_width: pixels,
      image_height: pixels,
      image_placeholder: { type: 'text', max: 100, nullable: true },
      created_at: { type: 'integer' },
      published: { type: 'integer' },
      language: { type: 'text', max: 2, nullable: true },
      text_en: searchedText,
      text_es: searchedText,
      text_fr: searchedText,
      text_de: searchedText,
    },
    policies: { anonymous: { read: published }, signedIn: { read: readable } },
  },
  /** Says in which languages posts exist, without their texts: `en,de,`. */
  translated_posts: {
    view: true,
    columns: {
      id,
      user_id: id,
      published: { type: 'integer' },
      created_at: { type: 'integer' },
      language: { type: 'text', max: 2, nullable: true },
      translations: { type: 'text', max: 20 },
      opening: { type: 'text', max: 4_000, nullable: true },
    },
    policies: { anonymous: { read: published }, signedIn: { read: readable } },
  },
  /** What the accounts that a byline names say to that. The desk alone writes it. */
  byline_consents: {
    idPrefix: 'consent_',
    columns: {
      id: { ...id, max: 120 },
      post_id: id,
      /** The account of the post. */
      user_id: id,
      /** The account that is named. */
      account_id: id,
      accepted: { type: 'integer', min: 0, max: 1 },
      created_at: createdAt,
    },
    policies: {
      anonymous: { read: allOf(equals('accepted', 1), onReadablePost) },
      signedIn: { read: anyOf(equals('account_id', callerId), allOf(equals('accepted', 1), onReadablePost)) },
    },
  },
  /** The sentences by which authors introduce themselves below their posts. */
  introductions: {
    idPrefix: 'intro_',
    columns: {
      id,
      user_id: id,
      language: { type: 'text', max: 2, pattern: /^(?:en|es|fr|de)$/ },
      sentence: { type: 'text', min: 1, max: 200, trim: true, pattern: /^[^\p{Cc}\u2028\u2029]*$/u },
    },
    onePer: ['user_id', 'language'],
    policies: {
      anonymous: readAll,
      signedIn: {
        ...readAll,
        create: allOf(own, permitted('posts.create')),
        update: { where: own, columns: ['sentence'] },
        delete: own,
      },
    },
  },
  /** Nobody reads it: mails find by it the account that is named. */
  named_accounts: { view: true, ofUsers: true, columns: { id, user_id: id }, policies: { anonymous: {} } },
  ...deskTables,
  ...translationTables,
  ...siteTables,
  /** Nobody reads it: policies ask whose comments are hidden. */
  hidden_accounts: { view: true, ofUsers: true, columns: { id }, policies: { anonymous: {} } },
  profiles: {
    view: true,
    ofUsers: true,
    byIdOnly: true,
    columns: {
      id,
      display_name: { type: 'text', max: 200, nullable: true },
      photo_url: { type: 'text', max: 2_000, nullable: true },
    },
    policies: { anonymous: readAll, signedIn: readAll },
  },
};

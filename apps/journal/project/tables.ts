import {
  allOf,
  anyOf,
  callerId,
  equals,
  everyRow,
  permitted,
  type RowPolicy,
  type Table,
  through,
} from '@fabrica/backend';
import { siteTables } from './site-tables.ts';

const own = equals('user_id', callerId);
const published = equals('published', 1);
const readAll: RowPolicy = { read: everyRow };
const readable = anyOf(published, own);
/** Requires that the caller can read the post. */
const onReadablePost = through('post_id', 'journal_posts', readable);

/**
 * Matches a path from the root or an absolute URL. `javascript:` is rejected, because pages and metadata contain the
 * URL.
 */
const WEB_URL = /^(?:\/(?!\/)|https?:\/\/)[^\s<>"]*$/i;
/** Matches `title:de,content:de`, as `app/publish/translation/translation-parts.ts` writes it. */
const TRANSLATION_PARTS_PATTERN =
  /^(?:title|content):(?:en|es|fr|de)(?:,(?:title|content):(?:en|es|fr|de))*$/;
/** Matches texts without an e-mail address, which also the service role must not publish as a name. */
const NO_EMAIL = /^(?!.*[^\s@]@[^\s@]+\.[^\s@])/s;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

const id = { type: 'text', max: 100, pattern: /^[A-Za-z0-9_-]+$/ } as const;
const createdAt = { type: 'integer', min: 0, stamp: 'create' } as const;
const translatedTitle = { type: 'text', max: 300, nullable: true } as const;
const pixels = { type: 'integer', min: 1, max: 1_000_000, nullable: true } as const;
const searchedText = { type: 'text', max: 300_000, nullable: true } as const;
const translatedContent = { type: 'text', max: 100_000, nullable: true } as const;

/** Lists the columns of a post that its owner may change. */
const editableColumns = [
  'title',
  'content',
  'image_url',
  'image_width',
  'image_height',
  'image_placeholder',
  'title_en',
  'title_es',
  'title_fr',
  'title_de',
  'content_en',
  'content_es',
  'content_fr',
  'content_de',
  'untranslated',
  'language',
  'published',
  'updated_at',
];

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
      created_at: createdAt,
      updated_at: { type: 'integer', min: 0, stamp: 'write' },
      published: { type: 'integer', min: 0, max: 1, default: 1 },
    },
    files: ['image_url'],
    policies: {
      anonymous: { read: published },
      signedIn: {
        read: readable,
        create: allOf(own, permitted('posts.create')),
        update: { where: own, columns: editableColumns },
        delete: own,
      },
    },
  },
  post_likes: {
    idPrefix: 'like_',
    columns: { id, post_id: id, user_id: id, created_at: createdAt },
    onePer: ['post_id', 'user_id'],
    policies: {
      anonymous: readAll,
      signedIn: { ...readAll, create: allOf(own, onReadablePost), delete: own },
    },
  },
  post_comments: {
    idPrefix: 'comment_',
    columns: {
      id,
      post_id: id,
      user_id: id,
      user_name: { type: 'text', min: 1, max: 320, pattern: NO_EMAIL, stamp: 'caller-name' },
      content: { type: 'text', min: 1, max: 5_000, trim: true },
      created_at: createdAt,
    },
    limits: { rowsPerHour: { post_id: 100 } },
    policies: {
      anonymous: readAll,
      signedIn: {
        ...readAll,
        create: allOf(own, onReadablePost),
        delete: anyOf(own, through('post_id', 'journal_posts', own)),
      },
    },
  },
  comment_likes: {
    idPrefix: 'clike_',
    columns: { id, comment_id: id, user_id: id, created_at: createdAt },
    onePer: ['comment_id', 'user_id'],
    policies: {
      anonymous: readAll,
      signedIn: {
        ...readAll,
        create: allOf(own, through('comment_id', 'post_comments', onReadablePost)),
        delete: own,
      },
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
      text_en: searchedText,
      text_es: searchedText,
      text_fr: searchedText,
      text_de: searchedText,
    },
    policies: { anonymous: { read: published }, signedIn: { read: readable } },
  },
  ...siteTables,
  profiles: {
    view: true,
    ofUsers: true,
    columns: {
      id,
      display_name: { type: 'text', max: 200, nullable: true },
      photo_url: { type: 'text', max: 2_000, nullable: true },
    },
    policies: { anonymous: readAll, signedIn: readAll },
  },
};

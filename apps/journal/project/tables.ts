import {
  allOf,
  anyOf,
  type Column,
  callerId,
  callerName,
  equals,
  everyRow,
  permitted,
  type RowPolicy,
  type Table,
  through,
} from '@fabrica/backend';
import { type AccentTheme, isReadableAccent, MIN_CONTRAST } from '../app/site/accent.ts';

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
/** Matches `de,en`: the languages of the site, of which the first is the default. */
const LANGUAGE_LIST = /^(?:en|es|fr|de)(?:,(?:en|es|fr|de)){0,3}$/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

const id = { type: 'text', max: 100, pattern: /^[A-Za-z0-9_-]+$/ } as const;
const createdAt = { type: 'integer', min: 0, stamp: 'create' } as const;
const translatedTitle = { type: 'text', max: 300, nullable: true } as const;
const pixels = { type: 'integer', min: 1, max: 1_000_000, nullable: true } as const;
const fileUrl = { type: 'text', min: 1, max: 2_000, pattern: WEB_URL, nullable: true } as const;
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
  'published',
  'updated_at',
];

/** Returns a column for a text of the site, which is null where the operator has written none. */
function siteText(max: number): Column {
  return { type: 'text', min: 1, max, trim: true, nullable: true };
}

function accent(theme: AccentTheme): Column {
  return {
    type: 'text',
    max: 7,
    nullable: true,
    check: (colour) =>
      isReadableAccent(colour, theme)
        ? undefined
        : `must be a colour such as #8c2f2b with a contrast of ${MIN_CONTRAST} at least on the ${theme} grounds`,
  };
}

/** Returns a table of the operator's: everybody reads it, and who may edit the site writes its columns. */
function siteTable(columns: Record<string, Column>, files: readonly string[] = []): Table {
  return {
    columns: { ...columns, updated_at: { type: 'integer', min: 0, stamp: 'write' } },
    files,
    policies: {
      anonymous: readAll,
      signedIn: {
        ...readAll,
        create: permitted('site.edit'),
        update: {
          where: permitted('site.edit'),
          columns: Object.keys(columns).filter((name) => name !== 'id'),
        },
      },
    },
  };
}

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
      user_name: { type: 'text', min: 1, max: 320 },
      content: { type: 'text', min: 1, max: 5_000, trim: true },
      created_at: createdAt,
    },
    policies: {
      anonymous: readAll,
      signedIn: {
        ...readAll,
        create: allOf(own, onReadablePost, equals('user_name', callerName)),
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
  site_settings: siteTable(
    {
      id: { type: 'text', max: 4, pattern: /^site$/, default: 'site' },
      name: siteText(60),
      languages: {
        type: 'text',
        max: 11,
        nullable: true,
        pattern: LANGUAGE_LIST,
        check: (list) =>
          new Set(list.split(',')).size === list.split(',').length
            ? undefined
            : 'must name each language once',
      },
      accent_light: accent('light'),
      accent_dark: accent('dark'),
      logo_url: fileUrl,
      logo_width: pixels,
      logo_height: pixels,
      about_image_url: fileUrl,
      about_image_width: pixels,
      about_image_height: pixels,
    },
    ['logo_url', 'about_image_url'],
  ),
  site_texts: siteTable({
    id: { type: 'text', max: 2, pattern: /^(?:en|es|fr|de)$/ },
    tagline: siteText(200),
    about_image_alt: siteText(300),
    who_title: siteText(200),
    vision_title: siteText(200),
    why_title: siteText(200),
    quote_text: siteText(500),
    quote_source: siteText(200),
    who_text: siteText(20_000),
    vision_text: siteText(20_000),
    why_text: siteText(20_000),
    contact_text: siteText(5_000),
    imprint: siteText(50_000),
    privacy: siteText(50_000),
  }),
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

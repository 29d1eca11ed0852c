import { toCamelCase, toSnakeCase } from '@fabrica/contract';
import { type Cover, type PostDocument, postDocument } from '../project/document.ts';
import type { JournalPost } from '../project/entities.ts';
import { LANGUAGE_CODES } from '../project/languages.ts';
import { contentLanguages, localizedColumn } from '../project/localize.ts';
import type { POST_FIELDS, PostColumn } from '../project/post-fields.ts';
import { parseStored } from '../project/stored-json.ts';

/** A row with the names of the database. */
export type StoredRow = Record<string, string | number | null>;

/** Returns the columns of `journal_posts` that hold a document, with the names that clients see. */
export function postOfDocument(document: PostDocument): Pick<JournalPost, PostColumn> {
  const { cover, pictures, sources, byline } = document;
  return {
    title: document.title.trim(),
    content: document.content.trim(),
    ...translationsOf(document),
    language: document.language,
    untranslated: document.untranslated,
    contentFormat: document.contentFormat === 'plain' ? null : document.contentFormat,
    imageUrl: cover?.url ?? '',
    imageWidth: cover?.width ?? null,
    imageHeight: cover?.height ?? null,
    imagePlaceholder: cover?.placeholder ?? null,
    cover: cover && detailsOf(cover),
    pictures: pictures.length > 0 ? JSON.stringify(pictures) : null,
    sources: sources.length > 0 ? JSON.stringify(sources) : null,
    byline: byline.length > 0 ? JSON.stringify(byline) : null,
  };
}

/** Returns the same columns with the names of the database. */
export function columnsOfDocument(document: PostDocument): StoredRow {
  return Object.fromEntries(
    Object.entries(postOfDocument(document)).map(([name, value]) => [toSnakeCase(name), value]),
  );
}

function translationsOf({ translations }: PostDocument) {
  const columns = LANGUAGE_CODES.flatMap((language) => {
    const { title = null, content = null } = translations[language] ?? {};
    return [
      [localizedColumn('title', language), title?.trim() || null],
      [localizedColumn('content', language), content?.trim() || null],
    ];
  });
  return Object.fromEntries(columns) as Pick<
    JournalPost,
    (typeof POST_FIELDS)['translations']['columns'][number]
  >;
}

/** Returns what is said about the image as JSON; null when that is nothing. */
function detailsOf({
  url: _url,
  width: _width,
  height: _height,
  placeholder: _,
  ...details
}: Cover): string | null {
  const isEmpty = Object.values(details).every(
    (detail) => !detail || (typeof detail === 'object' && Object.keys(detail).length === 0),
  );
  return isEmpty ? null : JSON.stringify(details);
}

/** Returns the document of a row of `journal_posts`, whichever program wrote it. */
export function documentOfRow(row: StoredRow, slugs: PostDocument['slugs']): PostDocument {
  const post = Object.fromEntries(
    Object.entries(row).map(([name, value]) => [toCamelCase(name), value]),
  ) as unknown as JournalPost;
  const translations = LANGUAGE_CODES.flatMap((language) => {
    const title = post[localizedColumn('title', language)];
    const content = post[localizedColumn('content', language)];
    return title === null && content === null ? [] : [[language, { title, content }] as const];
  });
  const cover = post.imageUrl && {
    url: post.imageUrl,
    width: post.imageWidth,
    height: post.imageHeight,
    placeholder: post.imagePlaceholder,
    ...(post.cover ? JSON.parse(post.cover) : {}),
  };
  return parseStored(postDocument, {
    title: post.title,
    content: post.content,
    contentFormat: post.contentFormat ?? 'plain',
    language: post.language,
    translations: Object.fromEntries(translations),
    untranslated: post.untranslated,
    cover: cover || null,
    pictures: post.pictures ? JSON.parse(post.pictures) : [],
    sources: post.sources ? JSON.parse(post.sources) : [],
    slugs,
    byline: post.byline ? JSON.parse(post.byline) : [],
  } satisfies Record<keyof PostDocument, unknown>);
}

/** Returns the languages that a document's content exists in, the original first: `de,en`. */
export function languagesOf(document: PostDocument): string {
  const post = postOfDocument(document);
  const original = document.language && post.content ? [document.language] : [];
  return [...new Set([...original, ...contentLanguages(post)])].join(',');
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from '@fabrica/backend';
import type { CoverDetails, PostDocument } from '../../project/document.ts';
import { DOCUMENT_LIMITS } from '../../project/document-limits.ts';
import { LANGUAGE_CODES, type Language } from '../../project/languages.ts';
import type { ParseMarkdown } from '../../project/markdown/parse-tree.ts';
import { noteOf, type PlateMark, withNote } from '../../project/marks.ts';
import { recogniseLanguage } from '../../project/recognise-language.ts';
import type { PictureWords, SegmentPart } from '../../project/translations.ts';
import {
  nameOfPart,
  type SegmentText,
  type SplitPost,
  segmentsOf,
  splitPost,
  type WordsOfPicture,
} from '../../segments/split-post.ts';

/** The original of a post, split into its segments. */
export interface Original {
  /** Null when it is not known. */
  language: Language | null;
  format: PostDocument['contentFormat'];
  split: SplitPost;
  /** In order, the title first. */
  segments: readonly SegmentText[];
}

type OriginalTexts = Pick<
  PostDocument,
  'title' | 'content' | 'contentFormat' | 'language' | 'cover' | 'pictures'
>;

/** Originals whose split is cached: those of the posts that are worked on, as they are and as they were. */
const CAPACITY = 64;

/** Splits originals, and keeps the last ones: a long text takes tens of milliseconds. */
export class Originals {
  readonly parse: ParseMarkdown;
  readonly #cache = new LRUCache<string, Original>({ max: CAPACITY });

  constructor(parse: ParseMarkdown) {
    this.parse = parse;
  }

  async of(document: OriginalTexts): Promise<Original> {
    const { title, content, contentFormat, cover } = document;
    const language = originalLanguage(document);
    const wordsOf = (picture: CoverDetails | null) => (language && picture ? saidIn(picture, language) : {});
    const about = { ...wordsOf(cover), pictures: document.pictures.map(wordsOf) };
    const notes = [cover, ...document.pictures].map((picture) => picture?.marks);
    const key = JSON.stringify([language, contentFormat, title, about, notes, content]);
    const known = this.#cache.get(key);
    if (known) return known;
    const split = await splitPost({ title, content, contentFormat, ...about }, this.parse);
    // To split and to hash thousands of segments take long enough for others to come between.
    await nextTurn();
    const original = { language, format: contentFormat, split, segments: segmentsOf(split) };
    this.#cache.set(key, original);
    return original;
  }
}

/** Returns what is said about a picture in a language. */
function saidIn({ alt, caption, description, marks }: CoverDetails, language: Language): WordsOfPicture {
  return {
    alt: alt[language],
    caption: caption[language],
    description: description?.[language],
    notes: new Map(marks?.map((mark) => [mark.id, noteOf(mark, language)])),
  };
}

/** Other programs do not store the language of what they write. */
export function originalLanguage({
  language,
  content,
}: Pick<PostDocument, 'language' | 'content'>): Language | null {
  return language ?? recogniseLanguage(content) ?? null;
}

/** Returns the languages that an original is translated into. */
export function targetLanguages(language: Language | null): Language[] {
  return LANGUAGE_CODES.filter((code) => code !== language);
}

/** Returns the text of a part of a document in a language; null where there is none. */
export function partIn(document: PostDocument, part: SegmentPart, language: Language): string | null {
  return writtenIn(document, part, language)?.trim() || null;
}

/** Returns the text of a part as it is in a document: blank is not the same as none. */
export function writtenIn(
  document: PostDocument,
  part: SegmentPart,
  language: Language,
): string | null | undefined {
  const name = nameOfPart(part);
  if (name === 'title' || name === 'content') return document.translations[language]?.[name];
  if (name === 'note') {
    const mark = [document.cover, ...document.pictures]
      .flatMap((picture) => picture?.marks ?? [])
      .find(({ id }) => part === `note:${id}`);
    return mark && noteOf(mark, language);
  }
  return pictureOf(document, part)?.[name]?.[language];
}

/** Returns the same part of another document: pictures are told by their URLs, as their order changes. */
export function partAmong(part: SegmentPart, from: PostDocument, to: PostDocument): SegmentPart | undefined {
  const name = nameOfPart(part);
  if (name === part || name === 'title' || name === 'content' || name === 'note') return part;
  const at = to.pictures.findIndex(({ url }) => url === pictureOf(from, part)?.url);
  return at < 0 ? undefined : `${name}:${at}`;
}

function pictureOf({ cover, pictures }: PostDocument, part: SegmentPart) {
  const [, at] = part.split(':');
  return at === undefined ? cover : pictures[Number(at)];
}

/**
 * Returns the original's text where it stands in for the translation of a part, as the create page has it when a model fails;
 * null where a part has a translation or nothing.
 */
export function standIn(document: PostDocument, part: SegmentPart, language: Language): string | null {
  if (part !== 'title' && part !== 'content') return null;
  const text = document[part].trim();
  return partIn(document, part, language) === text ? text : null;
}

/** The texts of a post in a language by their parts; null for a part that has none. */
export type PartTexts = ReadonlyMap<SegmentPart, string | null>;

/** Returns a document with these texts in a language. */
export function withParts(document: PostDocument, language: Language, texts: PartTexts): PostDocument {
  const [title = null, content = null] = [texts.get('title'), texts.get('content')];
  const translations = without(document.translations, language);
  // What a newer version says of a language besides stays.
  const { title: _title, content: _content, ...besides } = document.translations[language] ?? {};
  const hasTexts = title !== null || content !== null || Object.keys(besides).length > 0;
  const pictures = document.pictures.map((one, at) => withWords(one, language, texts, `:${at}`));
  return {
    ...document,
    translations: hasTexts ? { ...translations, [language]: { ...besides, title, content } } : translations,
    cover: document.cover && withWords(document.cover, language, texts, ''),
    pictures: JSON.stringify(pictures).length > DOCUMENT_LIMITS.picturesJson ? document.pictures : pictures,
  };
}

/** Returns a picture with what is said about it in a language. Words that are too long for a document are left out. */
function withWords<Picture extends CoverDetails>(
  picture: Picture,
  language: Language,
  texts: PartTexts,
  place: '' | `:${number}`,
): Picture {
  const wordsOf = (name: PictureWords) => {
    const words = texts.get(`${name}${place}`);
    const fits = typeof words === 'string' && [...words].length <= DOCUMENT_LIMITS[name];
    return { ...without(picture[name] ?? {}, language), ...(fits && { [language]: words }) };
  };
  const withWritten = (mark: PlateMark) => {
    const note = texts.get(`note:${mark.id}`) ?? '';
    return withNote(mark, language, [...note].length <= DOCUMENT_LIMITS.note ? note : '');
  };
  return {
    ...picture,
    alt: wordsOf('alt'),
    caption: wordsOf('caption'),
    ...(picture.description && { description: wordsOf('description') }),
    ...(picture.marks && { marks: picture.marks.map(withWritten) }),
  };
}

function without<T extends object>(texts: T, language: Language): T {
  const { [language as keyof T]: _, ...rest } = texts;
  return rest as T;
}

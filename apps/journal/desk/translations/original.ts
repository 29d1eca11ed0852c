import { LRUCache } from '@fabrica/backend';
import { detectLanguage } from '@fabrica/dose-guard/detect-language';
import { LANGUAGE_CODES, type Language } from '../../app/language/languages.ts';
import type { PostDocument } from '../../project/document.ts';
import type { SegmentPart } from '../../project/translations.ts';
import { type SegmentText, type SplitPost, segmentsOf, splitPost } from '../../segments/split-post.ts';

/** The original of a post, split into its segments. */
export interface Original {
  /** Null when it is not known. */
  language: Language | null;
  format: PostDocument['contentFormat'];
  split: SplitPost;
  /** In order, the title first. */
  segments: readonly SegmentText[];
}

type OriginalTexts = Pick<PostDocument, 'title' | 'content' | 'contentFormat' | 'language' | 'cover'>;

/** Originals whose split is kept: those of the posts that are worked on, as they are and as they were. */
const CAPACITY = 64;

/** Splits originals, and keeps the last ones: a long text takes tens of milliseconds. */
export class Originals {
  readonly #kept = new LRUCache<string, Original>({ max: CAPACITY });

  of(document: OriginalTexts): Original {
    const { title, content, contentFormat } = document;
    const language = originalLanguage(document);
    const about = language
      ? { alt: document.cover?.alt[language], caption: document.cover?.caption[language] }
      : {};
    const key = JSON.stringify([language, contentFormat, title, about.alt, about.caption, content]);
    const known = this.#kept.get(key);
    if (known) return known;
    const original = splitOriginal({ title, content, contentFormat, ...about }, language);
    this.#kept.set(key, original);
    return original;
  }
}

function splitOriginal(texts: Parameters<typeof splitPost>[0], language: Language | null): Original {
  const split = splitPost(texts);
  return { language, format: texts.contentFormat ?? 'plain', split, segments: segmentsOf(split) };
}

/** Other programs do not store the language of what they write. */
export function originalLanguage({
  language,
  content,
}: Pick<PostDocument, 'language' | 'content'>): Language | null {
  return language ?? detectLanguage(content) ?? null;
}

/** Returns the languages that an original is translated into. */
export function targetLanguages(language: Language | null): Language[] {
  return LANGUAGE_CODES.filter((code) => code !== language);
}

/** Returns the text of a part of a document in a language; null where there is none. */
export function partIn(document: PostDocument, part: SegmentPart, language: Language): string | null {
  const { translations, cover } = document;
  const text =
    part === 'title' || part === 'content' ? translations[language]?.[part] : cover?.[part][language];
  return text?.trim() || null;
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

/** Returns a document with these texts in a language. */
export function withParts(
  document: PostDocument,
  language: Language,
  texts: Readonly<Record<SegmentPart, string | null>>,
): PostDocument {
  const { title, content, alt, caption } = texts;
  const translations = without(document.translations, language);
  const hasTexts = title !== null || content !== null;
  return {
    ...document,
    translations: hasTexts ? { ...translations, [language]: { title, content } } : translations,
    cover: document.cover && {
      ...document.cover,
      alt: { ...without(document.cover.alt, language), ...(alt !== null && { [language]: alt }) },
      caption: {
        ...without(document.cover.caption, language),
        ...(caption !== null && { [language]: caption }),
      },
    },
  };
}

function without<T extends object>(texts: T, language: Language): T {
  const { [language as keyof T]: _, ...rest } = texts;
  return rest as T;
}

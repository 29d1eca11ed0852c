import { isLanguage, LANGUAGE_CODES, type Language } from './languages.ts';

export type TranslatedField = 'title' | 'content';

/** Names one of the eight parts of a post's translation. */
export interface TranslationPart {
  field: TranslatedField;
  language: Language;
}

/** Lists title and content in each language (docs/spec/product.md section 7). */
export const TRANSLATION_PARTS: readonly TranslationPart[] = LANGUAGE_CODES.flatMap((language) => [
  { field: 'title', language },
  { field: 'content', language },
]);

/** Returns the parts as a post stores them, `title:de,content:de`, or `null` for none. */
export function formatParts(parts: readonly TranslationPart[]): string | null {
  return parts.map(({ field, language }) => `${field}:${language}`).join(',') || null;
}

/** Parses the output of `formatParts` and skips anything else. */
export function parseParts(stored: string | null | undefined): TranslationPart[] {
  return (stored ?? '').split(',').flatMap((part) => {
    const [field, language] = part.split(':');
    return (field === 'title' || field === 'content') && isLanguage(language) ? [{ field, language }] : [];
  });
}

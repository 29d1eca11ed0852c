import { isLanguage, LANGUAGE_CODES, type Language } from '../../language/languages.ts';

export type TranslatedField = 'title' | 'content';

/** One of the eight pieces of a post's translation. */
export interface TranslationPart {
  field: TranslatedField;
  language: Language;
}

/** What is translated: a post's title and content, trimmed. */
export type SourceTexts = Readonly<Record<TranslatedField, string>>;

/** Title and content into each language: eight parts (docs/spec/product.md section 7). */
export const TRANSLATION_PARTS: readonly TranslationPart[] = LANGUAGE_CODES.flatMap((language) => [
  { field: 'title', language },
  { field: 'content', language },
]);

export function isSamePart(one: TranslationPart, other: TranslationPart): boolean {
  return one.field === other.field && one.language === other.language;
}

/** As a post keeps them: `title:de,content:de`; null for none. */
export function formatParts(parts: readonly TranslationPart[]): string | null {
  return parts.map(({ field, language }) => `${field}:${language}`).join(',') || null;
}

/** What `formatParts` wrote; anything else in it is passed over. */
export function parseParts(kept: string | null | undefined): TranslationPart[] {
  return (kept ?? '').split(',').flatMap((part) => {
    const [field, language] = part.split(':');
    return (field === 'title' || field === 'content') && isLanguage(language) ? [{ field, language }] : [];
  });
}

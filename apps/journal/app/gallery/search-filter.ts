import type { Where } from '@fabrica/client';
import { foldText } from '@fabrica/contract';
import type { SearchablePost } from '../../project/entities.ts';
import { LANGUAGE_CODES, type Language } from '../../project/languages.ts';

/** Characters of a search, and words that are looked for. Longer ones are cut, because every word costs the database time. */
export const MAX_SEARCH_LENGTH = 100;
export const MAX_WORDS = 8;

const COLUMNS = { en: 'textEn', es: 'textEs', fr: 'textFr', de: 'textDe' } as const;

/** Endings that a plural adds or changes, and the letters that a word keeps at least. Words are compared without accents. */
const PLURALS: Record<Language, { ending: RegExp; least: number }> = {
  en: { ending: /(?:ies|y|(?<=ch|sh|[sxz])es|(?<![sui])s)$/, least: 3 },
  es: { ending: /(?:(?<=[^aeiou])es|s)$/, least: 3 },
  fr: { ending: /(?:(?<=a)ux|[sx])$/, least: 3 },
  de: { ending: /(?:en|[ens])$/, least: 4 },
};

/** Returns the search without control characters and surrounding white space, cut to its maximum length. */
export function normalizeSearch(search: string | null): string {
  return onOneLine(search).slice(0, MAX_SEARCH_LENGTH).trimEnd();
}

/** Tells whether words of the search are not looked for, because it is too long. */
export function isSearchCut(search: string | null, language: Language): boolean {
  const whole = onOneLine(search);
  return whole.length > MAX_SEARCH_LENGTH || stemsOf(whole, language).length > MAX_WORDS;
}

function onOneLine(search: string | null): string {
  return (search ?? '').replace(/[\s\p{Cc}]+/gu, ' ').trim();
}

/**
 * Returns a filter for posts that contain each word of the search, in any order, in the title, the content or the
 * author's name as readers of this language see them. Returns undefined for a search without a letter or digit.
 */
export function buildSearchFilter(search: string, language: Language): Where<SearchablePost> | undefined {
  const stems = searchedStems(search, language);
  if (stems.length === 0) return undefined;
  return {
    AND: stems.map((stem) => ({ [COLUMNS[language]]: { like: `%${stem}%` } })),
  };
}

/** Returns the same filter for posts that contain the words as readers of any other language see them. */
export function buildSearchElsewhere(search: string, language: Language): Where<SearchablePost> | undefined {
  const filters = LANGUAGE_CODES.filter((code) => code !== language).flatMap(
    (code) => buildSearchFilter(search, code) ?? [],
  );
  return filters.length > 0 ? { OR: filters } : undefined;
}

/** Returns the words that a search looks for, as `stemsOf` does. */
export function searchedStems(search: string, language: Language): string[] {
  return stemsOf(search, language).slice(0, MAX_WORDS);
}

/** Returns the different words of a search, without what a plural adds. */
function stemsOf(search: string, language: Language): string[] {
  const words = foldText(search).match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words.map((word) => withoutPlural(word, language)))];
}

function withoutPlural(word: string, language: Language): string {
  const { ending, least } = PLURALS[language];
  const stem = word.replace(ending, '');
  return stem.length >= least ? stem : word;
}

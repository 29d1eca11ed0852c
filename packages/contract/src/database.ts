/** The most rows of a response when the request has no limit. */
export const DEFAULT_ROW_LIMIT = 1_000;
/** The highest limit that a request may ask for. */
export const MAX_ROW_LIMIT = 10_000;

/** Letters that are no base letter with an accent, as they are searched for. */
const SEARCHED_LETTERS: Readonly<Record<string, string>> = {
  œ: 'oe',
  æ: 'ae',
  ß: 'ss',
  ø: 'o',
  đ: 'd',
  ł: 'l',
};

/**
 * Returns the text as searches compare it: in lower case, without accents (`corazon` for `Corazón`), with each sign in its usual
 * form (`fi` for a ligature, `2` for a subscript, one letter for both micro signs) and without signs that nobody sees, such as
 * soft hyphens. `search-migration.ts` has the same for PostgreSQL.
 */
export function foldText(text: string): string {
  // Most texts are ASCII, and folded many times faster.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
  if (/^[\x00-\x7f]*$/.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f\u00ad\u200b-\u200d\u2060\ufeff]/g, '')
    .toLowerCase()
    .replace(/[œæßøđł]/g, (letter) => SEARCHED_LETTERS[letter] ?? letter);
}

/** The operators of filters that compare a column with one value. */
export const COMPARISON_OPERATORS = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike'] as const;

export type ComparisonOperator = (typeof COMPARISON_OPERATORS)[number];

/** Returns `title_en` for `titleEn`. */
export function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Returns `titleEn` for `title_en`. */
export function toCamelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** The most rows of a response when the request has no limit. */
export const DEFAULT_ROW_LIMIT = 1_000;
/** The highest limit that a request may ask for. */
export const MAX_ROW_LIMIT = 10_000;

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

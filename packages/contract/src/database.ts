/** Rows of one answer when no limit is asked for. */
export const DEFAULT_ROW_LIMIT = 1_000;
/** Rows of one answer at most. */
export const MAX_ROW_LIMIT = 10_000;

/** `titleEn` → `title_en`. */
export function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** `title_en` → `titleEn`. */
export function toCamelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

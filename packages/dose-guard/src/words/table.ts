import type { Language } from '../findings.ts';

export type ByLanguage<Value> = Readonly<Record<Language, Value>>;

/** Makes a value for each language; `column` is its place among the last cells of a row. */
export const byLanguage = <Value>(
  make: (language: Language, column: number) => Value,
): ByLanguage<Value> => ({ en: make('en', 0), es: make('es', 1), fr: make('fr', 2), de: make('de', 3) });

export const wordsIn = (text = ''): string[] => text.split(' ').filter((word) => word !== '');

export const setOf = (words: string): ReadonlySet<string> => new Set(wordsIn(words));

/** Returns a set of words for each language, from those of English, Spanish, French and German. */
export const setsOf = (...columns: readonly string[]): ByLanguage<ReadonlySet<string>> =>
  byLanguage((_, column) => setOf(columns[column] ?? ''));

/** A line of a table: `head` is what its words mean. */
interface Row {
  head: string[];
  words: ByLanguage<string[]>;
}

/**
 * Reads a table: its last four cells are the words of English, Spanish, French and German in lower case. Cells are separated by bars,
 * words by spaces; `_` joins the words of a phrase.
 */
export function readTable(table: string): Row[] {
  const rows = table.trim().split('\n');
  return rows.map((row) => {
    const cells = row.split('|').map((cell) => cell.trim());
    const words = cells.slice(-4).map(wordsIn);
    return { head: cells.slice(0, -4), words: byLanguage((_, column) => words[column] ?? []) };
  });
}

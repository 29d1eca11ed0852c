import type { Syntax } from '../../port.ts';
import { likeToGlob } from './like.ts';

/** SQLite's syntax; its functions are defined in `connect.ts`. */
export const syntax: Syntax = {
  placeholder: () => '?',
  // SQLite's LIKE ignores the case of ASCII letters alone. GLOB distinguishes the case of all letters,
  like: (expression, pattern, bind) => inTime(`${expression} GLOB ${bind(likeToGlob(pattern))}`),
  // and a pattern with letters beyond ASCII needs a function of our own.
  ilike: (expression, pattern, bind) =>
    // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
    /^[\x00-\x7f]*$/.test(pattern)
      ? inTime(`${expression} LIKE ${bind(pattern)} ESCAPE '\\'`)
      : `matches_ignoring_case(${expression}, ${bind(pattern)})`,
  jsonObject: (members) =>
    `json_object(${members.map(([name, expression]) => `'${name.replaceAll("'", "''")}', ${expression}`).join(', ')})`,
  jsonElements: 'json_each',
  // There is one writer at a time.
  lockRows: '',
  boundRows: 'within_rows()',
  // Without statistics, each first column of an index seems to find ten rows.
  mostly: (condition) => `likely(${condition})`,
  isLiteralLimit: () => false,
};

/** Checks the timeout before a condition that may scan a long text many times. */
function inTime(condition: string): string {
  return `(within_time() AND ${condition})`;
}

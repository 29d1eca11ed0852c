import type { Syntax } from '../../port.ts';
import { likeToGlob } from './like.ts';

/** How SQLite is written; the functions are those of `connect.ts`. */
export const syntax: Syntax = {
  placeholder: () => '?',
  // SQLite's LIKE is blind to the case of ASCII letters and to no other: GLOB looks at all of them …
  like: (expression, pattern, bind) => inTime(`${expression} GLOB ${bind(likeToGlob(pattern))}`),
  // … and a pattern with letters beyond ASCII needs a comparison of our own.
  ilike: (expression, pattern, bind) =>
    // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
    /^[\x00-\x7f]*$/.test(pattern)
      ? inTime(`${expression} LIKE ${bind(pattern)} ESCAPE '\\'`)
      : `matches_ignoring_case(${expression}, ${bind(pattern)})`,
  jsonObject: (members) =>
    `json_object(${members.map(([name, expression]) => `'${name.replaceAll("'", "''")}', ${expression}`).join(', ')})`,
  jsonElements: 'json_each',
  // There is one writer.
  lockRows: '',
  boundRows: 'within_rows()',
};

/** Some patterns go over a long text a hundred times. */
function inTime(condition: string): string {
  return `(within_time() AND ${condition})`;
}

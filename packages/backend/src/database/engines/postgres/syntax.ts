import { MAX_ROW_LIMIT } from '@fabrica/contract';
import type { Syntax } from '../../port.ts';

/** Rows of a page that is read by one statement, and the one that tells whether there are more. */
const LONGEST_PAGE = 26;

/**
 * Collations that know upper and lower case of every alphabet; the first agrees best with JavaScript. The first exists
 * from version 18 on, the second in most builds of the server, and the third from version 17 on.
 */
export const FOLDING_COLLATIONS = ['pg_unicode_fast', 'und-x-icu', 'pg_c_utf8'] as const;

/** Returns PostgreSQL's syntax, with this collation for upper and lower case; undefined for the server's default. */
export function createSyntax(foldingCollation: string | undefined): Syntax {
  const collate = foldingCollation ? ` COLLATE "${foldingCollation}"` : '';
  return {
    placeholder: (position) => `$${position}`,
    like,
    ilike: (expression, pattern, bind) => {
      const folded = pattern.toLowerCase();
      // As on SQLite, a pattern of ASCII letters matches ASCII letters alone.
      // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
      if (/^[\x00-\x7f]*$/.test(pattern)) return like(`lower(${expression} COLLATE "C")`, folded, bind);
      return like(`lower(${expression}${collate}) COLLATE "C"`, folded, bind);
    },
    jsonObject: (members) => {
      const list = members.map(([name, expression]) => `${expression} AS "${name.replaceAll('"', '""')}"`);
      return `(SELECT row_to_json(r)::text FROM (SELECT ${list.join(', ')}) AS r)`;
    },
    jsonElements: 'json_array_elements',
    lockRows: 'FOR UPDATE OF t0',
    // The server itself ends slow statements.
    boundRows: undefined,
    // The server has statistics.
    mostly: (condition) => condition,
    // The server makes a plan for all values only if it knows the limit: otherwise it plans each list anew, which takes
    // a third of its time. Pages and whole lists are few texts; other limits would be too many.
    isLiteralLimit: (rows) => rows <= LONGEST_PAGE || rows > MAX_ROW_LIMIT,
  };
}

/**
 * Returns the condition that an expression matches a pattern. A pattern that is a text anywhere is looked for by `strpos`,
 * which reads several times faster than LIKE, and of which the planner expects more rows: it walks an index in the order
 * of the list and stops when a page is full, rather than sort all that matches.
 */
function like(expression: string, pattern: string, bind: (value: string) => string): string {
  const [, text] = /^%([^%_\\]+)%$/.exec(pattern) ?? [];
  return text === undefined
    ? `${expression} LIKE ${bind(pattern)} ESCAPE '\\'`
    : `strpos(${expression}, ${bind(text)}) > 0`;
}

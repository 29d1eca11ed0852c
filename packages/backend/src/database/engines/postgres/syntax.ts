import type { Syntax } from '../../port.ts';

/**
 * Collations that know upper and lower case of every alphabet; the first agrees best with JavaScript. The first exists
 * from version 18 on, the second in most builds of the server, and the third from version 17 on.
 */
export const FOLDING_COLLATIONS = ['pg_unicode_fast', 'und-x-icu', 'pg_c_utf8'] as const;

/** Returns PostgreSQL's syntax, with this collation for upper and lower case; undefined for the server's default. */
export function createSyntax(foldingCollation: string | undefined): Syntax {
  const collate = foldingCollation ? ` COLLATE "${foldingCollation}"` : '';
  const like = (expression: string, placeholder: string) => `${expression} LIKE ${placeholder} ESCAPE '\\'`;
  return {
    placeholder: (position) => `$${position}`,
    like: (expression, pattern, bind) => like(expression, bind(pattern)),
    ilike: (expression, pattern, bind) => {
      const folded = bind(pattern.toLowerCase());
      // As on SQLite, a pattern of ASCII letters matches ASCII letters alone.
      // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
      if (/^[\x00-\x7f]*$/.test(pattern)) return like(`lower(${expression} COLLATE "C")`, folded);
      return like(`lower(${expression}${collate}) COLLATE "C"`, folded);
    },
    jsonObject: (members) => {
      const list = members.map(([name, expression]) => `${expression} AS "${name.replaceAll('"', '""')}"`);
      return `(SELECT row_to_json(r)::text FROM (SELECT ${list.join(', ')}) AS r)`;
    },
    jsonElements: 'json_array_elements',
    lockRows: 'FOR UPDATE OF t0',
    // The server itself ends slow statements.
    boundRows: undefined,
  };
}

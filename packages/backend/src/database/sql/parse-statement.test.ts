import {
  openTestDatabase,
  type TestDatabase,
} from '@fabrica/backend/testing/database/build-test-database.ts';
import { library } from '@fabrica/backend/testing/database/build-test-library.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseStatement } from './parse-statement.ts';

let db: TestDatabase;

beforeAll(async () => {
  db = await openTestDatabase(library);
});

afterAll(() => db.close());

/** Pieces of text that mean something to one of the engines. */
const pieces = fc.constantFrom(
  ...[
    "'",
    "''",
    '"',
    '\\',
    '\\\\',
    '?',
    '??',
    '?1',
    '$1',
    '$',
    '$$',
    '$a$',
    '$b$',
    ';',
    '-',
    '--',
    '/*',
    '*/',
    '*',
    '/',
  ],
  ...[
    '[',
    ']',
    '`',
    'E',
    "e'",
    ':a',
    '@a',
    '::',
    '#',
    '(',
    ')',
    ' ',
    '\n',
    '\r',
    '\t',
    'x',
    '0',
    'é',
    '𝄞',
    'END',
    'BEGIN',
  ],
);
const text = fc.array(pieces, { maxLength: 8 }).map((parts) => parts.join(''));

/** An expression, its value, and the parameter that it needs. */
interface Part {
  sql: string;
  value: string;
  parameter?: string;
}

const doubled = (value: string, quote: string) => `${quote}${value.replaceAll(quote, quote + quote)}${quote}`;

const literal = text.map((value): Part => ({ sql: doubled(value, "'"), value }));
const placeholder = text.map((value): Part => ({ sql: 'CAST(? AS text)', value, parameter: value }));
const lineComment = text.map((value) => `--${value.replace(/[\r\n]/g, ' ')}\n`);
const comment = text.map((value) => `/*${value.replace(/[*/]/g, '+')}*/`);
const nested = fc
  .tuple(comment, comment)
  .map(([outer, inner]) => `${outer.slice(0, -2)}${inner}${outer.slice(2)}`);

const escaped = text.map((value): Part => {
  const body = value.replace(/[\\']/g, (character) => (character === '\\' ? '\\\\' : "\\'"));
  return { sql: `E'${body}'`, value };
});
const continued = fc.tuple(escaped, escaped).map(
  ([first, second]): Part => ({
    sql: `${first.sql} -- ' ?\n \n ${second.sql.slice(1)}`,
    value: first.value + second.value,
  }),
);
const dollarQuoted = fc.tuple(fc.constantFrom('', 'tag', 'ä_1'), text).map(([tag, value]): Part => {
  const body = value.replaceAll('$', '€');
  return { sql: `$${tag}$${body}$${tag}$`, value: body };
});

/** Texts on which the engines differ. */
const DIALECTS = {
  sqlite: { parts: [literal, placeholder], comments: [lineComment, comment] },
  postgres: {
    parts: [literal, placeholder, escaped, continued, dollarQuoted],
    comments: [lineComment, comment, nested],
  },
};

const names = text
  .map((name) => `n${name.replace(/[\r\n]/g, '').slice(0, 8)}`)
  .filter((name) => !/[\ud800-\udbff]$/.test(name));

const statement = (engine: keyof typeof DIALECTS) => {
  const { parts, comments } = DIALECTS[engine];
  const column = fc.record({ part: fc.oneof(...parts), name: names, comment: fc.oneof(...comments) });
  return fc.uniqueArray(column, { minLength: 1, maxLength: 5, selector: ({ name }) => name });
};

/** Writes a query whose columns are named with each of the quotes that the engine knows. */
function written(columns: readonly { part: Part; name: string; comment: string }[], engine: string): string {
  const quote = (name: string, at: number) => {
    if (engine === 'sqlite' && at % 3 === 1) return doubled(name, '`');
    if (engine === 'sqlite' && at % 3 === 2 && !name.includes(']')) return `[${name}]`;
    return doubled(name, '"');
  };
  const list = columns.map(({ part, name, comment }, at) => `${part.sql}${comment} AS ${quote(name, at)}`);
  return `SELECT ${list.join(',')}`;
}

describe('statements', () => {
  test('a statement is read as the engine reads it', async () => {
    const { engine } = db.database;
    await fc.assert(
      fc.asyncProperty(
        statement(engine),
        fc.constantFrom('', ';', ' ; -- ?\n', ';/* ; */;'),
        async (columns, end) => {
          const params = columns.flatMap(({ part }) => part.parameter ?? []);
          const query = written(columns, engine) + end;
          const { status, body } = await db.service('POST', '/sql', { body: { query, params } });
          expect([query, status, body.error]).toEqual([query, 200, undefined]);
          expect(body.columns).toEqual(columns.map(({ name }) => name));
          expect(body.rows).toEqual([
            Object.fromEntries(columns.map(({ part, name }) => [name, part.value])),
          ]);
          const more = await db.service('POST', '/sql', { body: { query: `${query};SELECT 1`, params } });
          expect([query, more.body.error]).toEqual([
            query,
            expect.stringContaining('more than one statement'),
          ]);
        },
      ),
      { numRuns: 300 },
    );
  });

  test.each(['sqlite', 'postgres'] as const)(
    'any text is parsed or refused as a statement for %s',
    (engine) => {
      fc.assert(
        fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
          const sql = `SELECT ${parts.join('')}`;
          const parsed = refusable(() => parseStatement({ sql, parameters: [] }, engine));
          // Only question marks may differ.
          if (parsed) expect(parsed.sql.replace(/\?+/g, '?')).toBe(sql.replace(/\?+/g, '?'));
        }),
        { numRuns: 2_000 },
      );
    },
  );

  test.each([
    "'",
    '"',
    '`',
    '[',
    '/*',
    '--',
    '$$',
    '$a$',
    "E'",
    "E'a'\n",
    '--\n',
    '?',
    '$1,',
    ';',
    '(',
    '.',
    '\\',
    'a ',
  ])('a statement of the maximum length takes less than two seconds of processor time: %j', (piece) => {
    for (const engine of ['sqlite', 'postgres'] as const) {
      const sql = `SELECT ${piece.repeat(100_000 / piece.length)}`;
      const before = process.threadCpuUsage();
      refusable(() => parseStatement({ sql, parameters: [] }, engine));
      const { user, system } = process.threadCpuUsage(before);
      expect(user + system).toBeLessThan(2_000_000);
    }
  });

  test.each<['sqlite' | 'postgres', sql: string, expected: string, parameters: number]>([
    ['postgres', 'SELECT data ?? ? AND data ??| $x$ ? $x$', 'SELECT data ?  $1  AND data ?| $x$ ? $x$', 1],
    ['postgres', 'SELECT a$1, $1::text', 'SELECT a$1,  $1 ::text', 1],
    ['postgres', "SELECT 'a\\', ?", "SELECT 'a\\',  $1 ", 1],
    ['postgres', "SELECT name E'a\\'?' , ?", "SELECT name E'a\\'?' ,  $1 ", 1],
    ['postgres', "SELECT namE'a\\', ?", "SELECT namE'a\\',  $1 ", 1],
    ['postgres', 'SELECT /* /* ? */ ? */ ?', 'SELECT /* /* ? */ ? */  $1 ', 1],
    ['postgres', 'SELECT ?2, ?1', 'SELECT  $2 ,  $1 ', 2],
    ['sqlite', 'SELECT [a?] , `?` , ?', 'SELECT [a?] , `?` ,  ?1 ', 1],
    ['sqlite', "SELECT x'00', ?;", "SELECT x'00',  ?1 ;", 1],
    ['sqlite', 'SELECT /* /* ? */ ?', 'SELECT /* /* ? */  ?1 ', 1],
    ['sqlite', 'SELECT $2, $1', 'SELECT  ?2 ,  ?1 ', 2],
    ['sqlite', 'SELECT 1 -- \r ?\n, ?', 'SELECT 1 -- \r ?\n,  ?1 ', 1],
  ])('placeholders are rewritten for %s: %s', (engine, sql, expected, parameters) => {
    expect(parseStatement({ sql, parameters: Array(parameters).fill(1) }, engine).sql).toBe(expected);
  });

  test.each(['SELECT ??', 'SELECT :name', 'SELECT @name', 'SELECT $name', 'SELECT $1a'])(
    'a placeholder that SQLite’s lexical rules do not allow is refused: %s',
    (sql) => {
      expect(() => parseStatement({ sql, parameters: [1] }, 'sqlite')).toThrow(
        expect.objectContaining({ code: 'VALIDATION_FAILED' }),
      );
    },
  );
});

/** Returns undefined for VALIDATION_FAILED, and fails for any other error. */
function refusable<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    expect(error).toMatchObject({ code: 'VALIDATION_FAILED' });
    return undefined;
  }
}

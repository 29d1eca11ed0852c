import { AppError } from '../../core/errors.ts';
import type { Database } from '../port.ts';
import { requireClientStatement } from './require-client-statement.ts';
import type { SqlStatement, SqlValue } from './statement-batch.ts';

/** A statement as a client sent it. */
export interface SentStatement {
  sql: string;
  parameters: readonly SqlValue[];
}

type EngineName = Database['engine'];

const LETTER = String.raw`[A-Za-z_\u0080-\uffff]`;
const SINGLE = `'(?:[^']+|'')*'?`;
const DOUBLE = `"(?:[^"]+|"")*"?`;
const ESCAPED = String.raw`'(?:[^'\\]+|''|\\[^])*'?`;
/** Separates two parts of one text, which are on lines of their own. */
const CONTINUED = String.raw`(?:[ \t\f\v]|--[^\n\r]*(?=[\n\r]))*[\n\r](?:[ \t\n\r\f\v]|--[^\n\r]*[\n\r])*`;

/** Comments, quoted texts and names, which may contain what looks like something else. Comments of PostgreSQL may be nested. */
const OPAQUE: Readonly<Record<EngineName, readonly string[]>> = {
  sqlite: [
    String.raw`--[^\n]*|/\*[^]*?(?:\*/|$)`,
    SINGLE,
    DOUBLE,
    '`(?:[^`]+|``)*`?',
    String.raw`\[[^\]]*\]?`,
  ],
  postgres: [
    String.raw`--[^\n\r]*|/\*`,
    `[eE]${ESCAPED}(?:${CONTINUED}${ESCAPED})*`,
    SINGLE,
    DOUBLE,
    String.raw`\$(?<tag>(?:${LETTER}[\w\u0080-\uffff]*)?)\$[^]*?(?:\$\k<tag>\$|$)`,
  ],
};

const PLACEHOLDERS: Readonly<Record<EngineName, string>> = {
  sqlite: String.raw`\?\?|\?\d*|[$:@#][\w$\u0080-\uffff]+`,
  postgres: String.raw`\?\?|\?\d*|\$\d+`,
};

/** The parts of a statement that matter here; all others are passed over. */
const patternOf = (engine: EngineName) =>
  new RegExp(
    [
      ...OPAQUE[engine],
      String.raw`(?<word>${LETTER}[\w$\u0080-\uffff]*)`,
      String.raw`\.?\d\w*`,
      `(?<placeholder>${PLACEHOLDERS[engine]})`,
    ].join('|'),
    'g',
  );
const PATTERNS = { sqlite: patternOf('sqlite'), postgres: patternOf('postgres') };

/**
 * Returns a statement with the engine's placeholders for `?`, `?1` or `$1`. Throws VALIDATION_FAILED when there is none, when clients
 * may not run it, and when its placeholders do not match the parameters. The engine refuses a text of several statements.
 */
export function parseStatement({ sql, parameters }: SentStatement, engine: EngineName): SqlStatement {
  // Engines take NUL for the end of the text.
  if (sql.includes('\u0000')) throw invalid('A statement cannot have the character NUL in it.');
  const numbers = new Set<number>();
  const words: string[] = [];
  let [text, position] = ['', 0];
  let style: string | undefined;
  const pattern = new RegExp(PATTERNS[engine]);
  for (let found = pattern.exec(sql); found; found = pattern.exec(sql)) {
    const { word, placeholder } = found.groups ?? {};
    if (word) words.push(word.toUpperCase());
    if (found[0] === '/*') pattern.lastIndex = endOfComment(sql, found.index);
    if (placeholder === undefined) continue;
    text += sql.slice(position, found.index);
    position = pattern.lastIndex;
    if (placeholder === '??') text += engine === 'postgres' ? '?' : placeholder;
    else {
      style = styleOf(placeholder, style);
      const number = style === '?' ? numbers.size + 1 : Number(placeholder.slice(1));
      numbers.add(number);
      // Spaces keep the placeholder from joining a word beside it.
      text += ` ${engine === 'postgres' ? '$' : '?'}${number} `;
    }
  }
  const [verb] = words;
  if (verb === undefined) throw invalid('There is no statement in this.');
  requireClientStatement(words);
  requireFitting(numbers, parameters.length);
  return { sql: text + sql.slice(position), parameters, verb };
}

function endOfComment(sql: string, start: number): number {
  const mark = /\/\*|\*\//g;
  mark.lastIndex = start;
  let depth = 0;
  for (let found = mark.exec(sql); found; found = mark.exec(sql)) {
    depth += found[0] === '/*' ? 1 : -1;
    if (depth === 0) return mark.lastIndex;
  }
  return sql.length;
}

/** Returns how a placeholder is written: as `?`, `?1` or `$1`. Throws unless the ones before it are written like this. */
function styleOf(placeholder: string, before: string | undefined): string {
  if (!/^(?:\?\d*|\$\d+)$/.test(placeholder)) {
    throw invalid(`Placeholders have no names here: write ? or $1 in place of "${placeholder}".`);
  }
  const style = placeholder === '?' ? '?' : `${placeholder[0]}1`;
  if (before === undefined || style === before) return style;
  throw invalid(`Placeholders are written in one way within a statement: as ${before} or as ${style}.`);
}

/** Throws unless each parameter has a placeholder, and each placeholder a parameter. */
function requireFitting(numbers: ReadonlySet<number>, parameters: number): void {
  const highest = Math.max(0, ...numbers);
  if (numbers.has(0)) throw invalid('Placeholders are numbered from 1.');
  if (highest === parameters && numbers.size === parameters) return;
  const found = highest === numbers.size ? String(highest) : `${numbers.size}, up to number ${highest}`;
  throw invalid(
    `There ${parameters === 1 ? 'is 1 parameter' : `are ${parameters} parameters`}, and the statement has placeholders for ${found}.`,
  );
}

function invalid(sentence: string): AppError {
  return new AppError('VALIDATION_FAILED', sentence);
}

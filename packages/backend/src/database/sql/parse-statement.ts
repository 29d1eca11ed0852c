import { AppError } from '../../core/errors.ts';
import type { Lexicon } from './lexicon.ts';
import { requireClientStatement } from './require-client-statement.ts';
import type { SqlStatement, SqlValue } from './statement-batch.ts';
import { type SqlToken, tokenize } from './tokenize.ts';

/** A statement as a client sent it. */
export interface SentStatement {
  sql: string;
  parameters: readonly SqlValue[];
}

/**
 * Returns the one statement of a text, with the engine's placeholders for `?`, `?1` or `$1`, and without anything after
 * it. Throws VALIDATION_FAILED when there is no statement or more than one, when clients may not run it, and when its
 * placeholders do not match the parameters.
 */
export function parseStatement({ sql, parameters }: SentStatement, lexicon: Lexicon): SqlStatement {
  const placeholders = new Placeholders(lexicon);
  const words: string[] = [];
  let text = '';
  for (const token of statementTokens(sql, lexicon, words)) {
    text += isPlaceholder(token) ? placeholders.rewrite(token) : token.text;
  }
  const [verb] = words;
  if (verb === undefined) throw invalid('There is no statement in this.');
  requireClientStatement(words);
  placeholders.requireFitting(parameters.length);
  return { sql: withoutBlanks(text), parameters, verb };
}

/** Yields the tokens of the one statement, and adds its words, in upper case, to `words`. */
function* statementTokens(sql: string, lexicon: Lexicon, words: string[]): Generator<SqlToken> {
  // Engines take NUL for the end of the text.
  if (sql.includes('\u0000')) throw invalid('A statement cannot have the character NUL in it.');
  let last: [before: string, latest: string] = ['', ''];
  let compound: boolean | undefined;
  let over = false;
  for (const token of tokenize(sql, lexicon)) {
    const { kind, text } = token;
    if (kind === 'space' || kind === 'comment') {
      if (!over) yield token;
      continue;
    }
    if (kind === 'end') {
      compound ??= lexicon.compound.test(words.join(' '));
      over ||= !compound || last.join(' ') === '; END';
    } else if (over) throw invalid('There is more than one statement in this: send them as a batch.');
    if (over) continue;
    const upper = kind === 'word' ? text.toUpperCase() : text;
    if (kind === 'word') words.push(upper);
    last = [last[1], upper];
    yield token;
  }
}

const BLANKS = ' \t\n\r\f\v';

/** Returns the text without what engines take for white space at its ends: of other spaces, they make names. */
function withoutBlanks(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && BLANKS.includes(text.charAt(start))) start += 1;
  while (start < end && BLANKS.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

function isPlaceholder({ kind }: SqlToken): boolean {
  return kind === 'placeholder' || kind === 'named' || kind === 'question';
}

/** Rewrites placeholders from one of three styles to the engine's. */
class Placeholders {
  readonly #lexicon: Lexicon;
  readonly #numbers = new Set<number>();
  #style: string | undefined;

  constructor(lexicon: Lexicon) {
    this.#lexicon = lexicon;
  }

  rewrite({ kind, text }: SqlToken): string {
    if (kind === 'question') return this.#operator();
    if (kind === 'named') {
      throw invalid(`Placeholders have no names here: write ? or $1 in place of "${text}".`);
    }
    const style = text === '?' ? '?' : `${text[0]}1`;
    this.#style ??= style;
    if (style !== this.#style) {
      throw invalid(
        `Placeholders are written in one way within a statement: as ${this.#style} or as ${style}.`,
      );
    }
    const number = style === '?' ? this.#numbers.size + 1 : Number(text.slice(1));
    this.#numbers.add(number);
    // Spaces keep the placeholder from joining a word beside it.
    return ` ${this.#lexicon.placeholder(number)} `;
  }

  /** Throws unless each parameter has a placeholder, and each placeholder a parameter. */
  requireFitting(parameters: number): void {
    const highest = Math.max(0, ...this.#numbers);
    if (this.#numbers.has(0)) throw invalid('Placeholders are numbered from 1.');
    if (highest === parameters && this.#numbers.size === parameters) return;
    throw invalid(
      `There ${parameters === 1 ? 'is 1 parameter' : `are ${parameters} parameters`}, and the statement has placeholders for ${this.#describe(highest)}.`,
    );
  }

  #describe(highest: number): string {
    const count = this.#numbers.size;
    return highest === count ? String(highest) : `${count}, up to number ${highest}`;
  }

  #operator(): string {
    if (this.#lexicon.questionOperators) return '?';
    throw invalid('This engine knows no operator "?", for which "??" stands.');
  }
}

function invalid(sentence: string): AppError {
  return new AppError('VALIDATION_FAILED', sentence);
}

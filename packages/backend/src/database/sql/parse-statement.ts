import { AppError } from '../../core/errors.ts';
import type { Lexicon } from './lexicon.ts';
import { requireOrdinary } from './require-ordinary.ts';
import type { SqlStatement, SqlValue } from './statement-batch.ts';
import { type Token, tokenize } from './tokenize.ts';

/** A statement as it was sent. */
export interface SentStatement {
  sql: string;
  parameters: readonly SqlValue[];
}

/**
 * One statement with the engine's own placeholders, for `?`, `?1` or `$1` as it was sent, and without what stands
 * behind it. Throws VALIDATION_FAILED with a sentence: for more than one, for none, for one that is not for clients to
 * give, and for placeholders that do not fit the parameters.
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
  requireOrdinary(words);
  placeholders.requireFitting(parameters.length);
  return { sql: text.trim(), parameters, verb };
}

/** The tokens of the one statement that there is, and its words. */
function* statementTokens(sql: string, lexicon: Lexicon, words: string[]): Generator<Token> {
  // Engines take it for the end of everything.
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

function isPlaceholder({ kind }: Token): boolean {
  return kind === 'placeholder' || kind === 'named' || kind === 'question';
}

/** Placeholders in one of three styles, which become the engine's. */
class Placeholders {
  readonly #lexicon: Lexicon;
  readonly #numbers = new Set<number>();
  #style: string | undefined;

  constructor(lexicon: Lexicon) {
    this.#lexicon = lexicon;
  }

  rewrite({ kind, text }: Token): string {
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
    // Apart from what stands beside it: it may be part of a word otherwise.
    return ` ${this.#lexicon.placeholder(number)} `;
  }

  /** Each parameter has a placeholder and each placeholder a parameter. */
  requireFitting(parameters: number): void {
    const most = Math.max(0, ...this.#numbers);
    if (this.#numbers.has(0)) throw invalid('Placeholders are numbered from 1.');
    if (most === parameters && this.#numbers.size === parameters) return;
    throw invalid(
      `There ${parameters === 1 ? 'is 1 parameter' : `are ${parameters} parameters`}, and the statement has placeholders for ${this.#described(most)}.`,
    );
  }

  #described(most: number): string {
    return most === this.#numbers.size ? String(most) : `${this.#numbers.size}, up to number ${most}`;
  }

  #operator(): string {
    if (this.#lexicon.questionOperators) return '?';
    throw invalid('This engine knows no operator "?", for which "??" stands.');
  }
}

function invalid(sentence: string): AppError {
  return new AppError('VALIDATION_FAILED', sentence);
}

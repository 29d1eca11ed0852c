import type { Language } from '../findings.ts';
import { AND, BETWEEN, OR, RANGE_JOINERS } from '../words/grammar-words.ts';
import { setOf } from '../words/table.ts';
import { type Numeral, readNumeral, readParts } from './numerals.ts';
import type { Token } from './tokens.ts';

const DASHES = setOf('- – — ‐ ‑ − ~');

export const isDash = (token: Token | undefined): boolean => token !== undefined && DASHES.has(token.text);

/** A number, or two that a dash or "to" joins, or that "or" joins: one or two. */
interface Count {
  low: Numeral;
  high: Numeral;
  next: number;
  joiner: 'range' | 'or' | null;
}

/** Reads a number with its parts: "two thirds" and "1.5 million" are one. */
export function readWholeNumeral(
  tokens: readonly Token[],
  at: number,
  language: Language,
): Numeral | undefined {
  const found = readNumeral(tokens, at, language);
  return found && readParts(tokens, found, language);
}

/** Returns the index of the second end if the number that begins at `start` goes on as a range at a token. */
export function readJoiner(
  tokens: readonly Token[],
  start: number,
  at: number,
  language: Language,
): { joiner: 'range' | 'or'; next: number } | undefined {
  const token = tokens[at];
  if (!token) return undefined;
  const isBetween = [1, 2, 3].some((back) => BETWEEN[language].has(tokens[start - back]?.lower ?? ''));
  if (isBetween && AND[language].has(token.lower)) return { joiner: 'range', next: at + 1 };
  if (isDash(token)) {
    // "100- bis 120-mal"
    const word = tokens[at + 1]?.lower ?? '';
    if (
      !token.spaced &&
      tokens[at + 1]?.spaced &&
      (RANGE_JOINERS[language].has(word) || OR[language].has(word))
    )
      return readJoiner(tokens, start, at + 1, language);
    // "5 -10" is a negative number behind another one.
    if (token.spaced && tokens[at + 1] && !tokens[at + 1]?.spaced && token.text !== '–') return undefined;
    return { joiner: 'range', next: at + 1 };
  }
  if (RANGE_JOINERS[language].has(token.lower)) {
    const isLonger = /^(?:à|zu)$/.test(tokens[at + 1]?.lower ?? '') && /^(?:jusqu|bis)$/.test(token.lower);
    return { joiner: 'range', next: at + (isLonger ? 2 : 1) };
  }
  return OR[language].has(token.lower) ? { joiner: 'or', next: at + 1 } : undefined;
}

/** Reads one number or two that are joined. */
export function readCount(tokens: readonly Token[], at: number, language: Language): Count | undefined {
  const low = readWholeNumeral(tokens, at, language);
  if (!low) return undefined;
  const joined = readJoiner(tokens, at, low.next, language);
  const high = joined && readWholeNumeral(tokens, joined.next, language);
  return joined && high
    ? { low, high, next: high.next, joiner: joined.joiner }
    : { low, high: low, next: low.next, joiner: null };
}

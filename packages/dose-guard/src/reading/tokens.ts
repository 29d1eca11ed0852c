import type { Span } from '../findings.ts';

/** A piece of a text. `lower` is what lexicons know it by; `spaced` says that white space stands before it. */
export interface Token extends Span {
  kind: 'word' | 'number' | 'raised' | 'fraction' | 'symbol';
  text: string;
  lower: string;
  spaced: boolean;
}

/** Returns where the tokens from one to the one before `next` stand. */
export const spanOf = (tokens: readonly Token[], at: number, next: number): Span => ({
  start: tokens[at]?.start ?? 0,
  end: tokens[next - 1]?.end ?? 0,
});

/** The white space that may stand between the thousands of a number. */
const GROUP_SPACE = '[ \\u00A0\\u2007\\u2009\\u202F]';

const PATTERN = new RegExp(
  [
    // 10 000 and 1 234 567,8, then 1.000,5 and 1'000 and 4.2.1, then .5
    `(?<number>(?<!\\p{L})\\d{1,3}(?:${GROUP_SPACE}\\d{3}(?!\\d))+(?:[.,]\\d+)?|\\d+(?:[.,'’·]\\d+)*|(?<=[\\s(<>=≤≥])\\.\\d+)`,
    '(?<raised>[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻]+)',
    '(?<fraction>[½¼¾⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞])',
    // i.v., b. i. d., p.m.
    `(?<abbreviation>(?<![\\p{L}\\p{M}\\d])(?:\\p{L}\\.${GROUP_SPACE}?){1,3}\\p{L}\\.)`,
    '(?<word>[\\p{L}\\p{M}]+)',
    '(?<symbol>[<>]=|=[<>]|[^\\s])',
  ].join('|'),
  'gu',
);

const KINDS = ['number', 'raised', 'fraction', 'word'] as const;

/** Returns the words, numbers and symbols of a text. */
export function readTokens(text: string): Token[] {
  const tokens: Token[] = [];
  let last = 0;
  for (const match of text.matchAll(PATTERN)) {
    const { number, raised, fraction, abbreviation, word } = match.groups ?? {};
    const found = match[0];
    const start = match.index;
    // An apostrophe within a word parts it: l'eau, jusqu'à, don't.
    if (/^['’]$/.test(found) && isLetter(text, start - 1) && isLetter(text, start + 1)) {
      last = start + found.length;
      continue;
    }
    const kinds = { number, raised, fraction, word: abbreviation ?? word };
    const kind = KINDS.find((one) => kinds[one] !== undefined);
    const lower = (abbreviation === undefined ? found : found.replace(/[^\p{L}]/gu, '')).toLowerCase();
    tokens.push({
      kind: kind ?? 'symbol',
      text: found,
      lower,
      start,
      end: start + found.length,
      spaced: start > last,
    });
    last = start + found.length;
  }
  return tokens;
}

function isLetter(text: string, at: number): boolean {
  return /\p{L}/u.test(text[at] ?? '');
}

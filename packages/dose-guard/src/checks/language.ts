import { detectOtherLanguage } from '../detect-language.ts';
import type { Language } from '../findings.ts';
import type { Span } from '../reading/facts.ts';
import type { Token } from '../reading/tokens.ts';
import { FUNCTION_WORDS } from '../words/function-words.ts';

const wordsOf = (tokens: readonly Token[]) =>
  tokens.filter(({ kind }) => kind === 'word').map(({ lower }) => lower);

/** A text with fewer words of its own, such as "Diabetes mellitus", is often the same in another language. */
const FEWEST_COPIED = 4;

interface LanguageDifference {
  kind: 'untranslated' | 'language';
  source: Span | null;
  target: Span | null;
}

const whole = (tokens: readonly Token[]): Span | null => {
  const [first, last] = [tokens[0], tokens.at(-1)];
  return first && last ? { start: first.start, end: last.end } : null;
};

/** Returns whether a sentence was left as it is, or is in another language than it ought to be. */
export function compareLanguages(
  source: readonly Token[],
  target: readonly Token[],
  sentence: readonly Token[],
  [from, to]: readonly [Language, Language],
): LanguageDifference | undefined {
  const words = wordsOf(sentence);
  if (from === to) return undefined;
  const known = new Set(wordsOf(source));
  const copied = words.filter((word) => known.has(word)).length;
  const place = { source: sentence === target ? whole(source) : null, target: whole(sentence) };
  const other = detectOtherLanguage(words, to);
  // Chinese has no spaces between words.
  if (other === 'other script' && copied < words.length) return { kind: 'language', ...place };
  if (words.length < 2) return undefined;
  if (copied >= words.length * 0.75 && words.length >= FEWEST_COPIED) {
    const own = words.filter((word) => FUNCTION_WORDS[to].has(word)).length;
    const foreign = words.filter((word) => FUNCTION_WORDS[from].has(word)).length;
    if (other === from || foreign > own || copied === words.length) return { kind: 'untranslated', ...place };
  }
  return other
    ? { kind: other === from && copied > words.length / 2 ? 'untranslated' : 'language', ...place }
    : undefined;
}

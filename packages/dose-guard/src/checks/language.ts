import type { Language } from '../findings.ts';
import type { Span } from '../reading/facts.ts';
import type { Token } from '../reading/tokens.ts';
import { FUNCTION_WORDS, type KnownLanguage } from '../words/function-words.ts';

const KNOWN = Object.keys(FUNCTION_WORDS) as KnownLanguage[];

/** A word that several languages have tells less. */
const SHARED_WEIGHT = 0.4;
const LEAST_SCORE = 1.8;
const LEAD = 1.8;
const LEAST_SHARE = 0.12;

const WEIGHTS: ReadonlyMap<string, { weight: number; languages: KnownLanguage[] }> = weighWords();

function weighWords() {
  const weights = new Map<string, { weight: number; languages: KnownLanguage[] }>();
  for (const language of KNOWN) {
    for (const word of FUNCTION_WORDS[language]) {
      const languages = [...(weights.get(word)?.languages ?? []), language];
      weights.set(word, { weight: languages.length > 1 ? SHARED_WEIGHT : 1, languages });
    }
  }
  return weights;
}

/** Returns the language of some words if it is clearly another one than expected. */
export function detectOtherLanguage(words: readonly string[], expected: Language): KnownLanguage | undefined {
  const scores = new Map<KnownLanguage, number>(KNOWN.map((language) => [language, 0]));
  for (const word of words) {
    const known = WEIGHTS.get(word);
    for (const language of known?.languages ?? [])
      scores.set(language, (scores.get(language) ?? 0) + (known?.weight ?? 0));
  }
  const [best, score = 0] = [...scores].sort(([, one], [, other]) => other - one)[0] ?? [];
  if (best === undefined || best === expected || score < LEAST_SCORE) return undefined;
  return score > LEAD * (scores.get(expected) ?? 0) && score >= words.length * LEAST_SHARE ? best : undefined;
}

const wordsOf = (tokens: readonly Token[]) =>
  tokens.filter(({ kind }) => kind === 'word').map(({ lower }) => lower);

/** A text with fewer words of its own, such as "Diabetes mellitus", is often the same in another language. */
const FEWEST_COPIED = 4;

export interface LanguageDifference {
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
  if (from === to || words.length < 2) return undefined;
  const known = new Set(wordsOf(source));
  const copied = words.filter((word) => known.has(word)).length;
  const place = { source: sentence === target ? whole(source) : null, target: whole(sentence) };
  const other = detectOtherLanguage(words, to);
  if (copied >= words.length * 0.75 && words.length >= FEWEST_COPIED) {
    const own = words.filter((word) => FUNCTION_WORDS[to].has(word)).length;
    const foreign = words.filter((word) => FUNCTION_WORDS[from].has(word)).length;
    if (other === from || foreign > own || copied === words.length) return { kind: 'untranslated', ...place };
  }
  return other
    ? { kind: other === from && copied > words.length / 2 ? 'untranslated' : 'language', ...place }
    : undefined;
}

import { isLanguage, type Language } from '../../project/languages.ts';
import { FUNCTION_WORDS, type KnownLanguage } from './function-words.ts';

const KNOWN = Object.keys(FUNCTION_WORDS) as KnownLanguage[];

/** A word that several languages have tells less. */
const SHARED_WEIGHT = 0.4;

/**
 * The score that a text needs to be in a language: at all, as a share of its words, and as a multiple of another language's score.
 * With lower ones, sentences are taken for another language (`tests/dose-guard/recognise-language.test.ts`).
 */
const LEAST = { score: 2.4, share: 0.15, lead: 1.4 };

/** So many characters tell the language; reading a whole text would tell no more. */
const READ_CHARACTERS = 4_000;

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

/**
 * Returns the language of a text by its most frequent words, or undefined for short texts and other languages: the way of pages, which
 * need not load what the desk decides by (`project/recognise-language.ts`).
 */
export function guessLanguage(text: string): Language | undefined {
  const words =
    text
      .slice(0, READ_CHARACTERS)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  const scores = new Map<KnownLanguage, number>();
  for (const word of words) {
    const known = WEIGHTS.get(word);
    for (const language of known?.languages ?? [])
      scores.set(language, (scores.get(language) ?? 0) + (known?.weight ?? 0));
  }
  const [[best = '', score = 0] = [], [, other = 0] = []] = [...scores].sort(([, one], [, two]) => two - one);
  const isCertain = score >= LEAST.score && score >= words.length * LEAST.share && score > other * LEAST.lead;
  return isCertain && isLanguage(best) ? best : undefined;
}

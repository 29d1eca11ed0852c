import type { Language } from './findings.ts';
import { FUNCTION_WORDS, type KnownLanguage } from './words/function-words.ts';

const KNOWN = Object.keys(FUNCTION_WORDS) as KnownLanguage[];

/** A word that several languages have tells less. */
const SHARED_WEIGHT = 0.4;

/** The scores that a text needs to be in a language: at all, as a share of its words, and as a multiple of another language's score. */
interface Thresholds {
  score: number;
  share: number;
  lead: number;
}

/** Measured by `tests/dose-guard/detect-language.test.ts`: with lower ones, sentences are taken for another language. */
const GUESSED: Thresholds = { score: 2.4, share: 0.15, lead: 1.4 };
/** The scores that suffice to doubt the language that the caller expects, which is to happen seldom. */
const DOUBTED: Thresholds = { score: 1.8, share: 0.12, lead: 1.8 };

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

/** Languages that the guard does not read are recognised so that nobody takes their texts for one that it reads. */
type RecognisedLanguage = KnownLanguage | 'other script';

const OWN: ReadonlySet<string> = new Set<Language>(['en', 'es', 'fr', 'de']);

/** Returns the language of a text by its most frequent words, or undefined for short texts and other languages. */
export function detectLanguage(text: string): Language | undefined {
  const found = recogniseLanguage(text);
  return found !== undefined && OWN.has(found) ? (found as Language) : undefined;
}

/** Returns the language of a text as `detectLanguage` does, also one that the guard does not read; undefined for short texts. */
export function recogniseLanguage(text: string): RecognisedLanguage | undefined {
  const start = text.slice(0, READ_CHARACTERS).toLowerCase();
  const words = start.match(/\p{L}+/gu) ?? [];
  if (isOtherScript(words)) return 'other script';
  const [[best, score], [, second]] = rankLanguages(words);
  const isCertain = exceeds(GUESSED, { score, words: words.length, other: second });
  return isCertain ? best : undefined;
}

/** Tells whether most letters are others than Latin ones. A single Greek one is a symbol. */
function isOtherScript(words: readonly string[]): boolean {
  const letters = words.filter((word) => word.length > 1).join('');
  const latin = letters.match(/\p{Script=Latin}/gu)?.length ?? 0;
  return [...letters].length > 2 * latin;
}

/** Returns the language of some words in lower case if it is clearly another one than expected. */
export function detectOtherLanguage(
  words: readonly string[],
  expected: Language,
): RecognisedLanguage | undefined {
  if (isOtherScript(words)) return 'other script';
  const ranks = rankLanguages(words);
  const [[best, score]] = ranks;
  const other = ranks.find(([language]) => language === expected)?.[1] ?? 0;
  return best !== expected && exceeds(DOUBTED, { score, words: words.length, other }) ? best : undefined;
}

type Rank = [language: KnownLanguage, score: number];

/** Returns the languages with the scores of some words, the highest first. */
function rankLanguages(words: readonly string[]): [Rank, Rank, ...Rank[]] {
  const scores = new Map<KnownLanguage, number>(KNOWN.map((language) => [language, 0]));
  for (const word of words) {
    const known = WEIGHTS.get(word);
    for (const language of known?.languages ?? [])
      scores.set(language, (scores.get(language) ?? 0) + (known?.weight ?? 0));
  }
  return [...scores].sort(([, one], [, other]) => other - one) as [Rank, Rank, ...Rank[]];
}

function exceeds(
  least: Thresholds,
  { score, words, other }: { score: number; words: number; other: number },
): boolean {
  return score >= least.score && score >= words * least.share && score > other * least.lead;
}

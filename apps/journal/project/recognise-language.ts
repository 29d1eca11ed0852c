import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isLanguage, type Language } from './languages.ts';

const require = createRequire(import.meta.url);

/**
 * The languages that texts are told apart by: those of the journal, and those that a model may slip into. Others are near enough to one
 * of them that a text would be taken for theirs.
 */
const KNOWN =
  'en es fr de it pt nl sv da no pl cs sk ro ca fi hu tr ru uk bg sr el zh ja ko ar he fa hi'.split(' ');

/** A text of fewer words is in no certain language; one of fewer than `FEW_WORDS` needs clearer signs. */
const FEWEST_WORDS = 3;
const FEW_WORDS = 5;

/** Tells how many times as likely as any other a language must be, measured by `tests/dose-guard/recognise-language.test.ts`. */
const LEAD = 1.05;
const LEAD_OF_FEW = 1.3;
/** The same for a language that nobody expects. */
const OTHER_LEAD = 1.15;

/** So many characters tell the language. The detector reads 350 bytes at a time. */
const READ_CHARACTERS = 4_000;
const CHUNKS = /\S[\s\S]{0,299}(?!\S)|\S{300}/g;

/** What is in no language: addresses, citations, marks of notes, and numbers with their units. */
const WORDLESS =
  /\]\([^()\s]*\)|https?:\S+|:cite\[[^\]]*\]|\[\^[^\]\s]*\]|\d\S*(?:\s[a-zµ]{1,4}(?:\/\S+)?(?=\s|$))?/gi;

let detector: typeof import('./language-data.ts').eld | undefined;

/** Loads the detector, which a server that is only read does without. */
function loadDetector(): NonNullable<typeof detector> {
  if (detector) return detector;
  const path = fileURLToPath(new URL('language-data.ts', import.meta.url));
  detector = (require(path) as typeof import('./language-data.ts')).eld;
  detector.setLanguageSubset(KNOWN);
  return detector;
}

/** A language as ISO 639-1 names it; `other script` for a text whose letters are mostly not Latin ones. */
export type RecognisedLanguage = string;

/** Returns which language of the journal a text is in; undefined where that is not certain, as for short texts and other languages. */
export function recogniseLanguage(text: string): Language | undefined {
  const read = readText(text);
  if (!read || read === 'other script') return undefined;
  const [best, second] = [...read.scores].sort(([, one], [, other]) => other - one);
  const isCertain =
    best && read.isReliable && best[1] > (read.isShort ? LEAD_OF_FEW : LEAD) * (second?.[1] ?? 0);
  return isCertain && isLanguage(best[0]) ? best[0] : undefined;
}

/** Returns the language of a text where it is clearly another one than expected. */
export function recogniseOther(text: string, expected: Language): RecognisedLanguage | undefined {
  const read = readText(text);
  if (!read || read === 'other script') return read;
  const [best] = [...read.scores].sort(([, one], [, other]) => other - one);
  if (!best || best[0] === expected || !read.isReliable) return undefined;
  const lead = read.isShort ? LEAD_OF_FEW : OTHER_LEAD;
  return best[1] > lead * (read.scores.get(expected) ?? 0) ? best[0] : undefined;
}

interface Reading {
  scores: ReadonlyMap<string, number>;
  isReliable: boolean;
  isShort: boolean;
}

function readText(text: string): Reading | 'other script' | undefined {
  const words = text.slice(0, READ_CHARACTERS).replaceAll(WORDLESS, ' ');
  const letters = words.match(/\p{L}{2,}/gu) ?? [];
  if (isOtherScript(letters.join(''))) return 'other script';
  if (letters.length < FEWEST_WORDS) return undefined;
  const scores = new Map<string, number>();
  let isReliable = false;
  for (const [chunk] of words.matchAll(CHUNKS)) {
    const found = loadDetector().detect(chunk);
    isReliable ||= found.isReliable();
    for (const [language, score] of Object.entries(found.getScores()))
      scores.set(language, (scores.get(language) ?? 0) + score);
  }
  return { scores, isReliable, isShort: letters.length < FEW_WORDS };
}

/** Tells whether most letters are others than Latin ones. A single Greek one is a symbol. */
function isOtherScript(letters: string): boolean {
  const latin = letters.match(/\p{Script=Latin}/gu)?.length ?? 0;
  return [...letters].length > 2 * latin;
}

import { isLanguage, type Language } from './languages.ts';

/**
 * Frequent short words, most of which only one of the languages has. Italian and Portuguese are here because they would be
 * taken for French and Spanish without it.
 */
const WORDS: Record<Language | 'it' | 'pt', ReadonlySet<string>> = {
  en: new Set(
    'the of and to in is that it for with as are this was be by on not from which or an have at they its their we you can but'.split(
      ' ',
    ),
  ),
  es: new Set(
    'de la que el en y los se del las por un con una su para es al lo como más pero sus o este esta no son hay cuando'.split(
      ' ',
    ),
  ),
  fr: new Set(
    'de la le et les des en un du une que est pour qui dans par plus pas au sur ne se ce il elle sont avec on nous mais cette'.split(
      ' ',
    ),
  ),
  de: new Set(
    'der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an aus er sie wird wie bei sind'.split(
      ' ',
    ),
  ),
  it: new Set(
    'il di che è la per un non con del della nel nelle dei sono una i le si da al alla gli lo anche più come questo'.split(
      ' ',
    ),
  ),
  pt: new Set(
    'de o a que e do da em um para com não uma os no se na por mais as dos é ao são pelo como mas foi seu sua'.split(
      ' ',
    ),
  ),
};

/** So many characters tell the language; reading a whole text would tell no more. */
const READ_CHARACTERS = 4_000;
/** At least so many frequent words are in a text of which the language can be told … */
const FEWEST_HITS = 3;
/** … that is this share of all its words … */
const LEAST_SHARE = 0.15;
/** … and this many times as many as of any other language. */
const LEAD = 1.4;

/** Returns the language of a text by its most frequent words, or undefined for short texts and other languages. */
export function detectLanguage(text: string): Language | undefined {
  const words =
    text
      .slice(0, READ_CHARACTERS)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  const hits = Object.entries(WORDS)
    .map(([language, known]) => ({ language, count: words.filter((word) => known.has(word)).length }))
    .sort((one, other) => other.count - one.count);
  const [first, second] = hits;
  if (!first || !second) return undefined;
  const isCertain =
    first.count >= FEWEST_HITS &&
    first.count >= words.length * LEAST_SHARE &&
    first.count >= second.count * LEAD;
  return isCertain && isLanguage(first.language) ? first.language : undefined;
}

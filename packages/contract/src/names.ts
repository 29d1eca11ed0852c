import { looksLikeEmail } from './auth.ts';

/** Characters that cannot be seen, such as a space without width, which tell two names apart for programs alone. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\u2800\uFFF9-\uFFFB]/gu;
const VISIBLE = /[^\s\p{Default_Ignorable_Code_Point}\u2800\uFFF9-\uFFFB]/u;
/** A text at whose end a joiner changes how the letters or pictures around it are drawn. */
const JOINS =
  /(?:(?!\p{Script=Latin}|\p{Script=Greek}|\p{Script=Cyrillic})\p{L}\p{M}*|\p{Extended_Pictographic})$/u;
/** Characters that break a line, or turn the direction of what is written around them. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]/u;
/** More marks on one letter than any language writes would cover the lines above and below. */
const TOO_MANY_MARKS = /(\p{M}{4})\p{M}+/gu;

/** Alphabets with letters that look like those of another one. */
const ALPHABETS = ['Latin', 'Greek', 'Cyrillic', 'Armenian', 'Cherokee', 'Coptic'].map(
  (script) => new RegExp(`\\p{Script=${script}}`, 'u'),
);

/** The most characters of a second factor's name. */
export const FACTOR_NAME_LENGTH = 100;

/** Returns whether a reader would see nothing of a text: it is empty, or has white space and invisible signs alone. */
export function isBlank(text: string): boolean {
  return !VISIBLE.test(text);
}

/** Returns a name in the one form in which it is stored, whatever keyboard it was typed on. */
export function normalizeName(name: string): string {
  return name
    .normalize('NFKC')
    .replace(INVISIBLE, (mark, at: number, whole: string) =>
      (mark === '\u200C' || mark === '\u200D') && JOINS.test(whole.slice(0, at)) ? mark : '',
    )
    .replace(TOO_MANY_MARKS, '$1')
    .replace(/\s+/g, ' ')
    .trim();
}

export type NameFault = 'email' | 'unclear';

/**
 * Returns why a name must not be shown to everybody: it is an e-mail address, or it is not clear how it reads. A word of
 * letters of two alphabets is written to look like another word.
 */
export function nameFault(name: string): NameFault | undefined {
  if (looksLikeEmail(name.normalize('NFKC'))) return 'email';
  if (UNPRINTABLE.test(name)) return 'unclear';
  const words = normalizeName(name).split(/[^\p{L}\p{M}]+/u);
  const isMixed = (word: string) => ALPHABETS.filter((alphabet) => alphabet.test(word)).length > 1;
  return words.some(isMixed) ? 'unclear' : undefined;
}

/** Letters and digits in lower case by the Latin letter that they look like (Unicode's UTS 39, the common ones). */
const LOOKALIKES = lookalikes({
  a: 'аαɑ',
  b: 'ьƅв',
  c: 'сϲᴄ',
  d: 'ԁɗ',
  e: 'еєҽ',
  f: 'ғϝ',
  g: 'ɡց',
  h: 'һнհ',
  i: '1l|іıɩιӏτյ',
  j: 'јϳ',
  k: 'кκ',
  m: 'мʍ',
  n: 'пηո',
  o: '0оοσօ',
  p: 'рρ',
  q: 'ԛգ',
  r: 'гᴦ',
  s: 'ѕ5ꜱ',
  t: 'т',
  u: 'υսᴜ',
  v: 'ѵν',
  w: 'ѡωшա',
  x: 'хχ',
  y: 'уγүყ',
  z: 'ᴢ',
});
/** Words before and after a name that make nobody else of it. */
const TITLES =
  /(?:^|[\s.,])(?:dr|dra|prof|professor|profesor|profesora|professeur|md|phd|med|mag)(?=$|[\s.,])/gu;

function lookalikes(letters: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(letters).flatMap(([letter, all]) => [...all].map((one) => [one, letter])));
}

/** Tells whether a reader could take one name for the other: both look alike but for titles, accents, case and spaces. */
export function looksLikeName(name: string, other: string): boolean {
  const skeleton = skeletonOf(name);
  return skeleton !== '' && skeleton === skeletonOf(other);
}

function skeletonOf(name: string): string {
  const plain = normalizeName(name).toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '');
  const letters = [...plain].map((letter) => LOOKALIKES.get(letter) ?? letter).join('');
  return letters
    .replace(TITLES, ' ')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w');
}

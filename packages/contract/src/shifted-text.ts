const PLAIN = '0123456789+-−–=()n';
const ABOVE = '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾ⁿ';
const BELOW = '₀₁₂₃₄₅₆₇₈₉₊₋₋₋₌₍₎ₙ';

/** Matches superscripts that mean the same on the line: ordinals, marks of notes, and signs that stand above it anyway. */
const SAME_ON_THE_LINE = /^(?:st|nd|rd|th|er|\[.*\]|[®™©℠*†‡§]+)$/;

/**
 * Returns a superscript or subscript as plain text: in Unicode's own letters where each character has one (`10⁹`, `H₂O`), and
 * else behind a sign (`10^3.5`, `C_max`, `e^(x/2)`).
 */
export function shiftedText(text: string, kind: 'sup' | 'sub'): string {
  const words = text.trim();
  if (words === '' || (kind === 'sup' && SAME_ON_THE_LINE.test(words))) return text;
  const letters = kind === 'sup' ? ABOVE : BELOW;
  const shifted = [...words].map((character) => letters[PLAIN.indexOf(character)]);
  if (shifted.every((character) => character !== undefined)) return text.replace(words, shifted.join(''));
  const marked = /^[\p{L}\p{N}.,]+$/u.test(words) ? words : `(${words})`;
  return text.replace(words, () => (kind === 'sup' ? '^' : '_') + marked);
}

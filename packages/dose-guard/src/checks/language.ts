import type { Difference, RecogniseOther, Span } from '../findings.ts';
import type { Reading } from '../reading/read-segment.ts';

/** A text with fewer words of its own, such as "Diabetes mellitus", is often the same in another language. */
const FEWEST_COPIED = 4;
/** A clause of fewer words is too short to be told by. */
const FEWEST_OF_CLAUSE = 6;
/** A text with so many of its words in the source was not translated. */
const COPIED_SHARE = 0.75;

const CLAUSE = /(?:[^.,;:!?…–—()"“”„«»|\n]|[.,:](?=\S))+/g;

const wordsOf = (text: string): string[] => text.toLowerCase().match(/\p{L}{2,}/gu) ?? [];

/**
 * Returns where a translation is in another language than it ought to be: all of it, or some of its clauses. What the source has in
 * a third language as well is a quotation.
 */
export function compareLanguages(
  source: Reading,
  target: Reading,
  recognise: RecogniseOther | undefined,
): Difference[] {
  if (source.language === target.language) return [];
  const [from, to] = [source.plain.text, target.plain.text];
  const known = new Set(wordsOf(from));
  const read = (text: string) => {
    const words = wordsOf(text);
    const copied = words.filter((word) => known.has(word)).length;
    const isCopied = words.length > 0 && copied >= words.length * COPIED_SHARE;
    const other = recognise?.(text, target.language);
    const isQuoted = isCopied && other !== source.language;
    return { words, isCopied, isWhole: copied === words.length, other: isQuoted ? undefined : other };
  };
  const all = read(to);
  const isLeft =
    all.isCopied && all.words.length >= FEWEST_COPIED && (all.isWhole || all.other !== undefined);
  if (isLeft || all.other !== undefined) {
    const places = { source: whole(from), target: whole(to) };
    return [{ kind: isLeft ? 'untranslated' : 'language', ...places }];
  }
  return [...to.matchAll(CLAUSE)].flatMap(({ 0: clause, index }) => {
    const { words, other } = read(clause);
    if (words.length < FEWEST_OF_CLAUSE || other === undefined) return [];
    const start = index + clause.length - clause.trimStart().length;
    return [{ kind: 'language', source: null, target: { start, end: start + clause.trim().length } }];
  });
}

const whole = (text: string): Span => ({
  start: text.length - text.trimStart().length,
  end: text.trimEnd().length,
});

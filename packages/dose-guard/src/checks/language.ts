import type { Difference, RecogniseOther, Span } from '../findings.ts';
import type { Reading } from '../reading/read-segment.ts';
import { setsOf } from '../words/table.ts';

/** A text with fewer words of its own, such as "Diabetes mellitus", is often the same in another language. */
const FEWEST_COPIED = 4;
/** A clause of fewer words is too short to be told by; of three, only the source's own language is. */
const FEWEST_OF_CLAUSE = 4;
const FEWEST_OF_SOURCE = 3;
/** So many words in a row tell their language. */
const MOST_OF_RUN = 30;
/** A text with so many of its words in the source was not translated. */
const COPIED_SHARE = 0.75;

/** Small words of a language that none of the others has. */
const OWN_WORDS = setsOf(
  'the of and with were is are by from that this which been have had not into than their they when will should after before',
  'el por del una como pero muy para fue más está este desde hasta cuando',
  'avec dans sont aux cette qui elle est leur être pendant sous aussi chez été leurs doit ses où très puis mais',
  'der und ist wurde nicht auf für bei ein eine einer einen werden nach sich oder dem zum zur wird sind aus vor kein keine durch',
);

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
    return [{ kind: isLeft && all.other !== source.language ? 'untranslated' : 'language', ...places }];
  }
  const clauses = [...to.matchAll(CLAUSE)].flatMap(({ 0: clause, index }): Span[] => {
    const { words, other } = read(clause);
    const fewest = other === source.language ? FEWEST_OF_SOURCE : FEWEST_OF_CLAUSE;
    if (words.length < fewest || other === undefined) return [];
    const start = index + clause.length - clause.trimStart().length;
    return [{ start, end: start + clause.trim().length }];
  });
  const runs = clauses.length > 0 ? clauses : findLeft(source, target, recognise);
  const left = runs.length > 0 ? runs : findStrays(source, target, known);
  return left.map((span) => ({ kind: 'language', source: null, target: span }));
}

/** Returns the first small word of another language, but within names, and what the source quotes. */
function findStrays(source: Reading, { tokens, language }: Reading, known: ReadonlySet<string>): Span[] {
  const isSmall = (at: number) => tokens[at]?.text[0] === tokens[at]?.lower[0];
  const isStray = (word: string, at: number) =>
    Object.entries(OWN_WORDS).some(
      ([other, own]) =>
        own.has(word) && other !== language && (other === source.language || !known.has(word)),
    ) && [-1, 0, 1].every((step) => isSmall(at + step));
  return tokens.filter(({ lower }, at) => isStray(lower, at)).slice(0, 1);
}

/** Returns the words in a row that a translation has as its source does, in its language. What has capitals is a name, or a noun that German has borrowed. */
function findLeft(source: Reading, target: Reading, recognise: RecogniseOther | undefined): Span[] {
  const own = ` ${wordsOf(source.plain.text).join(' ')} `;
  const words = [...target.plain.text.matchAll(/\p{L}{2,}/gu)];
  const isCopied = (from: number, to: number) => own.includes(` ${words.slice(from, to).join(' ')} `);
  for (let from = 0; from + FEWEST_OF_SOURCE <= words.length; from += 1) {
    let to = from + FEWEST_OF_SOURCE;
    if (!isCopied(from, to)) continue;
    const most = Math.min(words.length, from + MOST_OF_RUN);
    while (to < most && isCopied(from, to + 1)) to += 1;
    const [start, end] = [words[from]?.index ?? 0, words[to - 1]];
    const span = { start, end: (end?.index ?? 0) + (end?.[0].length ?? 0) };
    const text = target.plain.text.slice(span.start, span.end);
    if (recognise?.(text, target.language) === source.language) return [span];
    from = to - 1;
  }
  return [];
}

const whole = (text: string): Span => ({
  start: text.length - text.trimStart().length,
  end: text.trimEnd().length,
});

import { readInline } from './inline-marks.ts';

/** A text as a model is given it: what must stay as it is has become a short placeholder. */
export interface ProtectedText {
  /** `The <1>book</1> of it<2/>` for `The [book](/b) of it[^1]`. */
  text: string;
  /** Puts what must stay back into the translation. */
  restore(translation: string): Restored;
}

/** The translation, or what is wrong with its placeholders. */
export type Restored = { text: string } | { lost: string[]; added: string[] };

interface ProtectOptions {
  /** What the names of placeholders begin with (`chooseSign`). */
  sign: string;
  /** Words that stay as they are. */
  keep?: readonly string[];
}

interface Protected {
  start: string;
  /** Null for what stands for itself. */
  end: string | null;
  /** The words between the ends, where these stay as well. */
  words?: string;
  /** Whether words stand between the ends: a link without them is nowhere to be seen. */
  isFilled?: boolean;
}

/** Inflection adds so many letters to a word, and takes some from a longer one: "Ibuprofen" for "Ibuprofeno". */
const LONGEST_ENDING = 3;
const LOST_ENDING = 2;
const LONG_WORD = 7;

const escapeExpression = (word: string) => word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** Returns what placeholders begin with behind their bracket, so that none of the texts has one of its own. */
export function chooseSign(texts: readonly string[]): string {
  let sign = '';
  while (texts.some((text) => new RegExp(`</?${sign}\\d`).test(text))) sign += 'x';
  return sign;
}

/** Takes out of a text what must stay: addresses of links and pictures, citations, marks of notes, and words to keep. */
export function protectMarks(text: string, { sign, keep = [] }: ProtectOptions): ProtectedText {
  const marks: Protected[] = [];
  const place = (mark: Protected, words: string | null) => {
    const name = `${sign}${marks.push(mark)}`;
    return words === null ? `<${name}/>` : `<${name}>${words}</${name}>`;
  };
  const kept = keep.filter(Boolean).map(escapeExpression);
  const names = new RegExp(`(?<![\\p{L}\\p{N}])(?:${kept.join('|')})(?![\\p{L}\\p{N}])`, 'giu');
  const keepWords = (words: string) =>
    kept.length === 0
      ? words
      : words.replaceAll(names, (word) => place({ start: '', end: '', words: word }, word));
  const write = (inner: string): string =>
    readInline(inner)
      .map((part) => {
        if (typeof part === 'string') return keepWords(part);
        const { mark, words } = part;
        if (mark.end === null) return place(mark, null);
        if (mark.type === 'fmt') return mark.start + write(words) + mark.end;
        // The number of a link comes before those of what its words hold.
        const at = marks.push({ start: mark.start, end: mark.end, isFilled: words.trim() !== '' });
        return `<${sign}${at}>${write(words)}</${sign}${at}>`;
      })
      .join('');
  return { text: write(text), restore: (translation) => restoreMarks(translation, marks, sign) };
}

/** Returns whether words that go are only those to keep, in any form: "Aspirina" for "Aspirin", and nothing else that would be lost. */
function isFormOf(words: string, kept: string): boolean {
  const forms = kept
    .trim()
    .split(/\s+/)
    .map((word) => {
      const lost = word.length >= LONG_WORD ? LOST_ENDING : 0;
      return `${escapeExpression(word.slice(0, word.length - lost))}\\p{L}{0,${lost + LONGEST_ENDING}}`;
    });
  return words.trim() === '' || new RegExp(`^\\s*${forms.join('\\s+')}\\s*$`, 'iu').test(words);
}

function restoreMarks(translation: string, marks: readonly Protected[], sign: string): Restored {
  /** `from` is in the text that is written, `inner` in the translation. */
  const open: { number: number; from: number; inner: number }[] = [];
  const seen = new Set<number>();
  const added: string[] = [];
  let text = '';
  let end = 0;
  for (const match of translation.matchAll(new RegExp(`<(/?)${sign}(\\d{1,4})\\s*(/?)>`, 'g'))) {
    const [all, isClosing, digits, isEmpty] = match;
    const number = Number(digits);
    const mark = marks[number - 1];
    text += translation.slice(end, match.index);
    end = match.index + all.length;
    if (isClosing) {
      const last = open.at(-1);
      if (mark?.end === null && translation.slice(0, match.index).endsWith(`<${sign}${number}>`)) continue;
      if (mark?.end == null || last?.number !== number) added.push(all);
      else {
        open.pop();
        const words = translation.slice(last.inner, match.index);
        if (mark.words === undefined ? mark.isFilled && words.trim() === '' : !isFormOf(words, mark.words))
          added.push(`<${sign}${number}>${words}${all}`);
        text = (mark.words === undefined ? text : text.slice(0, last.from) + mark.words) + mark.end;
      }
    } else if (!mark || seen.has(number) || (isEmpty && mark.end !== null)) added.push(all);
    else {
      seen.add(number);
      text += mark.start;
      if (mark.end !== null) open.push({ number, from: text.length, inner: end });
    }
  }
  const lost = marks.flatMap(({ end: last }, at) => {
    const isThere = seen.has(at + 1) && !open.some(({ number }) => number === at + 1);
    return isThere ? [] : [last === null ? `<${sign}${at + 1}/>` : `<${sign}${at + 1}>…</${sign}${at + 1}>`];
  });
  if (lost.length + added.length > 0) return { lost, added };
  return { text: text + translation.slice(end) };
}

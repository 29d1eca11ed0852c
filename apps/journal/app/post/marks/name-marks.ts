import { type Bounds, boundsOf } from '../../../project/marks.ts';
import { shorten, toOneLine } from '../../../project/shorten.ts';
import type { ShownMark } from '../present-post.ts';
import type { MarksMessages } from './load-marks-messages.ts';

/** Names hold so many characters of a note or a passage. */
const WORDS_LENGTH = 48;

/** A mark as a page shows it. */
export interface NamedMark extends ShownMark {
  bounds: Bounds;
  /** Its note, or the words of its passage. */
  words: string;
  /** Says which mark it is, where on the plate, and how many there are. */
  place: string;
  /** Says the same with its first words. */
  name: string;
}

/** Returns the marks of a plate with their names: letter, first words, place and number. */
export function nameMarks(marks: readonly ShownMark[], texts: MarksMessages): NamedMark[] {
  return marks.map((mark, index) => {
    const bounds = boundsOf(mark.shape);
    const words = mark.note || mark.passage;
    const place = placeOf(bounds, texts.places);
    const first = shorten(toOneLine(words), WORDS_LENGTH).replace(/[.,;:]$/, '');
    const name = texts.mark(mark.letter, first, place, index + 1, marks.length);
    return { ...mark, bounds, words, name, place: texts.placed(mark.letter, place, index + 1, marks.length) };
  });
}

/** Returns the name of the third of the plate, across and down, in which the middle of a mark is. */
export function placeOf({ x, y, width, height }: Bounds, places: readonly (readonly string[])[]): string {
  const third = (middle: number) => Math.min(2, Math.floor(middle / (100 / 3)));
  return places[third(y + height / 2)]?.[third(x + width / 2)] ?? '';
}

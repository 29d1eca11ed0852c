import type { Bounds } from '../../../project/marks.ts';
import type { MarkdownNode } from '../../markdown/parse-markdown.ts';
import type { ShownMark } from '../present-post.ts';
import type { MarksMessages } from './load-marks-messages.ts';

/** Names hold so many characters of a note or a passage. */
const WORDS_LENGTH = 48;

/** A mark as a page shows it. */
export interface NamedMark extends ShownMark {
  bounds: Bounds;
  /** Its note, or the words of its passage. */
  words: string;
  /** Says which mark it is, and where on the plate. */
  name: string;
}

/** Returns the marks of a plate with their names: letter, first words, place and number. */
export function nameMarks(
  marks: readonly ShownMark[],
  nodes: readonly MarkdownNode[],
  { texts, boundsOf }: { texts: MarksMessages; boundsOf(shape: ShownMark['shape']): Bounds },
): NamedMark[] {
  return marks.map((mark, index) => {
    const bounds = boundsOf(mark.shape);
    const words = mark.note || passageWords(nodes, mark.letter);
    const place = placeOf(bounds, texts.places);
    const name = texts.mark(mark.letter, firstWords(words), place, index + 1, marks.length);
    return { ...mark, bounds, words, name };
  });
}

/** Returns the name of the third of the plate, across and down, in which the middle of a mark is. */
export function placeOf({ x, y, width, height }: Bounds, places: readonly (readonly string[])[]): string {
  const third = (middle: number) => Math.min(2, Math.floor(middle / (100 / 3)));
  return places[third(y + height / 2)]?.[third(x + width / 2)] ?? '';
}

function firstWords(words: string): string {
  if (words.length <= WORDS_LENGTH) return words.replace(/[.,;:]$/, '');
  const cut = words.slice(0, WORDS_LENGTH);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), WORDS_LENGTH / 2)).replace(/[.,;:]$/, '')}…`;
}

/** Returns the words of the first passage of a letter. */
function passageWords(nodes: readonly MarkdownNode[], letter: string): string {
  for (const node of nodes) {
    if (typeof node === 'string') continue;
    if (node.kind === 'passage' && node.letter === letter) return wordsOf(node.children);
    for (const children of childrenOf(node)) {
      const words = passageWords(children, letter);
      if (words) return words;
    }
  }
  return '';
}

function wordsOf(nodes: readonly MarkdownNode[]): string {
  return nodes
    .map((node) => (typeof node === 'string' ? node : childrenOf(node).map(wordsOf).join('')))
    .join('');
}

function childrenOf(node: Exclude<MarkdownNode, string>): readonly (readonly MarkdownNode[])[] {
  if (node.kind === 'footnotes') return node.notes.map(({ children }) => children);
  if (node.kind === 'table') return node.rows.flat();
  return 'children' in node ? [node.children] : [];
}

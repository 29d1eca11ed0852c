import type { MarkdownNode } from './parse-markdown.ts';

/** A heading that the table of contents leads to. */
export interface ContentsEntry {
  id: string;
  /** The level below the highest one, from 0. */
  level: number;
  words: string;
}

/** Texts of so many characters and headings have a table of contents. */
const LONG_TEXT = 6_000;
const MIN_HEADINGS = 3;
/** Deeper headings are left to the text. */
const LEVELS = 2;

/** Returns the contents of a long text; nothing of a short one. */
export function contentsOf(
  nodes: readonly MarkdownNode[],
  wordsOf: (nodes: readonly MarkdownNode[]) => string,
): ContentsEntry[] {
  const headings = nodes.flatMap((node) =>
    typeof node === 'object' && node.kind === 'heading' && node.id !== undefined
      ? [{ id: node.id, depth: node.depth, words: wordsOf(node.children) }]
      : [],
  );
  if (headings.length < MIN_HEADINGS || wordsOf(nodes).length < LONG_TEXT) return [];
  const highest = Math.min(...headings.map(({ depth }) => depth));
  return headings
    .map(({ id, depth, words }) => ({ id, level: depth - highest, words }))
    .filter(({ level, words }) => level < LEVELS && words !== '');
}

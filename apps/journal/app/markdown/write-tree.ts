import type { Root } from 'mdast';
import { directiveToMarkdown } from 'mdast-util-directive';
import { gfmFootnoteToMarkdown } from 'mdast-util-gfm-footnote';
import { gfmTableToMarkdown } from 'mdast-util-gfm-table';
import { type Options, toMarkdown } from 'mdast-util-to-markdown';

/** A colon is escaped where a bracket follows the word behind it: that of `Patient:innen` is not. */
function directives(): Options {
  const { unsafe, ...extension } = directiveToMarkdown({ quoteSmart: true });
  const readable = (unsafe ?? []).map(({ before, ...pattern }) =>
    before === '[^:]'
      ? { ...pattern, after: '[^\\s\\p{P}\\p{S}][\\p{L}\\p{N}_-]*[\\[{]' }
      : { ...pattern, ...(before && { before }) },
  );
  // `[^1]:` would begin a footnote, and `[^1](…)` be the mark of one.
  const afterBracket = { character: ':', before: '\\]', inConstruct: 'phrasing' as const };
  const afterOpening = { character: '^', before: '\\[', inConstruct: 'phrasing' as const };
  return { ...extension, unsafe: [...readable, afterBracket, afterOpening] };
}

const OPTIONS: Options = {
  bullet: '-',
  bulletOther: '*',
  fences: true,
  listItemIndent: 'one',
  rule: '-',
  incrementListMarker: true,
  resourceLink: false,
  extensions: [
    gfmTableToMarkdown({ tablePipeAlign: false, tableCellPadding: true }),
    gfmFootnoteToMarkdown(),
    directives(),
  ],
};

/** Writes a tree as Markdown that `parseTree` reads as the same tree. */
export function writeTree(tree: Root): string {
  return toMarkdown(tree, OPTIONS).trimEnd();
}

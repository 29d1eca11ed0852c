import type {
  AlignType,
  BlockContent,
  DefinitionContent,
  ListItem,
  Paragraph,
  PhrasingContent,
  Root,
  RootContent,
  TableRow,
} from 'mdast';
import type { Mark, Node } from 'prosemirror-model';
import { type FigureDetails, figureAttributes } from '../../../project/markdown/directives.ts';
import { schema } from './schema.ts';

const { nodes, marks } = schema;

type Blocks = (BlockContent | DefinitionContent)[];

/** Returns the tree of a document, or of some of its blocks. Paragraphs without words are left out: Markdown has none. */
export function buildTree(blocks: readonly Node[]): Root {
  return { type: 'root', children: buildBlocks(blocks) as RootContent[] };
}

function buildBlocks(blocks: readonly Node[]): Blocks {
  return blocks.flatMap((block) => buildBlock(block));
}

function buildBlock(block: Node): Blocks {
  switch (block.type) {
    case nodes.paragraph:
      return buildParagraph(block);
    case nodes.heading:
      return [{ type: 'heading', depth: block.attrs.level, children: buildLine(block) }];
    case nodes.blockquote:
      return [{ type: 'blockquote', children: buildBlocks(block.children) }];
    case nodes.callout:
      return [
        {
          type: 'containerDirective',
          name: block.attrs.name,
          children: buildBlocks(block.children) as BlockContent[],
        },
      ];
    case nodes.bullet_list:
    case nodes.ordered_list:
      return [buildList(block)];
    case nodes.code_block:
      return [{ type: 'code', lang: block.attrs.language, value: withoutBlankLines(block.textContent) }];
    case nodes.horizontal_rule:
      return [{ type: 'thematicBreak' }];
    case nodes.figure:
      return [
        {
          type: 'containerDirective',
          name: 'figure',
          attributes: figureAttributes(onOneLine(block.attrs as FigureDetails)),
          children: buildParagraph(block),
        },
      ];
    case nodes.table:
      return [buildTable(block)];
    case nodes.footnote_definition: {
      const { label } = block.attrs;
      return [
        { type: 'footnoteDefinition', identifier: label, label, children: buildBlocks(block.children) },
      ];
    }
    default:
      throw new Error(`There is no Markdown for ${block.type.name}.`);
  }
}

/** A line of code without words is empty: within a list, its space would grow with each reading. */
function withoutBlankLines(code: string): string {
  return code.replaceAll(/^[ \t]+$/gm, '');
}

function buildParagraph(block: Node): Paragraph[] {
  const children = buildLine(block);
  return children.length > 0 ? [{ type: 'paragraph', children }] : [];
}

function buildList(block: Node): BlockContent {
  const children = block.children.map((item): ListItem => {
    const content = buildBlocks(item.children);
    // Without an empty line between them, anything but a list would become part of the paragraph before it.
    const [first, second] = content;
    const isTight =
      content.length < 2 || (content.length === 2 && first?.type === 'paragraph' && isSimpleList(second));
    return { type: 'listItem', spread: !isTight, children: content };
  });
  const spread = children.some((item) => item.spread);
  const start = block.type === nodes.ordered_list ? block.attrs.start : null;
  return { type: 'list', ordered: start !== null, start, spread, children };
}

/** Any other list needs an empty line before it: what its first item begins with could be read as words of the paragraph. */
function isSimpleList(block: Blocks[number] | undefined): boolean {
  return (
    block?.type === 'list' && block.children.every(({ children: [first] }) => first?.type === 'paragraph')
  );
}

function buildTable(block: Node): BlockContent {
  const align = block.firstChild?.children.map((cell): AlignType => cell.attrs.align) ?? [];
  const rows = block.children.map((row): TableRow => {
    const cells = row.children.map((cell) => ({ type: 'tableCell' as const, children: buildLine(cell) }));
    return { type: 'tableRow', children: cells };
  });
  return { type: 'table', align, children: rows };
}

/** A piece of a line: a text, a break, a footnote's or a reference's mark. */
interface Piece {
  content: PhrasingContent;
  marks: readonly Mark[];
}

/** Returns the content of a block without the white space and the breaks at its ends, which Markdown does not keep. */
function buildLine(block: Node): PhrasingContent[] {
  const pieces = block.children.map(pieceOf);
  while (isBlank(pieces.at(-1))) pieces.pop();
  while (isBlank(pieces[0])) pieces.shift();
  trimText(pieces[0], (text) => text.trimStart());
  trimText(pieces.at(-1), (text) => text.trimEnd());
  pieces.forEach(({ content }, at) => {
    if (content.type !== 'break') return;
    trimText(pieces[at - 1], (text) => text.trimEnd());
    trimText(pieces[at + 1], (text) => text.trimStart());
  });
  const kept = pieces.filter(({ content }) => content.type !== 'text' || content.value !== '');
  return nest(kept).flatMap((part, at, line) => {
    // `[^1]:sup[2]` would begin the text of a footnote; a space before it is left out with the next reading.
    const isFirst = at === 0 || line[at - 1]?.type === 'break';
    const isAmbiguous = part.type === 'footnoteReference' && line[at + 1]?.type === 'textDirective';
    return isFirst && isAmbiguous ? [{ type: 'text', value: ' ' }, part] : [part];
  });
}

/**
 * Code holds nothing but text, and a mark that leads to a footnote or a reference is no part of another link. A bracket in code
 * would end the words of a passage.
 */
function pieceOf(inline: Node): Piece {
  const { code, link, passage } = marks;
  const apart = inline.isText
    ? code?.isInSet(inline.marks) && /[[\]\\]/.test(inline.text ?? '')
      ? [passage]
      : []
    : [code, link];
  return { content: contentOf(inline), marks: inline.marks.filter(({ type }) => !apart.includes(type)) };
}

function contentOf(inline: Node): PhrasingContent {
  switch (inline.type) {
    case nodes.hard_break:
      return { type: 'break' };
    case nodes.footnote_reference:
      return { type: 'footnoteReference', identifier: inline.attrs.label, label: inline.attrs.label };
    case nodes.citation:
      return { type: 'textDirective', name: 'cite', children: [{ type: 'text', value: inline.attrs.key }] };
    default:
      return { type: 'text', value: inline.text ?? '' };
  }
}

function isBlank(piece: Piece | undefined): boolean {
  if (!piece) return false;
  const { content } = piece;
  return content.type === 'break' || (content.type === 'text' && content.value.trim() === '');
}

function trimText(piece: Piece | undefined, trim: (text: string) => string): void {
  if (piece?.content.type === 'text') piece.content.value = trim(piece.content.value);
}

/** Nests marks: the one that lasts longest encloses the others. */
function nest(pieces: readonly Piece[]): PhrasingContent[] {
  const result: PhrasingContent[] = [];
  for (let at = 0; at < pieces.length; ) {
    const outermost = longestMark(pieces, at);
    if (outermost) {
      const inner = pieces.slice(at, outermost.end).map(({ content, marks: set }) => ({
        content,
        marks: outermost.mark.removeFromSet(set),
      }));
      const { before, marked, after } = withoutEdges(inner, outermost.mark);
      append(result, before);
      if (marked.length > 0) result.push(enclose(outermost.mark, marked));
      append(result, after);
      at = outermost.end;
    } else {
      append(result, pieces.slice(at, at + 1));
      at += 1;
    }
  }
  return result;
}

/** Appends pieces without marks; texts beside each other become one. */
function append(result: PhrasingContent[], pieces: readonly Piece[]): void {
  for (const { content } of pieces) {
    const last = result.at(-1);
    if (content.type === 'text' && last?.type === 'text') last.value += content.value;
    else result.push(content.type === 'text' ? { ...content } : content);
  }
}

/** `** words**` is not emphasis, so white space and breaks at the edges of a mark stand beside it. */
function withoutEdges(pieces: readonly Piece[], mark: Mark) {
  if (mark.type === marks.code) return { before: [], marked: pieces, after: [] };
  const marked = [...pieces];
  const before: Piece[] = [];
  const after: Piece[] = [];
  while (isBlank(marked[0])) before.push(...marked.splice(0, 1));
  while (isBlank(marked.at(-1))) after.unshift(...marked.splice(-1));
  const [start, first] = splitText(marked[0], /^\s*/);
  if (first) marked[0] = first;
  const [end, last] = splitText(marked.at(-1), /\s*$/);
  if (last) marked[marked.length - 1] = last;
  return { before: [...before, ...start], marked, after: [...end, ...after] };
}

/** Returns the space that matches, and the piece without it. */
function splitText(piece: Piece | undefined, space: RegExp): [Piece[], Piece | undefined] {
  if (piece?.content.type !== 'text') return [[], undefined];
  const { value } = piece.content;
  const [taken = ''] = space.exec(value) ?? [];
  if (taken === '') return [[], undefined];
  const text = (words: string): Piece => ({ ...piece, content: { type: 'text', value: words } });
  return [[text(taken)], text(value.replace(space, ''))];
}

function longestMark(pieces: readonly Piece[], at: number): { mark: Mark; end: number } | undefined {
  let longest: { mark: Mark; end: number } | undefined;
  for (const mark of pieces[at]?.marks ?? []) {
    const isCode = mark.type === marks.code;
    if (isCode && pieces[at]?.marks.length !== 1) continue;
    let end = at + 1;
    // Code stands within all other marks, so it ends where another one begins.
    while (pieces[end]?.marks.some((other) => other.eq(mark)) && !(isCode && pieces[end]?.marks.length !== 1))
      end += 1;
    if (!longest || end > longest.end) longest = { mark, end };
  }
  return longest;
}

function enclose(mark: Mark, inner: readonly Piece[]): PhrasingContent {
  switch (mark.type) {
    case marks.code:
      return { type: 'inlineCode', value: inner.map(({ content }) => textOf(content)).join('') };
    case marks.link:
      return { type: 'link', url: mark.attrs.href, title: mark.attrs.title, children: nest(inner) as never };
    case marks.strong:
      return { type: 'strong', children: nest(inner) };
    case marks.em:
      return { type: 'emphasis', children: nest(inner) };
    case marks.passage: {
      const attributes = { id: mark.attrs.letter };
      return { type: 'textDirective', name: 'mark', attributes, children: nest(inner) };
    }
    default:
      return { type: 'textDirective', name: mark.type.name, children: nest(inner) };
  }
}

function textOf(content: PhrasingContent): string {
  return 'value' in content ? content.value : '';
}

/** The attributes of a directive stand on one line. */
function onOneLine({ alt, credit, licence, ...rest }: FigureDetails): FigureDetails {
  const [one, two, three] = [alt, credit, licence].map((text) => text.replaceAll(/\s+/g, ' ').trim());
  return { ...rest, alt: one ?? '', credit: two ?? '', licence: three ?? '' };
}

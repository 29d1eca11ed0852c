import type { Nodes, Paragraph, Parents, PhrasingContent, Root, RootContent } from 'mdast';
import type { ContainerDirective, LeafDirective, TextDirective } from 'mdast-util-directive';
import { directiveFromMarkdown } from 'mdast-util-directive';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFootnoteFromMarkdown } from 'mdast-util-gfm-footnote';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { directive } from 'micromark-extension-directive';
import { gfmFootnote } from 'micromark-extension-gfm-footnote';
import { gfmTable } from 'micromark-extension-gfm-table';
import type { Construct, Extension } from 'micromark-util-types';
import { isFigure, isKnownBlock, isKnownMark } from './directives.ts';

/** Lists, quotations and what else stands within each other, in nodes of the tree; a person writes ten. */
const MAX_DEPTH = 60;
/** Nodes of a tree. An article of 100,000 characters with tables and notes has 7,600, and to render the page of 12,000 takes most of 100 ms. */
const MAX_NODES = 12_000;
/** Paragraphs, headings and cells of a text: an article of 100,000 characters has 1,300, and to match 2,000 with their former words takes 50 ms. */
export const MAX_BLOCKS = 2_000;
const BLOCKS = new Set(['paragraph', 'heading', 'tableCell', 'code', 'definition', 'html']);

/** Is thrown for a text whose structure is beyond what anybody writes. It is shown as plain text, and not stored anew. */
export class TooComplex extends Error {
  override name = 'TooComplex';
  /** Another try may take less time, and finds the same structure. */
  readonly fault: 'time' | 'structure';

  constructor(fault: 'time' | 'structure') {
    super('The text is too complex to be read as Markdown.');
    this.fault = fault;
  }
}

/**
 * Returns the tree of a Markdown text, and null for one that is too complex and is shown as plain text. That it takes too long is
 * tried twice, but with `once`, when somebody writes it and can send it again.
 */
export type ParseMarkdown = (text: string, options?: { once?: boolean }) => Promise<Root | null>;

/** Milliseconds for a text in a browser, which holds nobody up but its reader. */
const BROWSER_MS = 2_000;

/** Parses a text in this very thread, as browsers do. Returns null as `ParseMarkdown` does. */
export function parseHere(text: string): Root | null {
  const end = performance.now() + BROWSER_MS;
  try {
    return parseTree(text, () => performance.now() > end);
  } catch (error) {
    if (error instanceof TooComplex) return null;
    throw error;
  }
}

/**
 * Parses CommonMark with tables, footnotes and the directives of `directives.ts` into the tree that pages, the editor and
 * translations share. Its top-level children are the blocks of the text. Directives that are not known stay text as typed.
 * `isOver` is asked all the time whether the text has taken too long. Throws `TooComplex`.
 */
export function parseTree(text: string, isOver: () => boolean): Root {
  try {
    const root = fromMarkdown(text, {
      extensions: [gfmTable(), gfmFootnote(), directive(), deadline(isOver)],
      mdastExtensions: [gfmTableFromMarkdown(), gfmFootnoteFromMarkdown(), directiveFromMarkdown()],
    });
    requireBounds(root);
    root.children = keepKnown(root, text) as RootContent[];
    return root;
  } catch (error) {
    // A `RangeError` says that the stack is used up.
    if (error instanceof RangeError) throw new TooComplex('structure');
    throw error;
  }
}

/** The character codes that quotations, lists and footnotes begin with. */
const CONTAINER_STARTS = Array.from('>-+*[0123456789', (character) => character.charCodeAt(0));

/** Asks at each line, mark and span that the parser comes to whether it has taken too long. */
function deadline(isOver: () => boolean): Extension {
  const check = () => {
    if (isOver()) throw new TooComplex('time');
  };
  const point: Construct = {
    tokenize: (_, __, nok) => {
      check();
      return nok;
    },
    resolveAll: (events) => {
      check();
      return events;
    },
  };
  /** Counts the containers that begin within each other in a line: of thousands, the parser would go through each at each. */
  let [line, depth] = [0, 0];
  const container: Construct = {
    ...point,
    tokenize(effects, ok, nok) {
      depth = this.now().line === line ? depth + 1 : 0;
      line = this.now().line;
      if (depth > MAX_DEPTH) throw new TooComplex('structure');
      return point.tokenize.call(this, effects, ok, nok);
    },
  };
  const everywhere = { null: [point] };
  return {
    document: Object.fromEntries(CONTAINER_STARTS.map((code) => [code, container])),
    flow: everywhere,
    text: everywhere,
    string: everywhere,
    insideSpan: everywhere,
  };
}

function requireBounds(root: Root): void {
  let [level, count, blocks]: [Nodes[], number, number] = [[root], 0, 0];
  for (let depth = 0; level.length > 0; depth += 1) {
    count += level.length;
    blocks += level.filter(({ type }) => BLOCKS.has(type)).length;
    if (depth > MAX_DEPTH || count > MAX_NODES || blocks > MAX_BLOCKS) throw new TooComplex('structure');
    level = level.flatMap((node): Nodes[] => ('children' in node ? node.children : []));
  }
}

/** Returns the children of a node, with the directives that are not known as text. */
function keepKnown(parent: Parents, source: string): Nodes[] {
  return parent.children.flatMap((node): Nodes[] => {
    if ('children' in node) (node as Parents).children = keepKnown(node, source) as never;
    switch (node.type) {
      case 'textDirective':
        return isKnownMark(node) ? [node] : openText(node, source);
      case 'leafDirective':
        return isFigure(node)
          ? [{ ...node, type: 'containerDirective', children: [] }]
          : [paragraphOf(openText(node, source), node)];
      case 'containerDirective':
        return isKnownBlock(node) ? [node] : openContainer(node, source);
      default:
        return [node];
    }
  });
}

/** Returns a directive's marks as text, around what stands in its brackets. */
function openText(node: TextDirective | LeafDirective, source: string): PhrasingContent[] {
  const { children } = node;
  const [start, end] = [offsetOf(node, 'start'), offsetOf(node, 'end')];
  const [first, last] = [children[0], children.at(-1)];
  if (!first || !last) return [textOf(source.slice(start, end), node)];
  return [
    textOf(source.slice(start, offsetOf(first, 'start')), node),
    ...children,
    textOf(source.slice(offsetOf(last, 'end'), end), node),
  ];
}

function openContainer(node: ContainerDirective, source: string): Nodes[] {
  const lines = source.slice(offsetOf(node, 'start'), offsetOf(node, 'end')).split('\n');
  const closing = lines.at(-1)?.trim() ?? '';
  const blocks = node.children.filter(({ type, data }) => type !== 'paragraph' || !isLabel(data));
  const opening = paragraphOf([textOf(lines[0]?.trim() ?? '', node)], node);
  const isClosed = lines.length > 1 && /^:{3,}$/.test(closing);
  return [opening, ...blocks, ...(isClosed ? [paragraphOf([textOf(closing, node)], node)] : [])];
}

/** Returns whether a paragraph is what stands in the brackets of a container's first line. */
export function isLabel(data: unknown): boolean {
  return (data as { directiveLabel?: boolean } | undefined)?.directiveLabel === true;
}

function offsetOf(node: Nodes, edge: 'start' | 'end'): number {
  return node.position?.[edge].offset ?? 0;
}

/** The text stands where its directive stood, so that what holds it finds the place of its first and last child. */
function textOf(value: string, { position }: Nodes): PhrasingContent {
  return { type: 'text', value, position };
}

function paragraphOf(children: PhrasingContent[], { position }: Nodes): Paragraph {
  return { type: 'paragraph', children, position };
}

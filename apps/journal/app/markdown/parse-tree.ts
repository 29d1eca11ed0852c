import type { Nodes, Paragraph, Parents, PhrasingContent, Root, RootContent } from 'mdast';
import type { ContainerDirective, LeafDirective, TextDirective } from 'mdast-util-directive';
import { directiveFromMarkdown } from 'mdast-util-directive';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFootnoteFromMarkdown } from 'mdast-util-gfm-footnote';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { directive } from 'micromark-extension-directive';
import { gfmFootnote } from 'micromark-extension-gfm-footnote';
import { gfmTable } from 'micromark-extension-gfm-table';
import { isFigure, isKnownBlock, isKnownMark } from './directives.ts';
import { isTooComplex } from './parse-cost.ts';

/**
 * Parses CommonMark with tables, footnotes and the directives of `directives.ts` into the tree that pages, the editor and
 * translations share. Its top-level children are the blocks of the text. Directives that are not known stay text as typed, and
 * so does a text that is too complex.
 */
export function parseTree(text: string): Root {
  if (isTooComplex(text)) return asTyped(text);
  const root = fromMarkdown(text, {
    extensions: [gfmTable(), gfmFootnote(), directive()],
    mdastExtensions: [gfmTableFromMarkdown(), gfmFootnoteFromMarkdown(), directiveFromMarkdown()],
  });
  root.children = keepKnown(root, text) as RootContent[];
  return root;
}

/** Returns a text as one paragraph. */
function asTyped(text: string): Root {
  const position = () => ({
    start: { line: 1, column: 1, offset: 0 },
    end: { line: 1, column: text.length + 1, offset: text.length },
  });
  const words: PhrasingContent = { type: 'text', value: text, position: position() };
  return { type: 'root', children: [{ type: 'paragraph', children: [words], position: position() }] };
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

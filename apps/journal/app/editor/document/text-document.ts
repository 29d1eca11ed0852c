import type { Node } from 'prosemirror-model';
import { parseHere } from '../../../project/markdown/parse-tree.ts';
import { writeTree } from '../../markdown/write-tree.ts';
import { buildTree } from './build-tree.ts';
import { linesOf, readTree } from './read-tree.ts';
import { schema } from './schema.ts';

const { nodes } = schema;

/** Plain text has line breaks only; anything more is Markdown. */
export type TextFormat = 'plain' | 'markdown';

export interface FormattedText {
  value: string;
  format: TextFormat;
}

/** Returns the document of a text. Markdown that is too complex is read as plain text. */
export function readDocument({ value, format }: FormattedText): Node {
  const tree = format === 'markdown' ? parseHere(value) : null;
  if (tree) return readTree(tree);
  const paragraphs = value.replaceAll('\r\n', '\n').split('\n\n');
  return schema.node(
    'doc',
    null,
    paragraphs.map((lines) => schema.node('paragraph', null, linesOf(lines))),
  );
}

/**
 * Returns the text of a document. One that was plain stays plain, to the character, while it has paragraphs and line breaks
 * only.
 */
export function writeDocument(document: Node, before: TextFormat): FormattedText {
  if (before === 'plain' && isPlain(document)) return { value: writePlain(document), format: 'plain' };
  return { value: writeMarkdown(document), format: 'markdown' };
}

/** Returns the position in the document of a text that stands so many characters from the text's start, or near it. */
export function positionInDocument(document: Node, text: FormattedText, characters: number): number {
  return text.format === 'plain'
    ? positionInPlain(document, characters)
    : positionInMarkdown(document, text.value, characters);
}

/** A private character, which no text has. */
const MARKER = '\uE0F0';
/** An offset among signs, as before `**`, is looked for this many characters further on. */
const SIGNS = 4;

/** Reads the text with a character at the offset. Where that would be another text, the offset is the document's end. */
function positionInMarkdown(document: Node, text: string, characters: number): number {
  for (let offset = characters; offset <= Math.min(characters + SIGNS, text.length); offset += 1) {
    const value = text.slice(0, offset) + MARKER + text.slice(offset);
    const marked = readDocument({ value, format: 'markdown' });
    let found: number | undefined;
    marked.descendants((node, pos) => {
      const at = node.text?.indexOf(MARKER) ?? -1;
      if (at >= 0) found = pos + at;
    });
    if (found !== undefined && marked.content.size === document.content.size + 1) return found;
  }
  return document.content.size;
}

function positionInPlain(document: Node, characters: number): number {
  let left = characters;
  let position = 0;
  for (const paragraph of document.children) {
    // A line break is one character of the text and one position of the document, as a letter is.
    if (left <= paragraph.content.size) return position + 1 + Math.max(0, left);
    left -= paragraph.content.size + 2;
    position += paragraph.nodeSize;
  }
  return document.content.size;
}

function isPlain(document: Node): boolean {
  return document.children.every(
    (block) =>
      block.type === nodes.paragraph &&
      block.children.every(
        ({ type, marks }) => marks.length === 0 && (type === nodes.text || type === nodes.hard_break),
      ),
  );
}

function writePlain(document: Node): string {
  return document.children.map((block) => block.textContent).join('\n\n');
}

/** The Markdown of blocks, which are never changed, so that a key stroke costs the block that it changes. */
const written = new WeakMap<Node, string>();

export function writeMarkdown(document: Node): string {
  const parts: string[] = [];
  const { children } = document;
  for (let at = 0; at < children.length; at += 1) {
    const [block, next] = [children[at], children[at + 1]];
    if (!block) continue;
    // Lists beside each other need different bullets, so they are written together.
    const lists = isList(block) && next && isList(next) ? takeLists(children, at) : undefined;
    const part = lists ? writeTree(buildTree(lists)) : writeBlock(block);
    if (lists) at += lists.length - 1;
    if (part !== '') parts.push(part);
  }
  return parts.join('\n\n');
}

function writeBlock(block: Node): string {
  const earlier = written.get(block);
  if (earlier !== undefined) return earlier;
  const text = writeTree(buildTree([block]));
  written.set(block, text);
  return text;
}

function takeLists(blocks: readonly Node[], from: number): Node[] {
  const end = blocks.findIndex((block, index) => index > from && !isList(block));
  return blocks.slice(from, end < 0 ? undefined : end);
}

function isList(block: Node): boolean {
  return block.type === nodes.bullet_list || block.type === nodes.ordered_list;
}

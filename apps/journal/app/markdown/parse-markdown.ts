import type { Nodes, Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';

/** A part of a text that was written as Markdown, as plain data: a page renders it as elements, never as HTML. */
export type MarkdownNode =
  | string
  | { kind: 'break' | 'rule' }
  | { kind: 'code'; text: string; block: boolean }
  | { kind: 'link'; url: string; children: MarkdownNode[] }
  | { kind: 'heading'; depth: number; children: MarkdownNode[] }
  | { kind: 'list'; start: number | null; children: MarkdownNode[] }
  | { kind: 'paragraph' | 'emphasis' | 'strong' | 'quote' | 'item'; children: MarkdownNode[] };

/** Matches the targets of links: the web, mail, telephone, and places of this site. */
const LINK_TARGET = /^(?:https?:\/\/|mailto:|tel:|\/(?!\/)|#)/i;

/**
 * Parses CommonMark. HTML is kept as the text that was typed, an image becomes a link to it, and a link whose target could
 * run code is left as its words.
 */
export function parseMarkdown(text: string): MarkdownNode[] {
  const root = fromMarkdown(text);
  const definitions = new Map<string, string>();
  for (const node of root.children) {
    if (node.type === 'definition') definitions.set(node.identifier, node.url);
  }
  return convertAll(root, definitions);
}

/** Returns the words of a Markdown text on one line, as descriptions of pages need them. */
export function plainText(nodes: readonly MarkdownNode[]): string {
  const collect = (node: MarkdownNode): string => {
    if (typeof node === 'string') return node;
    if (node.kind === 'code') return node.text;
    if (!('children' in node)) return ' ';
    const isBlock = !['link', 'emphasis', 'strong'].includes(node.kind);
    return node.children.map(collect).join('') + (isBlock ? ' ' : '');
  };
  return nodes.map(collect).join('').replaceAll(/\s+/g, ' ').trim();
}

type Definitions = ReadonlyMap<string, string>;

function convertAll(parent: Nodes | Root, definitions: Definitions): MarkdownNode[] {
  return 'children' in parent ? parent.children.flatMap((node) => convert(node, definitions)) : [];
}

function convert(node: Nodes, definitions: Definitions): MarkdownNode[] {
  const children = convertAll(node, definitions);
  switch (node.type) {
    case 'text':
    case 'html':
      return [node.value];
    case 'break':
      return [{ kind: 'break' }];
    case 'thematicBreak':
      return [{ kind: 'rule' }];
    case 'inlineCode':
    case 'code':
      return [{ kind: 'code', text: node.value, block: node.type === 'code' }];
    case 'heading':
      return [{ kind: 'heading', depth: node.depth, children }];
    case 'list':
      return [{ kind: 'list', start: node.ordered ? (node.start ?? 1) : null, children }];
    case 'listItem':
      return [{ kind: 'item', children }];
    case 'blockquote':
      return [{ kind: 'quote', children }];
    case 'paragraph':
    case 'emphasis':
    case 'strong':
      return [{ kind: node.type, children }];
    case 'link':
      return link(node.url, children);
    case 'linkReference':
      return link(definitions.get(node.identifier), children);
    case 'image':
      return link(node.url, [node.alt || node.url]);
    case 'imageReference':
      return link(definitions.get(node.identifier), [node.alt ?? '']);
    default:
      return [];
  }
}

function link(url: string | undefined, children: MarkdownNode[]): MarkdownNode[] {
  return url !== undefined && LINK_TARGET.test(url) ? [{ kind: 'link', url, children }] : children;
}

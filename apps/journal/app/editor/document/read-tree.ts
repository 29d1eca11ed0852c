import type { AlignType, Definition, Nodes, Parents, Root, Table } from 'mdast';
import { Fragment, type Mark, type Node } from 'prosemirror-model';
import { citationKey, figureDetails, markLetter } from '../../../project/markdown/directives.ts';
import { schema } from './schema.ts';

const { nodes, marks } = schema;

/** Returns the document of a tree that `parseTree` has made. */
export function readTree(root: Root): Node {
  const reader = new TreeReader(root);
  const body = reader.blocks(root);
  const footnotes = reader.footnotes();
  return node('doc', [...(body.length > 0 ? body : [node('paragraph')]), ...footnotes]);
}

class TreeReader {
  readonly #definitions = new Map<string, Definition>();
  readonly #footnotes = new Map<string, Node>();

  constructor(root: Root) {
    this.#collectDefinitions(root);
  }

  #collectDefinitions(parent: Parents): void {
    for (const child of parent.children) {
      if (child.type === 'definition' && !this.#definitions.has(child.identifier)) {
        this.#definitions.set(child.identifier, child);
      }
      if ('children' in child) this.#collectDefinitions(child);
    }
  }

  /** Returns the footnotes that `blocks` has passed, which may stand anywhere in a text. */
  footnotes(): Node[] {
    return [...this.#footnotes.values()];
  }

  blocks(parent: Parents): Node[] {
    return parent.children.flatMap((child): Node[] => this.#block(child));
  }

  /** Returns blocks, with an empty paragraph where there is none. */
  #filled(parent: Parents): Node[] {
    const blocks = this.blocks(parent);
    return blocks.length > 0 ? blocks : [node('paragraph')];
  }

  #block(block: Nodes): Node[] {
    switch (block.type) {
      case 'paragraph':
        return [node('paragraph', this.#inlines(block))];
      case 'heading':
        return [node('heading', withoutBreaks(this.#inlines(block)), { level: block.depth })];
      case 'blockquote':
        return [node('blockquote', this.#filled(block))];
      case 'list': {
        const items = block.children.map((item) => node('list_item', this.#filled(item)));
        if (items.length === 0) return [];
        return block.ordered
          ? [node('ordered_list', items, { start: block.start ?? 1 })]
          : [node('bullet_list', items)];
      }
      case 'code':
        return [node('code_block', textNodes(block.value), { language: block.lang ?? null })];
      case 'html':
        return [node('paragraph', linesOf(block.value))];
      case 'thematicBreak':
        return [node('horizontal_rule')];
      case 'table':
        return [this.#table(block)];
      case 'containerDirective':
        if (block.name === 'figure') return this.#figure(block);
        return [node('callout', this.#filled(block), { name: block.name })];
      case 'footnoteDefinition':
        if (!this.#footnotes.has(block.identifier)) {
          // Kept before its blocks are read, so that footnotes within it follow it.
          this.#footnotes.set(block.identifier, node('paragraph'));
          const { identifier: label } = block;
          this.#footnotes.set(label, node('footnote_definition', this.#filled(block), { label }));
        }
        return [];
      case 'definition':
        return [];
      default:
        return 'children' in block ? this.blocks(block) : [];
    }
  }

  #table({ align, children: [head, ...rows] }: Table): Node {
    const columns = Math.max(head?.children.length ?? 1, 1);
    const row = (cells: Parents | undefined, kind: 'table_header' | 'table_cell') =>
      node(
        'table_row',
        Array.from({ length: columns }, (_, index) => {
          const cell = cells?.children[index] as Parents | undefined;
          const content = cell ? withoutBreaks(this.#inlines(cell)) : [];
          return node(kind, content, { align: alignment(align?.[index]) });
        }),
      );
    return node('table', [row(head, 'table_header'), ...rows.map((cells) => row(cells, 'table_cell'))]);
  }

  /** A caption is one paragraph: further ones become lines of it, and other blocks follow the figure. */
  #figure(directive: Parents & Parameters<typeof figureDetails>[0]): Node[] {
    const blocks = this.blocks(directive);
    const paragraphs = blocks.filter(({ type }) => type === nodes.paragraph);
    const caption = paragraphs.flatMap((paragraph, index) => [
      ...(index > 0 ? [node('hard_break')] : []),
      ...paragraph.children,
    ]);
    const others = blocks.filter(({ type }) => type !== nodes.paragraph);
    return [node('figure', caption, { ...figureDetails(directive) }), ...others];
  }

  #inlines(parent: Parents): Node[] {
    return joined(parent.children.flatMap((child) => this.#inline(child, [])));
  }

  #inline(inline: Nodes, outer: readonly Mark[]): Node[] {
    const within = (mark: Mark) =>
      (inline as Parents).children.flatMap((child) => this.#inline(child, mark.addToSet(outer)));
    switch (inline.type) {
      case 'text':
      case 'html':
        return textNodes(inline.value.replaceAll(/ *\r?\n */g, ' '), outer);
      case 'break':
        return [nodes.hard_break?.create(null, null, outer) as Node];
      case 'inlineCode':
        return textNodes(inline.value, mark('code').addToSet(outer));
      case 'emphasis':
        return within(mark('em'));
      case 'strong':
        return within(mark('strong'));
      case 'link':
        return within(mark('link', { href: inline.url, title: inline.title ?? null }));
      case 'linkReference': {
        const target = this.#definitions.get(inline.identifier);
        return within(mark('link', { href: target?.url ?? '', title: target?.title ?? null }));
      }
      case 'image':
        return this.#image(inline.url, inline.alt, outer);
      case 'imageReference':
        return this.#image(this.#definitions.get(inline.identifier)?.url ?? '', inline.alt, outer);
      case 'footnoteReference':
        return [node('footnote_reference', [], { label: inline.identifier }).mark(outer)];
      case 'textDirective': {
        const key = inline.name === 'cite' ? citationKey(inline) : null;
        if (key !== null) return [node('citation', [], { key }).mark(outer)];
        const letter = markLetter(inline);
        if (letter !== null) return within(mark('passage', { letter }));
        return within(mark(inline.name === 'sub' ? 'sub' : 'sup'));
      }
      default:
        return 'children' in inline ? inline.children.flatMap((child) => this.#inline(child, outer)) : [];
    }
  }

  /** An image within a line is a link to it, as readers see it; within a link, it is the words of that link. */
  #image(href: string, alt: string | null | undefined, outer: readonly Mark[]): Node[] {
    const isLinked = outer.some(({ type }) => type === marks.link);
    return textNodes(alt || href, isLinked ? outer : mark('link', { href, title: null }).addToSet(outer));
  }
}

function node(type: string, content: readonly Node[] = [], attributes: Record<string, unknown> = {}): Node {
  const created = nodes[type]?.create(attributes, Fragment.fromArray([...content]));
  if (!created) throw new Error(`There is no node ${type}.`);
  return created;
}

function mark(type: string, attributes?: Record<string, unknown>): Mark {
  const created = marks[type]?.create(attributes);
  if (!created) throw new Error(`There is no mark ${type}.`);
  return created;
}

function textNodes(text: string, set: readonly Mark[] = []): Node[] {
  return text === '' ? [] : [schema.text(text, set)];
}

/** Returns the lines of a text with breaks between them. */
export function linesOf(text: string): Node[] {
  return text
    .split('\n')
    .flatMap((line, index) => [...(index > 0 ? [node('hard_break')] : []), ...textNodes(line)]);
}

function withoutBreaks(content: readonly Node[]): Node[] {
  return joined(
    content.flatMap((one) => (one.type === nodes.hard_break ? textNodes(' ', one.marks) : [one])),
  );
}

/** Joins neighbouring texts with the same marks. */
function joined(content: readonly Node[]): Node[] {
  return [...Fragment.fromArray([...content]).content];
}

function alignment(align: AlignType | undefined): string | null {
  return align ?? null;
}

import type { Code, Nodes, Paragraph, Parents, Root } from 'mdast';
import type { ContainerDirective } from 'mdast-util-directive';
import { isLabel } from '../project/markdown/parse-tree.ts';
import type { SegmentKind } from '../project/translations.ts';
import type { Slot, SlotForm } from './slot.ts';

/** Splits Markdown into its blocks, with the cells of tables, the captions of figures and their alternative texts. */
export function splitMarkdown(text: string, tree: Root): Slot[] {
  return new MarkdownSplitter(text).slotsOf(tree, 'paragraph');
}

const CLOSING_TICKS = /(?:\r\n?|\n)[ \t>]*`{3,}[ \t]*$/;
const CLOSING_TILDES = /(?:\r\n?|\n)[ \t>]*~{3,}[ \t]*$/;

class MarkdownSplitter {
  readonly #text: string;
  /** To look for one in vain takes as long as the whole text, at each block. */
  readonly #hasReturns: boolean;

  constructor(text: string) {
    this.#text = text;
    this.#hasReturns = text.includes('\r');
  }

  /** Returns the segments of a node, whose paragraphs are of this kind. */
  slotsOf(node: Nodes, kind: SegmentKind): Slot[] {
    switch (node.type) {
      case 'heading':
        return this.#inner(node, 'heading', 'line');
      case 'tableCell':
        return this.#inner(node, 'cell', 'cell');
      case 'paragraph':
        return this.#paragraph(node, kind);
      case 'html':
        return [this.#slot('paragraph', 'verbatim', [startOf(node), endOf(node)])];
      case 'code':
        return this.#code(node);
      case 'containerDirective':
        return node.name === 'figure'
          ? [...this.#alternative(node), ...this.#children(node, 'caption')]
          : this.#children(node, kind);
      case 'listItem':
        return this.#children(node, 'item');
      case 'footnoteDefinition':
        return this.#children(node, 'footnote');
      default:
        return 'children' in node ? this.#children(node, kind) : [];
    }
  }

  #children(parent: Parents, kind: SegmentKind): Slot[] {
    return parent.children.flatMap((child) => this.slotsOf(child, kind));
  }

  #inner(node: Parents, kind: SegmentKind, form: SlotForm): Slot[] {
    const [first, last] = [node.children[0], node.children.at(-1)];
    return first && last ? [this.#slot(kind, form, [startOf(first), endOf(last)])] : [];
  }

  #paragraph(node: Paragraph, kind: SegmentKind): Slot[] {
    if (isLabel(node.data)) return this.#inner(node, 'heading', 'line');
    const [first] = node.children;
    const start = startOf(node);
    // The first and the last line of a directive that is not known stand for the whole of it.
    const isLineOfDirective = node.children.length === 1 && first?.position === node.position;
    if (!isLineOfDirective || first?.type !== 'text') {
      return [this.#slot(kind, 'block', [start, endOf(node)])];
    }
    const isFirstLine = this.#text.startsWith(first.value, start);
    return isFirstLine ? [this.#slot(kind, 'verbatim', [start, start + first.value.length])] : [];
  }

  /** The fences are part of the frame. */
  #code(node: Code): Slot[] {
    const [start, end] = [startOf(node), endOf(node)];
    const raw = this.#text.slice(start, end);
    const [, fence] = /^(`{3,}|~{3,})/.exec(raw) ?? [];
    if (fence === undefined) return [this.#slot('code', 'code', [start, end])];
    const opening = /\r\n?|\n/.exec(raw);
    if (!opening) return [];
    const from = start + opening.index + opening[0].length;
    const [closing] = (fence[0] === '~' ? CLOSING_TILDES : CLOSING_TICKS).exec(raw) ?? [''];
    const prefix = this.#prefixAt(start);
    const first = from + (this.#text.startsWith(prefix, from) ? prefix.length : 0);
    const last = end - closing.length;
    return first < last ? [this.#slot('code', 'code', [first, last], prefix)] : [];
  }

  /** The tree does not say where an attribute stands: it is found in the line of the figure. */
  #alternative(node: ContainerDirective): Slot[] {
    const text = node.attributes?.alt?.trim();
    const start = startOf(node);
    const line = /^.*/.exec(this.#text.slice(start, endOf(node)))?.[0] ?? '';
    const attributes = line.matchAll(/(?<=[\s{])([\w-]+)\s*=\s*("[^"]*"|'[^']*'|[^\s"'}]+)/g);
    const found = [...attributes].find(([, name]) => name === 'alt');
    if (!text || !found) return [];
    const end = start + found.index + found[0].length;
    return [{ kind: 'alt', form: 'attribute', text, start: end - (found[2] ?? '').length, end, prefix: '' }];
  }

  #slot(kind: SegmentKind, form: SlotForm, [start, end]: readonly [number, number], known?: string): Slot {
    const lines = this.#text.slice(start, end).split(/\r\n?|\n/);
    // A row of a table may have thousands of cells, which are in the same line.
    const prefix = known ?? (form === 'cell' ? '' : this.#prefixAt(start));
    const text = lines.map((line, at) => (at === 0 ? line : withoutPrefix(line, prefix, form))).join('\n');
    return { kind, text, start, end, form, prefix };
  }

  /** Returns what the lines after the first of a block begin with: the marks of quotations, and room for those of lists. */
  #prefixAt(start: number): string {
    const last = (lineBreak: string) => this.#text.lastIndexOf(lineBreak, start - 1);
    const line = Math.max(last('\n'), this.#hasReturns ? last('\r') : -1) + 1;
    return this.#text
      .slice(line, start)
      .replace(/\[\^[^\]]*\]:[ \t]?/, '    ')
      .replaceAll(/[^>\s]/g, ' ');
  }
}

/** White space at the start of a line means something in code only; a line may also lack its marks. */
function withoutPrefix(line: string, prefix: string, form: SlotForm): string {
  if (form === 'code' || form === 'verbatim') {
    if (line.startsWith(prefix)) return line.slice(prefix.length);
    return prefix.startsWith(line) || prefix.trimEnd() === line.trimEnd() ? '' : line;
  }
  const quotations = prefix.split('>').length - 1;
  return line.replace(new RegExp(`^(?:[ \\t]*>){0,${quotations}}[ \\t]*`), '');
}

function startOf(node: Nodes): number {
  return node.position?.start.offset ?? 0;
}

function endOf(node: Nodes): number {
  return node.position?.end.offset ?? 0;
}

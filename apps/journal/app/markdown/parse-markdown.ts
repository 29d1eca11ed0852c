import type { Nodes, Parents, Root, Table } from 'mdast';
import type { ContainerDirective, TextDirective } from 'mdast-util-directive';
import {
  type CalloutName,
  citationKey,
  type FigureDetails,
  figureDetails,
  isStoredPicture,
  markLetter,
} from '../../project/markdown/directives.ts';
import type { ParseMarkdown } from '../../project/markdown/parse-tree.ts';
import { linkFinder } from '../ui/find-links.ts';
import { isLinkTarget } from './links.ts';

/** A part of a text that was written as Markdown, as plain data: a page renders it as elements, never as HTML. */
export type MarkdownNode =
  | string
  | { kind: 'break' | 'rule' }
  | ({ kind: 'code'; text: string; block: boolean } & Tracked)
  | { kind: 'link'; url: string; children: MarkdownNode[] }
  | ({ kind: 'heading'; depth: number; id?: string; children: MarkdownNode[] } & Tracked)
  | { kind: 'list'; start: number | null; children: MarkdownNode[] }
  | { kind: 'callout'; name: CalloutName; children: MarkdownNode[] }
  | ({ kind: 'figure'; children: MarkdownNode[] } & Omit<FigureDetails, 'src'> & { url: string } & Tracked)
  | ({ kind: 'table'; align: (string | null)[]; rows: MarkdownNode[][][] } & Tracked)
  /** The mark of a footnote; `nth` counts the marks of the same footnote from 1. */
  | { kind: 'footnote'; number: number; nth: number }
  /** The marks of references beside each other; a key that is in no list has no number. */
  | { kind: 'citation'; marks: { key: string; number: number | null; nth: number }[] }
  /** A passage that a mark on a plate belongs to; only the first one of a letter is led to. */
  | { kind: 'passage'; letter: string; isFirst: boolean; children: MarkdownNode[] }
  | { kind: 'footnotes'; notes: { number: number; marks: number; children: MarkdownNode[] }[] }
  | ({ kind: ParentKind; children: MarkdownNode[] } & Tracked);

/** A block that is tracked has the place in the text at which it begins. */
interface Tracked {
  at?: number;
}

type ParentKind = 'paragraph' | 'emphasis' | 'strong' | 'superscript' | 'subscript' | 'quote' | 'item';

export interface ParseOptions {
  /** Headings get an id that is made of their words: `text-dosage`. */
  anchors?: boolean;
  /** The letters of the marks on the post's plates: a passage of another letter is its words alone. */
  letters?: ReadonlySet<string>;
  /** The keys of the references that the text can cite, in the order of their list. */
  sources?: readonly string[];
  /** Tells which blocks are tracked, by where they begin and end: paragraphs, headings, code, tables and figures. */
  tracks?: (start: number, end: number) => boolean;
}

/** A text as a page shows it. */
interface MarkdownText {
  nodes: MarkdownNode[];
  /** The keys of the cited references, in the order of their numbers, and how often each is cited. */
  cited: string[];
  marks: number[];
  /** The words of the first passage of each letter. */
  passages: ReadonlyMap<string, string>;
}

/**
 * Reads a text for its readers from its tree. HTML is kept as the text that was typed, an image becomes a link to it, a link
 * whose target could run code is left as its words, and what is written as an address or a DOI becomes a link.
 */
export function readTree(tree: Root, options: ParseOptions = {}): MarkdownText {
  const reader = new TextReader(tree, options);
  const nodes = reader.read();
  return {
    nodes,
    cited: [...reader.cited.keys()],
    marks: [...reader.cited.values()].map(({ marks }) => marks),
    passages: reader.passages,
  };
}

/** Parses a text without references. One that is too complex is shown as it was typed. */
export async function parseMarkdown(text: string, parse: ParseMarkdown): Promise<MarkdownNode[]> {
  const tree = await parse(text);
  return tree ? readTree(tree).nodes : [{ kind: 'paragraph', children: [text] }];
}

class TextReader {
  readonly cited = new Map<string, { number: number; marks: number }>();
  readonly passages = new Map<string, string>();
  readonly #root: Root;
  readonly #options: ParseOptions;
  readonly #definitions = new Map<string, string>();
  readonly #notes = new Map<string, Parents>();
  readonly #numbers = new Map<string, { number: number; marks: number }>();
  readonly #ids = new Set<string>();
  /** The last number that headings of the same words got, so that thousands of them are not counted anew each time. */
  readonly #lastOf = new Map<string, number>();
  /** The links to places of the text. */
  readonly #places: { url: string }[] = [];
  readonly #findLinks = linkFinder();
  /** A figure is tracked as a whole. */
  #isInFigure = false;

  constructor(root: Root, options: ParseOptions) {
    this.#root = root;
    this.#options = options;
    this.#collect(root);
  }

  read(): MarkdownNode[] {
    const nodes = this.#all(this.#root);
    const notes: { entry: { number: number; marks: number }; children: MarkdownNode[] }[] = [];
    // A footnote may name another one, which is counted then.
    for (const [label, entry] of this.#numbers) {
      const note = this.#notes.get(label);
      if (note) notes.push({ entry, children: this.#all(note) });
    }
    // All marks are counted, and all headings known, only now.
    for (const place of this.#places) place.url = this.#headingOf(place.url) ?? place.url;
    if (notes.length === 0) return nodes;
    return [
      ...nodes,
      { kind: 'footnotes', notes: notes.map(({ entry, children }) => ({ ...entry, children })) },
    ];
  }

  /**
   * Returns where a link to a place of the same text leads: `#dosage`, as other programs write it, to the heading "Dosage", and
   * `#dosage-1` to the second of that name. Returns undefined where no heading has these words.
   */
  #headingOf(url: string): string | undefined {
    const slug = slugOf(decoded(url.slice(1)));
    const [, base = slug, nth] = /^(.+)-(\d+)$/.exec(slug) ?? [];
    const ids = [`text-${slug}`, ...(nth ? [`text-${base}-${Number(nth) + 1}`] : []), slug];
    const id = ids.find((one) => this.#ids.has(one));
    return id && `#${id}`;
  }

  #collect(parent: Parents): void {
    for (const node of parent.children) {
      if (node.type === 'definition' && !this.#definitions.has(node.identifier)) {
        this.#definitions.set(node.identifier, node.url);
      }
      if (node.type === 'footnoteDefinition' && !this.#notes.has(node.identifier)) {
        this.#notes.set(node.identifier, node);
      }
      if ('children' in node) this.#collect(node);
    }
  }

  #all(parent: Nodes): MarkdownNode[] {
    if (!('children' in parent)) return [];
    return hugFootnotes(joinCitations(parent.children.flatMap((node) => this.#convert(node))));
  }

  #convert(node: Nodes): MarkdownNode[] {
    switch (node.type) {
      case 'text':
        return this.#linked(node.value);
      case 'html':
        return [node.value];
      case 'break':
        return [{ kind: 'break' }];
      case 'thematicBreak':
        return [{ kind: 'rule' }];
      case 'inlineCode':
        return [{ kind: 'code', text: node.value, block: false }];
      case 'code':
        return [{ kind: 'code', text: node.value, block: true, ...this.#track(node) }];
      case 'heading':
        return [this.#heading(node)];
      case 'list':
        return [{ kind: 'list', start: node.ordered ? (node.start ?? 1) : null, children: this.#all(node) }];
      case 'listItem':
        return [{ kind: 'item', children: this.#all(node) }];
      case 'blockquote':
        return [{ kind: 'quote', children: this.#all(node) }];
      case 'paragraph':
        return [{ kind: 'paragraph', children: this.#all(node), ...this.#track(node) }];
      case 'emphasis':
      case 'strong':
        return [{ kind: node.type, children: this.#all(node) }];
      case 'link':
        return this.#link(node.url, node);
      case 'linkReference':
        return this.#link(this.#definitions.get(node.identifier), node);
      case 'image':
        return link(node.url, [node.alt || node.url]);
      case 'imageReference':
        return link(this.#definitions.get(node.identifier), [node.alt ?? '']);
      case 'table':
        return [this.#table(node)];
      case 'footnoteReference':
        return this.#footnote(node.identifier);
      case 'textDirective':
        return this.#mark(node);
      case 'containerDirective':
        return this.#block(node);
      default:
        return [];
    }
  }

  #linked(text: string): MarkdownNode[] {
    return this.#findLinks(text).map(({ text: words, url }) =>
      url ? { kind: 'link', url, children: [words] } : words,
    );
  }

  #link(url: string | undefined, node: Nodes): MarkdownNode[] {
    const nodes = link(url, this.#all(node));
    let [first] = nodes;
    while (typeof first === 'object' && first.kind === 'passage') [first] = first.children;
    if (this.#options.anchors && url?.startsWith('#') && typeof first === 'object' && first.kind === 'link') {
      this.#places.push(first);
    }
    return nodes;
  }

  #track({ position }: Nodes): Tracked {
    const [start, end] = [position?.start.offset ?? 0, position?.end.offset ?? 0];
    return !this.#isInFigure && this.#options.tracks?.(start, end) ? { at: start } : {};
  }

  #heading(node: Extract<Nodes, { type: 'heading' }>): MarkdownNode {
    const children = this.#all(node);
    const heading: MarkdownNode = { kind: 'heading', depth: node.depth, children, ...this.#track(node) };
    return this.#options.anchors ? { ...heading, id: this.#idOf(plainText(children)) } : heading;
  }

  /** Returns an id that changes with the words of its heading only, unless two headings have the same. */
  #idOf(words: string): string {
    const base = `text-${slugOf(words) || 'heading'}`;
    let [id, count] = [base, this.#lastOf.get(base) ?? 1];
    while (this.#ids.has(id)) {
      count += 1;
      id = `${base}-${count}`;
    }
    this.#lastOf.set(base, count);
    this.#ids.add(id);
    return id;
  }

  #table(node: Table): MarkdownNode {
    const rows = node.children.map((row) => row.children.map((cell) => this.#all(cell)));
    const align = (node.align ?? []).map((one) => one ?? null);
    return { kind: 'table', align, rows, ...this.#track(node) };
  }

  #footnote(label: string): MarkdownNode[] {
    if (!this.#notes.has(label)) return [`[^${label}]`];
    const entry = countMark(this.#numbers, label);
    return [{ kind: 'footnote', number: entry.number, nth: entry.marks }];
  }

  #mark(node: TextDirective): MarkdownNode[] {
    const letter = markLetter(node);
    if (letter !== null) return this.#passage(letter, this.#all(node));
    const key = node.name === 'cite' ? citationKey(node) : null;
    if (key === null) {
      return [{ kind: node.name === 'sub' ? 'subscript' : 'superscript', children: this.#all(node) }];
    }
    if (!this.#options.sources?.includes(key)) {
      return [{ kind: 'citation', marks: [{ key, number: null, nth: 0 }] }];
    }
    const { number, marks: nth } = countMark(this.cited, key);
    return [{ kind: 'citation', marks: [{ key, number, nth }] }];
  }

  /** Of a passage within another one, both are led to: only their letters are links. */
  #passage(letter: string, children: MarkdownNode[]): MarkdownNode[] {
    if (!this.#options.letters?.has(letter)) return children;
    const isFirst = !this.passages.has(letter);
    if (isFirst) this.passages.set(letter, plainText(children));
    return [{ kind: 'passage', letter, isFirst, children }];
  }

  #block(node: ContainerDirective): MarkdownNode[] {
    if (node.name !== 'figure') {
      return [{ kind: 'callout', name: node.name as CalloutName, children: this.#all(node) }];
    }
    this.#isInFigure = true;
    const children = this.#all(node);
    this.#isInFigure = false;
    const { src, ...details } = figureDetails(node);
    if (isStoredPicture(src))
      return [{ kind: 'figure', url: src, ...details, children, ...this.#track(node) }];
    // A picture of another site is a link to it: readers' browsers load nothing from there.
    return [{ kind: 'paragraph', children: link(src, [details.alt || src]) }, ...children];
  }
}

function slugOf(words: string): string {
  return words
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 80);
}

/** Returns a fragment as people write it; one that is no encoding stays as it is. */
function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/** Counts a mark; the first one of each gives the next number. */
function countMark(counted: Map<string, { number: number; marks: number }>, name: string) {
  const entry = counted.get(name) ?? { number: counted.size + 1, marks: 0 };
  entry.marks += 1;
  counted.set(name, entry);
  return entry;
}

/** The mark of a footnote stands right behind its word, whatever white space is written before it. */
function hugFootnotes(nodes: MarkdownNode[]): MarkdownNode[] {
  return nodes.map((node, index) => {
    const next = nodes[index + 1];
    const isMarked = typeof next === 'object' && next.kind === 'footnote';
    return typeof node === 'string' && isMarked ? node.trimEnd() : node;
  });
}

/** References beside each other stand in one pair of brackets. */
function joinCitations(nodes: MarkdownNode[]): MarkdownNode[] {
  const joined: MarkdownNode[] = [];
  for (const node of nodes) {
    const last = joined.at(-1);
    if (isCitation(node) && isCitation(last)) last.marks.push(...node.marks);
    else joined.push(node);
  }
  return joined;
}

function isCitation(node: MarkdownNode | undefined): node is Extract<MarkdownNode, { kind: 'citation' }> {
  return typeof node === 'object' && node.kind === 'citation';
}

/**
 * Returns a link without other links in it, which no page can have: a passage in its words is the whole link, and the marks of
 * footnotes and references stand behind it.
 */
function link(url: string | undefined, children: MarkdownNode[]): MarkdownNode[] {
  const passages: Extract<MarkdownNode, { kind: 'passage' }>[] = [];
  const behind: MarkdownNode[] = [];
  const wordsOf = (node: MarkdownNode): MarkdownNode[] => {
    if (typeof node === 'string') return [node];
    switch (node.kind) {
      case 'passage':
        passages.push(node);
        return node.children.flatMap(wordsOf);
      case 'link':
        return node.children.flatMap(wordsOf);
      case 'footnote':
      case 'citation':
        behind.push(node);
        return [];
      case 'emphasis':
      case 'strong':
      case 'superscript':
      case 'subscript':
        return [{ ...node, children: node.children.flatMap(wordsOf) }];
      default:
        return [node];
    }
  };
  const words = children.flatMap(wordsOf);
  const linked: MarkdownNode[] =
    url !== undefined && isLinkTarget(url) ? [{ kind: 'link', url, children: words }] : words;
  const whole = passages.reduceRight<MarkdownNode[]>((inner, one) => [{ ...one, children: inner }], linked);
  return [...whole, ...behind];
}

const WITHIN_LINE = ['passage', 'link', 'emphasis', 'strong', 'superscript', 'subscript'];

/** Returns the words of a Markdown text on one line, as descriptions of pages need them. */
export function plainText(nodes: readonly MarkdownNode[]): string {
  return nodes.map(collect).join('').replaceAll(/\s+/g, ' ').trim();
}

function collect(node: MarkdownNode): string {
  if (typeof node === 'string') return node;
  switch (node.kind) {
    case 'code':
      return node.text;
    case 'footnote':
    case 'citation':
      return '';
    case 'table':
      return node.rows.map((row) => `${row.map((cell) => cell.map(collect).join('')).join(' ')} `).join('');
    case 'footnotes':
      return node.notes.map(({ children }) => `${children.map(collect).join('')} `).join('');
    case 'break':
    case 'rule':
      return ' ';
    default:
      return node.children.map(collect).join('') + (WITHIN_LINE.includes(node.kind) ? '' : ' ');
  }
}

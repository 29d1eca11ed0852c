import { escapeXml, xmlElement } from '../../../project/write-xml.ts';
import type { Messages } from '../../language/load-messages.ts';
import type { OwnLanguage } from '../../language/own-language.ts';
import { headingLevels, PLAIN_TAGS } from '../../markdown/markdown-text.tsx';
import type { MarkdownNode } from '../../markdown/parse-markdown.ts';
import { linkFinder, WRITTEN_LINK_REL } from '../../ui/find-links.ts';
import { blocksOf, mostParts } from '../../ui/plain-text.tsx';

/** Holds what the HTML of a text needs beside the text. */
export interface HtmlContext {
  texts: Messages['post'];
  /** What call-outs and notes are titled, in the language of the text. */
  titles: OwnLanguage;
  /** Returns the absolute URL of what a text leads to; a fragment leads to the page of the post. */
  linkUrl(url: string): string;
  /** Returns the absolute URL of a picture. */
  imageUrl(url: string): string;
}

interface Picture {
  url: string;
  width: number | null;
  height: number | null;
  alt: string;
  /** HTML; empty for none. */
  caption: string;
  credit: string;
  licence: string;
}

type NodeOf<Kind extends string> = Extract<MarkdownNode, { kind: Kind }>;

/** The headings of a text stand below the title of its entry. */
const FIRST_LEVEL = 2;

/**
 * Returns the HTML of a parsed Markdown text as `MarkdownText` shows it, without what a page alone has: classes, ids and
 * scrolling frames. Words are escaped, and no other elements are written than those below.
 */
export function writeNodes(nodes: readonly MarkdownNode[], context: HtmlContext): string {
  return new NodeWriter(context, headingLevels(nodes, FIRST_LEVEL)).all(nodes);
}

class NodeWriter {
  readonly #context: HtmlContext;
  readonly #levelOf: (depth: number) => number;

  constructor(context: HtmlContext, levelOf: (depth: number) => number) {
    this.#context = context;
    this.#levelOf = levelOf;
  }

  all(nodes: readonly MarkdownNode[]): string {
    return nodes.map((node) => this.#write(node)).join('');
  }

  #write(node: MarkdownNode): string {
    if (typeof node === 'string') return escapeXml(node);
    const isTracked = 'at' in node && node.at !== undefined;
    return this.#element(node) + (isTracked ? writeNote(this.#context.texts.translation.changedHere) : '');
  }

  #element(node: Exclude<MarkdownNode, string>): string {
    const { linkUrl } = this.#context;
    switch (node.kind) {
      case 'break':
        return xmlElement('br', {});
      case 'rule':
        return xmlElement('hr', {});
      case 'code': {
        const code = xmlElement('code', {}, escapeXml(node.text));
        return node.block ? xmlElement('pre', {}, code) : code;
      }
      case 'link':
        return /^[/#]/.test(node.url)
          ? xmlElement('a', { href: linkUrl(node.url) }, this.all(node.children))
          : writeLink(node.url, this.all(node.children));
      case 'heading':
        return xmlElement(`h${this.#levelOf(node.depth)}`, {}, this.all(node.children));
      case 'list': {
        const items = this.all(node.children);
        return node.start === null
          ? xmlElement('ul', {}, items)
          : xmlElement('ol', { start: String(node.start) }, items);
      }
      case 'figure':
        return writePicture({ ...node, caption: this.all(node.children) }, this.#context);
      case 'callout': {
        const label = escapeXml(this.#context.titles.callouts[node.name]);
        return xmlElement(
          'blockquote',
          {},
          xmlElement('p', {}, xmlElement('strong', {}, label)),
          this.all(node.children),
        );
      }
      case 'table':
        return this.#table(node);
      case 'footnote':
        return xmlElement(
          'sup',
          {},
          xmlElement('a', { href: linkUrl(`#fn-${node.number}`) }, `${node.number}`),
        );
      case 'citation':
        return this.#citation(node);
      case 'passage':
        return `${this.all(node.children)}${xmlElement('sup', {}, xmlElement('a', { href: linkUrl(`#mark-${node.letter}`) }, node.letter))}`;
      case 'footnotes':
        return this.#footnotes(node);
      default:
        return xmlElement(PLAIN_TAGS[node.kind], {}, this.all(node.children));
    }
  }

  #table({ rows: [head = [], ...rows] }: NodeOf<'table'>): string {
    const row = (cells: readonly MarkdownNode[][], tag: 'th' | 'td') =>
      xmlElement('tr', {}, ...cells.map((cell) => xmlElement(tag, {}, this.all(cell))));
    return xmlElement(
      'table',
      {},
      xmlElement('thead', {}, row(head, 'th')),
      xmlElement('tbody', {}, ...rows.map((cells) => row(cells, 'td'))),
    );
  }

  #citation({ marks }: NodeOf<'citation'>): string {
    const { linkUrl } = this.#context;
    const numbers = marks.map(({ key, number }) =>
      number === null ? escapeXml(key) : xmlElement('a', { href: linkUrl(`#ref-${number}`) }, `${number}`),
    );
    return `[${numbers.join(', ')}]`;
  }

  #footnotes({ notes }: NodeOf<'footnotes'>): string {
    const title = xmlElement('h2', {}, escapeXml(this.#context.titles.footnotes));
    const items = notes.map(({ children }) => xmlElement('li', {}, this.all(children)));
    return title + xmlElement('ol', {}, ...items);
  }
}

/** Returns a plain text as paragraphs, in which web addresses and DOIs are links. */
export function writePlainText(text: string): string {
  const findLinks = linkFinder(mostParts(text.length));
  const words = (part: string) => escapeXml(part).replaceAll('\n', xmlElement('br', {}));
  return blocksOf(text)
    .map((block) =>
      findLinks(block).map(({ text: part, url }) => (url ? writeLink(url, words(part)) : words(part))),
    )
    .map((parts) => xmlElement('p', {}, ...parts))
    .join('');
}

/** Returns a link to what a text names on another site. */
export function writeLink(url: string, html: string): string {
  return xmlElement('a', { href: url, rel: WRITTEN_LINK_REL }, html);
}

/** Returns what is said about a text as a paragraph that is not part of it. */
export function writeNote(text: string, html = ''): string {
  return xmlElement('p', {}, xmlElement('em', {}, escapeXml(text), html));
}

/** Returns a picture with its caption and with what may be done with it. */
export function writePicture(
  { url, width, height, alt, caption, credit, licence }: Picture,
  { imageUrl }: Pick<HtmlContext, 'imageUrl'>,
): string {
  const rights = [credit, licence].filter(Boolean).join(' · ');
  const size = {
    width: width === null ? undefined : `${width}`,
    height: height === null ? undefined : `${height}`,
  };
  const image = xmlElement('img', { src: imageUrl(url), alt, ...size });
  const legend = [caption, escapeXml(rights)].filter(Boolean).join(' · ');
  return xmlElement('figure', {}, image, ...(legend ? [xmlElement('figcaption', {}, legend)] : []));
}

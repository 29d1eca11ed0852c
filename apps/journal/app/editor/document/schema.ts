import { type Attrs, type DOMOutputSpec, type MarkSpec, type NodeSpec, Schema } from 'prosemirror-model';
import { tableNodes } from 'prosemirror-tables';
import { isCallout, isCitationKey } from '../../../project/markdown/directives.ts';
import { MARK_LETTER } from '../../../project/marks.ts';

/** Names what stands in a line that cannot be broken, as a heading or the cell of a table: all but line breaks. */
const LINE = 'line*';

const HEADINGS = [1, 2, 3, 4, 5, 6] as const;

/** A line runs from right to left where its first letter does, as in Arabic and Hebrew. */
const BY_LETTERS = { dir: 'auto' } as const;

const blocks: Record<string, NodeSpec> = {
  /** Footnotes stand at the end, as readers find them. */
  doc: { content: 'block+ footnote_definition*' },
  paragraph: {
    content: 'inline*',
    group: 'block',
    parseDOM: [{ tag: 'p' }],
    toDOM: () => ['p', BY_LETTERS, 0],
  },
  heading: {
    attrs: { level: { default: 2, validate: 'number' } },
    content: LINE,
    group: 'block',
    defining: true,
    parseDOM: HEADINGS.map((level) => ({ tag: `h${level}`, attrs: { level } })),
    toDOM: ({ attrs }) => [`h${attrs.level}`, BY_LETTERS, 0],
  },
  blockquote: {
    content: 'block+',
    group: 'block',
    defining: true,
    parseDOM: [{ tag: 'blockquote' }],
    toDOM: () => ['blockquote', 0],
  },
  callout: {
    attrs: { name: { default: 'warning', validate: 'string' } },
    content: 'block+',
    group: 'block',
    defining: true,
    parseDOM: [
      {
        tag: 'aside[data-callout]',
        getAttrs: (element) => {
          const name = element.getAttribute('data-callout') ?? '';
          return isCallout(name) ? { name } : false;
        },
      },
    ],
    toDOM: ({ attrs }) => ['aside', { class: 'callout', 'data-callout': attrs.name }, 0],
  },
  bullet_list: {
    content: 'list_item+',
    group: 'block list',
    parseDOM: [{ tag: 'ul' }],
    toDOM: () => ['ul', 0],
  },
  ordered_list: {
    attrs: { start: { default: 1, validate: 'number' } },
    content: 'list_item+',
    group: 'block list',
    parseDOM: [{ tag: 'ol', getAttrs: (element) => ({ start: startOf(element.getAttribute('start')) }) }],
    toDOM: ({ attrs }) => (attrs.start === 1 ? ['ol', 0] : ['ol', { start: attrs.start }, 0]),
  },
  list_item: { content: 'block+', defining: true, parseDOM: [{ tag: 'li' }], toDOM: () => ['li', 0] },
  code_block: {
    attrs: { language: { default: null, validate: 'string|null' } },
    content: 'text*',
    group: 'block',
    marks: '',
    code: true,
    defining: true,
    parseDOM: [{ tag: 'pre', preserveWhitespace: 'full' }],
    toDOM: () => ['pre', ['code', 0]],
  },
  horizontal_rule: { group: 'block', parseDOM: [{ tag: 'hr' }], toDOM: () => ['hr'] },
  figure: {
    attrs: {
      src: { default: '', validate: 'string' },
      width: { default: null, validate: 'number|null' },
      height: { default: null, validate: 'number|null' },
      alt: { default: '', validate: 'string' },
      credit: { default: '', validate: 'string' },
      licence: { default: '', validate: 'string' },
    },
    content: 'inline*',
    group: 'block',
    defining: true,
    isolating: true,
    draggable: true,
    parseDOM: [
      {
        tag: 'figure[data-src]',
        contentElement: 'figcaption',
        getAttrs: ({ dataset }) => ({
          src: dataset.src ?? '',
          alt: dataset.alt ?? '',
          credit: dataset.credit ?? '',
          licence: dataset.licence ?? '',
          width: Number(dataset.width) || null,
          height: Number(dataset.height) || null,
        }),
      },
    ],
    toDOM: ({ attrs: { src, width, height, ...words } }) => [
      'figure',
      dataAttributes({ src, width, height, ...words }),
      ['img', { src, alt: words.alt }],
      ['figcaption', BY_LETTERS, 0],
    ],
  },
  footnote_definition: {
    attrs: { label: { validate: 'string' } },
    content: 'block+',
    defining: true,
    isolating: true,
    parseDOM: [
      {
        tag: 'div[data-footnote-definition]',
        getAttrs: (element) => ({ label: element.getAttribute('data-footnote-definition') }),
      },
    ],
    toDOM: ({ attrs }) => ['div', { class: 'footnote', 'data-footnote-definition': attrs.label }, 0],
  },
  ...tableNodes({
    tableGroup: 'block',
    cellContent: LINE,
    cellAttributes: {
      align: {
        default: null,
        getFromDOM: (cell) => alignmentOf(cell.style.textAlign || cell.getAttribute('align')),
        setDOMAttr: (value, attributes) => {
          Object.assign(attributes, BY_LETTERS);
          if (value) attributes.style = `text-align: ${value}`;
        },
      },
    },
  }),
};

const inlines: Record<string, NodeSpec> = {
  text: { group: 'inline line' },
  hard_break: {
    inline: true,
    group: 'inline',
    selectable: false,
    linebreakReplacement: true,
    parseDOM: [{ tag: 'br' }],
    toDOM: () => ['br'],
    leafText: () => '\n',
  },
  footnote_reference: {
    attrs: { label: { validate: 'string' } },
    inline: true,
    atom: true,
    group: 'inline line',
    parseDOM: [
      {
        tag: 'sup[data-footnote]',
        // Before the mark of superscript.
        priority: 60,
        getAttrs: (element) => ({ label: element.getAttribute('data-footnote') }),
      },
    ],
    toDOM: ({ attrs }) => ['sup', { class: 'footnote-mark', 'data-footnote': attrs.label }],
  },
  citation: {
    attrs: { key: { validate: 'string' } },
    inline: true,
    atom: true,
    group: 'inline line',
    parseDOM: [
      {
        tag: 'span[data-cite]',
        getAttrs: (element) => {
          const key = element.getAttribute('data-cite') ?? '';
          return isCitationKey(key) ? { key } : false;
        },
      },
    ],
    toDOM: ({ attrs }) => ['span', { class: 'citation', 'data-cite': attrs.key }],
  },
};

/** Their order is the order in which they are nested. */
const marks: Record<string, MarkSpec> = {
  link: {
    attrs: { href: { validate: 'string' }, title: { default: null, validate: 'string|null' } },
    inclusive: false,
    parseDOM: [
      {
        tag: 'a[href]',
        getAttrs: (element) => ({
          href: element.getAttribute('href'),
          title: element.getAttribute('title'),
        }),
      },
    ],
    toDOM: ({ attrs }) => ['a', { href: attrs.href, title: attrs.title, rel: 'noopener nofollow' }, 0],
  },
  /** Words that a mark on a plate belongs to. */
  passage: {
    attrs: { letter: { validate: 'string' } },
    excludes: 'passage',
    inclusive: false,
    parseDOM: [
      {
        tag: 'span[data-mark]',
        getAttrs: ({ dataset: { mark: letter = '' } }) => MARK_LETTER.test(letter) && { letter },
      },
    ],
    toDOM: ({ attrs }) => ['span', { class: 'passage', 'data-mark': attrs.letter }, 0],
  },
  strong: {
    parseDOM: [
      { tag: 'strong' },
      // Google Docs wraps all that is copied in a `b` of normal weight.
      { tag: 'b', getAttrs: (element) => element.style.fontWeight !== 'normal' && null },
      {
        style: 'font-weight',
        getAttrs: (value) => /^(?:bold(?:er)?|[6-9]\d\d)$/.test(String(value)) && null,
      },
    ],
    toDOM: () => ['strong', 0],
  },
  em: {
    parseDOM: [{ tag: 'em' }, { tag: 'i' }, { style: 'font-style=italic' }],
    toDOM: () => ['em', 0],
  },
  sup: shiftedText('sup', 'super'),
  sub: shiftedText('sub', 'sub'),
  code: { code: true, excludes: 'sup sub', parseDOM: [{ tag: 'code' }], toDOM: () => ['code', 0] },
};

export const schema = new Schema({ nodes: { ...blocks, ...inlines }, marks });

function shiftedText(tag: 'sup' | 'sub', style: string): MarkSpec {
  return {
    excludes: 'sup sub',
    parseDOM: [{ tag }, { style: `vertical-align=${style}` }],
    toDOM: (): DOMOutputSpec => [tag, 0],
  };
}

function startOf(text: string | null): number {
  const start = Number(text ?? 1);
  return Number.isInteger(start) && start >= 0 && start < 1_000_000_000 ? start : 1;
}

function alignmentOf(text: string | null): string | null {
  return text === 'left' || text === 'center' || text === 'right' ? text : null;
}

function dataAttributes(attributes: Attrs): Record<string, string> {
  const entries = Object.entries(attributes).filter(([, value]) => value !== null);
  return Object.fromEntries(entries.map(([name, value]) => [`data-${name}`, String(value)]));
}

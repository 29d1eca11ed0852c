import { readSigns, shiftedText } from '@fabrica/contract/signs';
import { Parser } from 'htmlparser2';
import { UnreadableDocument } from '../document.ts';
import { type Look, lookWithin, PLAIN_LOOK, STRUCK } from './look.ts';
import { ALIASES, MARKS, STRUCTURE, UNSEEN, VOID } from './page-elements.ts';
import { absoluteUrl, createPageFacts, type PageFacts } from './page-facts.ts';

/** Levels of elements that are kept. Deeper elements become siblings, as in a browser. */
const MAX_DEPTH = 200;
/** Levels of elements beyond which a page is refused. */
const REFUSED_DEPTH = 10_000;
/** Elements beyond which a page is refused. A page of 10 MB can have so many when it is a table of single digits. */
const REFUSED_ELEMENTS = 500_000;
/** Attributes of one element beyond which a page is refused. */
const REFUSED_ATTRIBUTES = 1_000;
/** Characters of text that are collected before they are written. */
const TEXT_CHUNK = 8_192;
/** Stands for a letter of a font such as Wingdings of which it is not known what it shows. */
const UNKNOWN_SIGN = '\ufffd';
/** Characters of an attribute that are kept. */
const MAX_ATTRIBUTE = 4_000;

const HIDDEN_STYLE = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;
const ALLOWED_ATTRIBUTES = [
  'class',
  'id',
  'role',
  'dir',
  'lang',
  'title',
  'alt',
  'colspan',
  'rowspan',
  'start',
];
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufeff]/g;

type Attributes = Record<string, string>;

/** A page without all that is not displayed. */
export interface SlimPage {
  /** The content of <body>, well-formed: every element is closed, every attribute quoted, every URL absolute. */
  markup: string;
  /** The part that the page calls its main part, or its only article. */
  main: string | undefined;
  elements: number;
  facts: PageFacts;
}

interface SlimOptions {
  /** URL of the page, which its links are resolved with. */
  url: string | undefined;
  /** Whether to keep elements that only mark words (`em`, `code` …), which plain text does not show. */
  marks: boolean;
}

interface MarkupPart {
  start: number;
  end?: number;
}

/** An open element: the name it was written as, why its content is not displayed, its part of the markup, and the look around it. */
interface OpenElement {
  outer?: Look;
  /** Whether its words are written as superscripts or subscripts themselves. */
  shifts?: boolean;
  written?: string;
  invisibility?: 'unseen' | 'hidden' | undefined;
  part?: MarkupPart | undefined;
}

/**
 * Reads a page in one pass without a tree. The result is small, well-formed and shallow, so that a tree of it is built
 * and walked quickly. Throws UnreadableDocument for a page beyond the limits.
 */
export function slimPage(html: string, { url, marks }: SlimOptions): SlimPage {
  const facts = createPageFacts(url);
  const out: string[] = [];
  const open: OpenElement[] = [];
  const mains: MarkupPart[] = [];
  const articles: MarkupPart[] = [];
  const invisible = { unseen: 0, hidden: 0 };
  let text = '';
  let opened = 0;
  let elements = 0;
  let attributesOfOne = 0;
  let depth = 0;
  let preformatted = 0;
  let look = PLAIN_LOOK;
  let shifts = 0;

  function write(name: string, attributes: Attributes, outer: Look): OpenElement {
    const isShift = !STRUCTURE.has(name) && !outer.shift && look.shift !== undefined;
    const mapped = isShift ? (look.shift ?? name) : (ALIASES.get(name) ?? name);
    const empty = VOID.has(mapped);
    // Preformatted text has no elements, and struck words are marked as they are written.
    if (STRUCK.has(mapped)) return {};
    if (isShift && (preformatted > 0 || look.struck)) {
      shifts += 1;
      return { shifts: true };
    }
    if (!STRUCTURE.has(mapped) && !isShift && !(marks && MARKS.has(mapped))) return {};
    if (!empty && depth >= MAX_DEPTH) return {};
    const part: MarkupPart = { start: out.length };
    out.push(`<${mapped}${attributesOf(mapped, attributes, facts.base())}${empty ? '/>' : '>'}`);
    elements += 1;
    if (empty) return {};
    depth += 1;
    if (mapped === 'main' || attributes.role === 'main') mains.push(part);
    else if (mapped === 'article') articles.push(part);
    return { written: mapped, part };
  }

  /** Writes the collected text. The parser passes text in pieces, which may be single characters. */
  function writeText(): void {
    if (text === '') return;
    const typed = text.replace(CONTROLS, '');
    const clean = look.font ? readSigns(typed, look.font, () => UNKNOWN_SIGN) : typed;
    const shifted = look.shift ? shiftedText(clean, look.shift) : clean;
    text = '';
    facts.addText(look.struck && clean.trim() !== '' ? `~~${shifted}~~` : shifted);
    if (invisible.unseen > 0 || invisible.hidden > 0) return;
    // White space that only formats the source of a page.
    const isBlank = preformatted === 0 && clean.trim() === '';
    const written = isBlank ? (clean.includes('\n') ? '\n' : ' ') : escaped(shifts > 0 ? shifted : clean);
    if (!look.struck || isBlank) out.push(written);
    else if (out.at(-1) === '</del>') out.splice(-1, 1, written, '</del>');
    else out.push('<del>', written, '</del>');
  }

  const parser = new Parser({
    onopentagname() {
      attributesOfOne = 0;
    },
    onattribute() {
      attributesOfOne += 1;
      if (attributesOfOne > REFUSED_ATTRIBUTES)
        throw new UnreadableDocument('An element of this page has too many attributes.');
    },
    onopentag(name, attributes) {
      writeText();
      opened += 1;
      if (open.length >= REFUSED_DEPTH) throw new UnreadableDocument('This page is nested too deeply.');
      if (opened > REFUSED_ELEMENTS) throw new UnreadableDocument('This page has too many elements.');
      const invisibility = invisibilityOf(name, attributes);
      const wasVisible = invisible.unseen === 0 && invisible.hidden === 0;
      if (invisible.unseen === 0) facts.openElement(name, attributes);
      if (name === 'math' && wasVisible) {
        text = ` ${attributes.alttext ?? '[equation]'} `;
        writeText();
      }
      if (invisibility) invisible[invisibility] += 1;
      if (name === 'pre') preformatted += 1;
      const outer = look;
      look = lookWithin(outer, name, attributes);
      const isVisible = invisible.unseen === 0 && invisible.hidden === 0;
      open.push({ outer, ...(isVisible ? write(name, attributes, outer) : { invisibility }) });
    },
    ontext(piece) {
      text += piece;
      if (text.length > TEXT_CHUNK) writeText();
    },
    onclosetag(name) {
      writeText();
      const element = open.pop() ?? {};
      const { outer, written, invisibility, part } = element;
      look = outer ?? PLAIN_LOOK;
      if (element.shifts) shifts -= 1;
      if (invisibility) invisible[invisibility] -= 1;
      if (invisible.unseen === 0) facts.closeElement(name);
      if (name === 'pre') preformatted -= 1;
      if (!written) return;
      out.push(`</${written}>`);
      depth -= 1;
      if (part) part.end = out.length;
    },
    onend: writeText,
  });
  parser.end(html);
  const main = mains[0] ?? (articles.length === 1 ? articles[0] : undefined);
  return {
    markup: out.join(''),
    main: main && out.slice(main.start, main.end).join(''),
    elements,
    facts,
  };
}

function invisibilityOf(name: string, attributes: Attributes): OpenElement['invisibility'] {
  if (UNSEEN.has(name)) return 'unseen';
  // Scripts may show a page that is hidden at first.
  if (name === 'html' || name === 'body') return undefined;
  const { hidden, style } = attributes;
  if (hidden !== undefined && hidden !== 'until-found') return 'hidden';
  if (attributes['aria-hidden'] === 'true') return 'hidden';
  return style !== undefined && HIDDEN_STYLE.test(style) ? 'hidden' : undefined;
}

function attributesOf(name: string, attributes: Attributes, base: string | undefined): string {
  let written = '';
  for (const attribute of ALLOWED_ATTRIBUTES) {
    const value = attributes[attribute];
    if (value) written += ` ${attribute}="${quoted(value.slice(0, MAX_ATTRIBUTE))}"`;
  }
  if (name === 'a') written += urlAttribute('href', attributes.href, base);
  // Pages that load images lazily have the URL in another attribute.
  if (name === 'img') written += urlAttribute('src', attributes['data-src'] ?? attributes.src, base);
  return written;
}

function urlAttribute(attribute: string, value: string | undefined, base: string | undefined): string {
  const url = absoluteUrl(value, base);
  return url === undefined ? '' : ` ${attribute}="${quoted(url)}"`;
}

function escaped(text: string): string {
  return /[&<>]/.test(text)
    ? text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    : text;
}

function quoted(value: string): string {
  return escaped(value.replace(CONTROLS, '')).replaceAll('"', '&quot;');
}

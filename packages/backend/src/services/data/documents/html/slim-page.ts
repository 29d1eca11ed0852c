import { Parser } from 'htmlparser2';
import { UnreadableDocument } from '../document.ts';
import { ALIASES, MARKS, STRUCTURE, UNSEEN, VOID } from './page-elements.ts';
import { absoluteUrl, createPageFacts, type PageFacts } from './page-facts.ts';

/** Elements within each other; what lies deeper stands beside each other, as in a browser. */
const DEEPEST = 200;
/** A page that goes on far beyond was made to break its readers. */
const REFUSED_DEPTH = 10_000;
/** The same for elements in all, which a page of 10 MB can have if it is a table of single figures … */
const REFUSED_ELEMENTS = 500_000;
/** … and for attributes of one. */
const REFUSED_ATTRIBUTES = 1_000;
/** Characters of text that are put together before they are written. */
const TEXT_STEP = 8_192;
/** Characters of an attribute that is kept. */
const MAX_ATTRIBUTE = 4_000;

const HIDDEN_STYLE = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;
const KEPT_ATTRIBUTES = ['class', 'id', 'role', 'dir', 'lang', 'title', 'alt', 'colspan', 'rowspan', 'start'];
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufeff]/g;

type Attributes = Record<string, string>;

/** A page without all that no reader sees. */
export interface SlimPage {
  /** What <body> holds, well-formed: every element closed, every attribute in quotes, every address absolute. */
  markup: string;
  /** The part of it that the page itself calls its main one, or its only article. */
  main: string | undefined;
  elements: number;
  facts: PageFacts;
}

export interface SlimOptions {
  /** Where the page was, which its addresses start from. */
  url: string | undefined;
  /** Whether to keep what only marks words (`em`, `sup` …), which no plain text shows. */
  marks: boolean;
}

interface Part {
  start: number;
  end?: number;
}

/** An element that is open: as what it was written, and the invisibility and the part that end with it. */
interface Open {
  written?: string;
  invisibility?: 'unseen' | 'hidden' | undefined;
  part?: Part | undefined;
}

/**
 * Reads a page in one go, without a tree: what is left is small, well-formed and not deep, so that a tree of it is
 * quickly built and walked. Throws UnreadableDocument when it goes beyond all measure.
 */
export function slimPage(html: string, { url, marks }: SlimOptions): SlimPage {
  const facts = createPageFacts(url);
  const out: string[] = [];
  const open: Open[] = [];
  const mains: Part[] = [];
  const articles: Part[] = [];
  const invisible = { unseen: 0, hidden: 0 };
  let text = '';
  let opened = 0;
  let elements = 0;
  let attributesOfOne = 0;
  let depth = 0;
  let preformatted = 0;

  function write(name: string, attributes: Attributes): Open {
    const known = ALIASES.get(name) ?? name;
    const empty = VOID.has(known);
    if (!STRUCTURE.has(known) && !(marks && MARKS.has(known))) return {};
    if (!empty && depth >= DEEPEST) return {};
    const part: Part = { start: out.length };
    out.push(`<${known}${attributesOf(known, attributes, facts.base())}${empty ? '/>' : '>'}`);
    elements += 1;
    if (empty) return {};
    depth += 1;
    if (known === 'main' || attributes.role === 'main') mains.push(part);
    else if (known === 'article') articles.push(part);
    return { written: known, part };
  }

  /** Text comes in pieces, of which those of a broken page are single characters. */
  function writeText(): void {
    if (text === '') return;
    const clean = text.replace(CONTROLS, '');
    text = '';
    facts.addText(clean);
    if (invisible.unseen > 0 || invisible.hidden > 0) return;
    // What orders the source of a page, such as the indentation of its elements.
    const isBlank = preformatted === 0 && clean.trim() === '';
    out.push(isBlank ? (clean.includes('\n') ? '\n' : ' ') : escaped(clean));
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
      if (invisible.unseen === 0) facts.openElement(name, attributes);
      if (invisibility) invisible[invisibility] += 1;
      if (name === 'pre') preformatted += 1;
      const isVisible = invisible.unseen === 0 && invisible.hidden === 0;
      open.push(isVisible ? write(name, attributes) : { invisibility });
    },
    ontext(piece) {
      text += piece;
      if (text.length > TEXT_STEP) writeText();
    },
    onclosetag(name) {
      writeText();
      const { written, invisibility, part } = open.pop() ?? {};
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

function invisibilityOf(name: string, attributes: Attributes): Open['invisibility'] {
  if (UNSEEN.has(name)) return 'unseen';
  // Scripts show pages that begin hidden.
  if (name === 'html' || name === 'body') return undefined;
  const { hidden, style } = attributes;
  if (hidden !== undefined && hidden !== 'until-found') return 'hidden';
  if (attributes['aria-hidden'] === 'true') return 'hidden';
  return style !== undefined && HIDDEN_STYLE.test(style) ? 'hidden' : undefined;
}

function attributesOf(name: string, attributes: Attributes, base: string | undefined): string {
  let written = '';
  for (const kept of KEPT_ATTRIBUTES) {
    const value = attributes[kept];
    if (value) written += ` ${kept}="${quoted(value.slice(0, MAX_ATTRIBUTE))}"`;
  }
  if (name === 'a') written += address('href', attributes.href, base);
  // Pages that load their pictures late have the address beside it.
  if (name === 'img') written += address('src', attributes['data-src'] ?? attributes.src, base);
  return written;
}

function address(attribute: string, value: string | undefined, base: string | undefined): string {
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

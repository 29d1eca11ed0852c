import sanitizeHtml from 'sanitize-html';
import { SVG_NAMESPACE, SvgStructure } from './svg-structure.ts';
import { cleanDeclarations, cleanStyleSheet, isHarmlessValue } from './svg-style.ts';
import { ANIMATED, ATTRIBUTES, ELEMENTS, REMOVED_WHOLE, TEXT_HOLDERS } from './svg-vocabulary.ts';
import { unreadableDrawing } from './unreadable-svg.ts';

type Attributes = Record<string, string>;

/** It is read in the process that answers everybody: so much takes half a second at worst. */
export const MAX_SVG_CHARACTERS = 2 * 1024 * 1024;

/** What XML 1.0 lets a document consist of (section 2.2). */
const NOT_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;

/**
 * Style sheets go by a name that no file can give an element, so that their text is escaped like any other (the
 * sanitiser would pass that of a `style` on as it is); a space behind a name is white space to a reader of XML.
 */
const STYLE = 'style ';
const STYLE_SHEET = /<style ([^>]*)>([^<]*)<\/style >/g;

/**
 * A drawing with nothing in it but what draws: no scripts, no handlers, nothing that loads or refers to anything
 * outside, and no entities. The answer is well-formed XML in the SVG namespace alone; sanitising it again changes
 * nothing. Throws FILE_UNREADABLE for what is no drawing, and for one that shows nothing afterwards.
 */
export function sanitiseSvg(text: string): string {
  if (text.length > MAX_SVG_CHARACTERS) {
    throw unreadableDrawing(`it is larger than ${MAX_SVG_CHARACTERS / 1024 / 1024} MB.`);
  }
  const source = text.replace(/^\uFEFF/, '');
  if (NOT_XML.test(source)) throw unreadableDrawing('it has characters in it that no drawing can have.');
  if (/<!ENTITY|<!DOCTYPE[^<>[]*\[/i.test(source)) {
    throw unreadableDrawing('it defines entities. Please save it anew as plain SVG.');
  }
  const drawn = sanitise(source).replace(
    STYLE_SHEET,
    (_, attributes: string, sheet: string) =>
      `<style${attributes}>${escapeText(cleanStyleSheet(unescapeText(sheet)))}</style>`,
  );
  // References to characters are spelled out by now; a style sheet has text in it and nothing else.
  if (NOT_XML.test(drawn)) throw unreadableDrawing('it has characters in it that no drawing can have.');
  if (drawn.includes('</style >')) throw unreadableDrawing('its style sheet is damaged.');
  return drawn;
}

function sanitise(source: string): string {
  const structure = new SvgStructure();
  let isRoot = true;
  const drawn = sanitizeHtml(source, {
    parser: { xmlMode: true },
    allowedTags: [...ELEMENTS].map((name) => (name === 'style' ? STYLE : name)),
    allowedAttributes: { '*': [...ATTRIBUTES] },
    nonTextTags: [...REMOVED_WHOLE],
    selfClosing: [],
    parseStyleAttributes: false,
    textFilter: (escaped, element) => (TEXT_HOLDERS.has(element) ? escaped : ''),
    onOpenTag: (name, attributes) => structure.opened(name, attributes),
    onCloseTag: (name, isImplied) => structure.closed(name, isImplied),
    transformTags: {
      '*': (name, attributes) => {
        const attribs = keepAttributes(attributes, isRoot);
        isRoot = false;
        return { tagName: name === 'style' ? STYLE : name, attribs };
      },
    },
  });
  structure.ended();
  return drawn;
}

function keepAttributes(attributes: Attributes, isRoot: boolean): Attributes {
  const kept: Attributes = isRoot ? { xmlns: SVG_NAMESPACE } : {};
  for (const [name, value] of Object.entries(attributes)) {
    const known = name === 'xlink:href' ? 'href' : name;
    if (known === 'xmlns' || !ATTRIBUTES.has(known) || known in kept) continue;
    const harmless = harmlessValue(known, value);
    if (harmless) kept[known] = harmless;
  }
  return kept;
}

/** Empty where nothing may stay: an attribute without a value would not be XML. */
function harmlessValue(name: string, value: string): string {
  if (name === 'href') return /^#[^\s"'<>&\\]+$/.test(value.trim()) ? value.trim() : '';
  if (name === 'style') return cleanDeclarations(value);
  if (name === 'attributeName') return ANIMATED.has(value.trim()) ? value.trim() : '';
  return isHarmlessValue(value) ? value : '';
}

function unescapeText(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

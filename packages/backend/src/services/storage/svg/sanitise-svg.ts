import { Parser } from 'htmlparser2';
import { SVG_NAMESPACE, SvgStructure } from './svg-structure.ts';
import { cleanDeclarations, cleanStyleSheet, isHarmlessValue } from './svg-style.ts';
import { unreadableSvg } from './svg-text.ts';
import { ANIMATED, ATTRIBUTES, ELEMENTS, REMOVED_WHOLE, TEXT_HOLDERS } from './svg-vocabulary.ts';

type Attributes = Record<string, string>;

/** The sanitiser runs in the process that serves every request; an SVG of this length takes half a second at most. */
export const MAX_SVG_CHARACTERS = 2 * 1024 * 1024;

/** A character that XML 1.0 does not allow in a document (section 2.2). */
const NOT_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;

/**
 * Returns the SVG with nothing in it but what draws: no scripts, no handlers, no entities, and nothing that loads or
 * refers to anything outside the document. The result is well-formed XML in the SVG namespace alone, and sanitising it
 * again changes nothing. Throws FILE_UNREADABLE for text that is no SVG, and for an SVG that shows nothing afterwards.
 */
export function sanitiseSvg(text: string): string {
  if (text.length > MAX_SVG_CHARACTERS) {
    throw unreadableSvg(`it is larger than ${MAX_SVG_CHARACTERS / 1024 / 1024} MB.`);
  }
  const source = text.replace(/^\uFEFF/, '');
  if (NOT_XML.test(source)) throw unreadableSvg('it has characters in it that no drawing can have.');
  if (/<!ENTITY|<!DOCTYPE[^<>[]*\[/i.test(source)) {
    throw unreadableSvg('it defines entities. Please save it anew as plain SVG.');
  }
  const clean = rewrite(source);
  // Character references are resolved now.
  if (NOT_XML.test(clean)) throw unreadableSvg('it has characters in it that no drawing can have.');
  return clean;
}

interface OpenElement {
  name: string;
  /** Whether the element goes with everything in it. */
  isRemoved: boolean;
  isWritten: boolean;
  /** The text of a `style` element so far. */
  styleSheet: string;
}

/** Parses the source and writes every allowed element, attribute and text anew; nothing is copied unread. */
function rewrite(source: string): string {
  const structure = new SvgStructure();
  const open: OpenElement[] = [];
  const written: string[] = [];
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        structure.opened(name, attributes);
        const parent = open.at(-1);
        const isRemoved = parent?.isRemoved || REMOVED_WHOLE.has(name);
        const isWritten = !isRemoved && ELEMENTS.has(name);
        if (isWritten && open.some((element) => element.isWritten && element.name === 'style')) {
          throw unreadableSvg('its style sheet is damaged.');
        }
        open.push({ name, isRemoved, isWritten, styleSheet: '' });
        if (isWritten) written.push(`<${name}${writeAttributes(attributes, !parent)}>`);
      },
      ontext(text) {
        const element = open.at(-1);
        if (!element?.isWritten || !TEXT_HOLDERS.has(element.name)) return;
        if (element.name === 'style') element.styleSheet += text;
        else written.push(escapeXml(text));
      },
      onclosetag(name, isImplied) {
        structure.closed(name, isImplied);
        const element = open.pop();
        if (!element?.isWritten) return;
        written.push(escapeXml(cleanStyleSheet(element.styleSheet)), `</${name}>`);
      },
    },
    { xmlMode: true },
  );
  parser.end(source);
  structure.ended();
  return written.join('');
}

/** Attributes of the root begin with the namespace, whatever it declared itself. */
function writeAttributes(attributes: Attributes, isRoot: boolean): string {
  const clean: Attributes = isRoot ? { xmlns: SVG_NAMESPACE } : {};
  for (const [name, value] of Object.entries(attributes)) {
    const known = name === 'xlink:href' ? 'href' : name;
    if (!ATTRIBUTES.has(known) || Object.hasOwn(clean, known)) continue;
    const harmless = harmlessValue(known, value);
    if (harmless) clean[known] = harmless;
  }
  return Object.entries(clean)
    .map(([name, value]) => ` ${name}="${escapeXml(value).replaceAll('"', '&quot;')}"`)
    .join('');
}

/** Returns an empty text for a value that must go: an attribute without a value would not be XML. */
function harmlessValue(name: string, value: string): string {
  if (name === 'href') return /^#[^\s"'<>&\\]+$/.test(value.trim()) ? value.trim() : '';
  if (name === 'style') return cleanDeclarations(value);
  if (name === 'attributeName') return ANIMATED.has(value.trim()) ? value.trim() : '';
  return isHarmlessValue(value) ? value : '';
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

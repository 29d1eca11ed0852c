import { AppError } from '@fabrica/backend';
import { Parser } from 'htmlparser2';
import {
  EXCHANGE_MEGABYTES,
  type ExchangeFault,
  type ExchangeFaultDetails,
} from '../../../project/exchange-faults.ts';

/** An element with its children in order; texts are strings. Names are without their prefixes. */
export interface XmlElement {
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: (XmlElement | string)[];
}

/** Bytes of a file at most. */
export const MAX_XML_BYTES = EXCHANGE_MEGABYTES.tmx * 1024 * 1024;
const MAX_DEPTH = 50;
const MAX_ELEMENTS = 1_000_000;

/**
 * Reads XML into a tree. A document type is left unread, and one with declarations of its own, such as entities, is refused;
 * so is what is not well-formed, deeper than 50 elements or beyond the limits, which are 20 MB and a million elements by
 * default. Throws VALIDATION_FAILED.
 */
export function readXml(
  bytes: Uint8Array,
  limits: { bytes: number; elements: number } = { bytes: MAX_XML_BYTES, elements: MAX_ELEMENTS },
): XmlElement {
  const xml = decode(bytes, limits.bytes);
  const top: XmlElement = { name: '', attributes: {}, children: [] };
  const open: XmlElement[] = [top];
  let elements = 0;
  const current = () => open.at(-1) ?? top;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        elements += 1;
        if (elements > limits.elements || open.length > MAX_DEPTH)
          throw exchangeError('too-complex', 'It is too large or too deep.');
        const element = { name: withoutPrefix(name), attributes: { ...attributes }, children: [] };
        current().children.push(element);
        open.push(element);
      },
      onclosetag(_, isImplied) {
        // A tag that closes itself counts as implied, as one does that is missing.
        if (isImplied && xml[parser.endIndex - 1] !== '/')
          throw exchangeError('malformed', 'A tag is not closed.');
        open.pop();
      },
      ontext(text) {
        const { children } = current();
        const last = children.at(-1);
        if (typeof last === 'string') children[children.length - 1] = last + text;
        else children.push(text);
      },
      onprocessinginstruction(name, data) {
        if (name.toLowerCase() === '!doctype' && data.includes('[')) {
          throw declaresEntities();
        }
        if (/^!(?:entity|element|attlist|notation)$/i.test(name)) {
          throw declaresEntities();
        }
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.write(xml);
  parser.end();
  const roots = childElements(top);
  const [root] = roots;
  if (!root || roots.length !== 1) throw exchangeError('malformed', 'It has no single outermost element.');
  return root;
}

/** Returns the error for a file that is not taken over. The message is for programs; pages have sentences for the fault. */
export function exchangeError(fault: ExchangeFault, why: string, number?: number): AppError {
  const details: ExchangeFaultDetails = { fault, ...(number !== undefined && { number }) };
  return new AppError('VALIDATION_FAILED', `This file cannot be read. ${why}`, { details });
}

const declaresEntities = () => exchangeError('entities', 'It declares entities, which are not read.');

/** Returns the children that are elements, of this name when one is given. */
export function childElements(element: XmlElement, name?: string): XmlElement[] {
  return element.children.filter(
    (child): child is XmlElement => typeof child !== 'string' && (name === undefined || child.name === name),
  );
}

/** Returns all elements below, of one of these names, in the order of the file. */
export function elementsBelow(element: XmlElement, ...names: readonly string[]): XmlElement[] {
  return childElements(element).flatMap((child) => [
    ...(names.includes(child.name) ? [child] : []),
    ...elementsBelow(child, ...names),
  ]);
}

/** Returns all text below; `textOf` stands for an element where it returns a string. */
export function textBelow(
  element: XmlElement,
  textOf: (child: XmlElement) => string | undefined = () => undefined,
): string {
  return element.children
    .map((child) => (typeof child === 'string' ? child : (textOf(child) ?? textBelow(child, textOf))))
    .join('');
}

/** Returns an attribute whatever its prefix is, as `lang` of `xml:lang`. */
export function attributeOf({ attributes }: XmlElement, name: string): string | undefined {
  return Object.entries(attributes).find(([key]) => withoutPrefix(key) === name)?.[1];
}

const withoutPrefix = (name: string) => name.slice(name.indexOf(':') + 1);

/** Decodes by the byte order mark, or else as UTF-8: what other tools write. */
function decode(bytes: Uint8Array, most: number): string {
  const megabytes = most / 1024 / 1024;
  if (bytes.byteLength > most) {
    throw exchangeError('too-large', `It is larger than ${megabytes} MB.`, megabytes);
  }
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw exchangeError('encoding', 'Please save it as UTF-8.');
  }
}

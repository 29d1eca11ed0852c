import { EXCHANGE_MEGABYTES } from '../../../project/exchange-faults.ts';
import type { Language } from '../../../project/languages.ts';
import { languageOfTag } from '../../../project/languages.ts';
import { escapeXml, xmlElement, xmlFile } from '../../../project/write-xml.ts';
import { InlineCodes } from './inline-codes.ts';
import {
  attributeOf,
  childElements,
  elementsBelow,
  exchangeError,
  readXml,
  textBelow,
  type XmlElement,
} from './read-xml.ts';

export type XliffState = 'initial' | 'translated' | 'reviewed' | 'final';

/** A segment of a post as other tools see it. */
export interface XliffUnit {
  id: string;
  /** The kind of block that it is, such as `heading`: a note for the translator. */
  kind: string;
  source: string;
  /** Null for a segment that is not translated. */
  target: string | null;
  state: XliffState;
  /** The version that the translation had when it was written; null in a file that does not say. */
  version: number | null;
}

export interface XliffFile {
  postId: string;
  source: Language;
  target: Language;
  units: readonly XliffUnit[];
}

/** Returns a post in one language as XLIFF 2.0: a unit for each segment, which tools may not cut. */
export function writeXliff({ postId, source: from, target: to, units }: XliffFile): string {
  const written = units.map((unit) => {
    const codes = new InlineCodes();
    const source = codes.write(unit.source);
    const target = unit.target === null ? null : codes.write(unit.target);
    const { data } = codes;
    const notes = [
      xmlElement('note', { category: 'kind' }, escapeXml(unit.kind)),
      xmlElement('note', { category: 'version' }, String(unit.version ?? 0)),
    ];
    return xmlElement(
      'unit',
      { id: unit.id, canResegment: 'no', 'xml:space': 'preserve' },
      xmlElement('notes', {}, ...notes),
      ...(data.length > 0 ? [xmlElement('originalData', {}, ...data)] : []),
      xmlElement(
        'segment',
        { state: unit.state },
        xmlElement('source', {}, source),
        ...(target === null ? [] : [xmlElement('target', {}, target)]),
      ),
    );
  });
  const root = xmlElement(
    'xliff',
    { xmlns: 'urn:oasis:names:tc:xliff:document:2.0', version: '2.0', srcLang: from, trgLang: to },
    '\n',
    xmlElement('file', { id: postId }, `\n${written.join('\n')}\n`),
    '\n',
  );
  return xmlFile(root);
}

/** The file of one post fits into these limits, with what tools add. Each author may send one, and the server reads it beside its requests. */
const LIMITS = { bytes: EXCHANGE_MEGABYTES.xliff * 1024 * 1024, elements: 200_000 };
export const MAX_XLIFF_BYTES = LIMITS.bytes;

/** Reads a file of XLIFF 2. A unit that a tool has cut into several segments is put together. Throws VALIDATION_FAILED. */
export function readXliff(bytes: Uint8Array): XliffFile {
  const root = readXml(bytes, LIMITS);
  const version = root.attributes.version ?? '';
  if (root.name !== 'xliff' || !version.startsWith('2.')) {
    throw exchangeError('not-xliff', 'It is no XLIFF 2 file: please have your tool save it as XLIFF 2.0.');
  }
  const source = languageOfTag(root.attributes.srcLang);
  const target = languageOfTag(root.attributes.trgLang);
  const [file, ...others] = childElements(root, 'file');
  if (!source || !target || !file || others.length > 0) {
    throw exchangeError(
      'not-one-post',
      'It must hold one post, and name the languages of the original and of the translation.',
    );
  }
  return {
    postId: file.attributes.id ?? '',
    source,
    target,
    units: unitsBelow(file).map(readUnit),
  };
}

/** Units stand in the file or in its groups, and never in each other. */
function unitsBelow(element: XmlElement): XmlElement[] {
  return childElements(element).flatMap((child) => (child.name === 'unit' ? [child] : unitsBelow(child)));
}

function readUnit(unit: XmlElement): XliffUnit {
  const data = new Map(
    elementsBelow(unit, 'data').map((one) => [one.attributes.id, textBelow(one, codePoint)] as const),
  );
  const parts = childElements(unit).filter(({ name }) => name === 'segment' || name === 'ignorable');
  const textOf = (name: 'source' | 'target') =>
    parts.map((part) => {
      const [own] = childElements(part, name);
      // What need not be translated, such as the space between two sentences, may be left out of the translation.
      const [text] = own || part.name === 'segment' ? [own] : childElements(part, 'source');
      return text && textWithCodes(text, data);
    });
  const targets = textOf('target');
  const states = parts.flatMap((part) => (part.name === 'segment' ? [stateOf(part)] : []));
  const noteOf = (category: string) =>
    elementsBelow(unit, 'note').find(({ attributes }) => attributes.category === category);
  const version = Number(noteOf('version')?.children.join('') ?? Number.NaN);
  return {
    id: unit.attributes.id ?? '',
    kind: noteOf('kind')?.children.join('') ?? '',
    source: textOf('source').join(''),
    target: targets.some((text) => text === undefined) || targets.length === 0 ? null : targets.join(''),
    state: STATES.find((state) => states.includes(state)) ?? 'initial',
    version: Number.isSafeInteger(version) ? version : null,
  };
}

/** The states in their order: a unit is no further than the least advanced of its segments. */
const STATES: readonly XliffState[] = ['initial', 'translated', 'reviewed', 'final'];

function stateOf(segment: XmlElement): XliffState {
  return STATES.find((state) => state === attributeOf(segment, 'state')) ?? 'initial';
}

function textWithCodes(element: XmlElement, data: ReadonlyMap<string | undefined, string>): string {
  return textBelow(element, (child) => {
    const { name, attributes } = child;
    if (name === 'pc') {
      const between = textWithCodes(child, data);
      return `${data.get(attributes.dataRefStart) ?? ''}${between}${data.get(attributes.dataRefEnd) ?? ''}`;
    }
    if (['ph', 'sc', 'ec'].includes(name)) return data.get(attributes.dataRef) ?? '';
    return codePoint(child);
  });
}

/** `cp` stands for a character that XML cannot have. */
function codePoint({ name }: XmlElement): string | undefined {
  return name === 'cp' ? '' : undefined;
}

import type { Language } from '../../../project/languages.ts';
import { languageOfTag } from '../../../project/languages.ts';
import { isoTime } from '../../../project/time.ts';
import { escapeXml, xmlElement, xmlFile } from '../../../project/write-xml.ts';
import { languageOf } from './language-tags.ts';
import {
  childElements,
  elementsBelow,
  exchangeError,
  readXml,
  textBelow,
  type XmlElement,
} from './read-xml.ts';

/** A text and its translation. */
export interface TextPair {
  source: { language: Language; text: string };
  target: { language: Language; text: string };
  /** Epoch ms; null when it is not known. */
  changedAt: number | null;
}

/** Returns pairs as TMX 1.4b. Texts of Markdown are in it as they are. */
export function writeTmx(pairs: readonly TextPair[]): string {
  const variant = ({ language, text }: TextPair['source']) =>
    xmlElement('tuv', { 'xml:lang': language }, xmlElement('seg', {}, escapeXml(text)));
  const units = pairs.map(({ source, target, changedAt }) =>
    xmlElement(
      'tu',
      { srclang: source.language, changedate: changedAt === null ? undefined : dateOf(changedAt) },
      variant(source),
      variant(target),
    ),
  );
  const header = xmlElement('header', {
    ...{ creationtool: 'Fabrica', creationtoolversion: '1', segtype: 'paragraph', 'o-tmf': 'Fabrica' },
    ...{ adminlang: 'en', srclang: '*all*', datatype: 'plaintext' },
  });
  return xmlFile(
    xmlElement(
      'tmx',
      { version: '1.4' },
      `\n${header}\n`,
      xmlElement('body', {}, `\n${units.join('\n')}\n`),
      '\n',
    ),
  );
}

/**
 * Reads the pairs of a TMX file: of each unit, those of its source language, or of each of its languages when it names no
 * source. Codes of other tools' formats are left out. Throws VALIDATION_FAILED.
 */
export function readTmx(bytes: Uint8Array): TextPair[] {
  const root = readXml(bytes);
  if (root.name !== 'tmx') throw exchangeError('not-tmx', 'It is no TMX file.');
  const [header] = childElements(root, 'header');
  const usual = languageOfTag(header?.attributes.srclang);
  return elementsBelow(root, 'tu').flatMap((unit) => {
    const texts = childElements(unit, 'tuv').flatMap((variant) => {
      const language = languageOf(variant);
      const [segment] = childElements(variant, 'seg');
      const text = segment ? textOfSegment(segment) : '';
      return language && text ? [{ language, text }] : [];
    });
    const own = unit.attributes.srclang;
    const source = own === undefined ? usual : languageOfTag(own);
    const changedAt = parseDate(unit.attributes.changedate ?? unit.attributes.creationdate);
    return texts.flatMap((one) =>
      source && one.language !== source
        ? []
        : texts
            .filter((other) => other.language !== one.language)
            .map((other) => ({ source: one, target: other, changedAt })),
    );
  });
}

/** `hi` marks words; the others stand for codes, such as those of bold letters. */
function textOfSegment(segment: XmlElement): string {
  return textBelow(segment, ({ name }) => (name === 'hi' ? undefined : '')).trim();
}

/** TMX writes times as `20260102T030405Z`. */
const dateOf = (time: number) => isoTime(time).replaceAll(/[-:]|\.\d+/g, '');

function parseDate(date: string | undefined): number | null {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date ?? '');
  if (!parts) return null;
  const [year = 0, month = 1, ...rest] = parts.slice(1).map(Number);
  return Date.UTC(year, month - 1, ...(rest as [number, number, number, number]));
}

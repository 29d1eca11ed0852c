import { LANGUAGE_CODES } from '../../../project/languages.ts';
import { escapeXml, xmlElement, xmlFile } from '../../../project/write-xml.ts';
import type { Term } from '../glossary/find-terms.ts';
import { languageOf } from './language-tags.ts';
import {
  childElements,
  elementsBelow,
  exchangeError,
  readXml,
  textBelow,
  type XmlElement,
} from './read-xml.ts';

/** Tells how an entry says that its terms stay as they are; TBX has no category of its own for this. */
const KEEP = { element: 'admin', type: 'x-translate', value: 'no' } as const;
const PREFERRED = 'preferredTerm-admn-sts';
const ADMITTED = 'admittedTerm-admn-sts';
const NOT_TO_USE = /^(?:deprecated|superseded)Term-admn-sts$/;

/** Returns a glossary as TBX-Basic (ISO 30042:2019), which the terminology tools of translators read. */
export function writeTbx(terms: readonly Term[], title: string): string {
  const entries = terms.map(({ id, words, keep, note }) =>
    xmlElement(
      'conceptEntry',
      { id },
      ...(keep ? [xmlElement(KEEP.element, { type: KEEP.type }, KEEP.value)] : []),
      ...(note ? [xmlElement('note', {}, escapeXml(note))] : []),
      ...LANGUAGE_CODES.flatMap((language) => {
        const sections = (words[language] ?? []).map((word, index) => {
          const term = xmlElement('term', {}, escapeXml(word));
          const status = index === 0 ? PREFERRED : ADMITTED;
          return xmlElement(
            'termSec',
            {},
            term,
            xmlElement('termNote', { type: 'administrativeStatus' }, status),
          );
        });
        return sections.length > 0 ? [xmlElement('langSec', { 'xml:lang': language }, ...sections)] : [];
      }),
    ),
  );
  const header = xmlElement(
    'tbxHeader',
    {},
    xmlElement(
      'fileDesc',
      {},
      xmlElement('titleStmt', {}, xmlElement('title', {}, escapeXml(title))),
      xmlElement('sourceDesc', {}, xmlElement('p', {}, 'Fabrica')),
    ),
  );
  const root = xmlElement(
    'tbx',
    { type: 'TBX-Basic', style: 'dca', 'xml:lang': 'en', xmlns: 'urn:iso:std:iso:30042:ed-2' },
    `\n${header}\n`,
    xmlElement('text', {}, xmlElement('body', {}, `\n${entries.join('\n')}\n`)),
    '\n',
  );
  return xmlFile(root);
}

/**
 * Reads the terms of a TBX file, of this version or the one before (`martif`). Terms that a
 * file deprecates are left out. Throws VALIDATION_FAILED.
 */
export function readTbx(bytes: Uint8Array): Term[] {
  const root = readXml(bytes);
  if (root.name !== 'tbx' && root.name !== 'martif') throw exchangeError('not-tbx', 'It is no TBX file.');
  return elementsBelow(root, 'conceptEntry', 'termEntry').flatMap((entry) => {
    const words: Term['words'] = {};
    for (const section of elementsBelow(entry, 'langSec', 'langSet')) {
      const language = languageOf(section);
      const found = wordsIn(section);
      if (language && found.length > 0) words[language] = [...(words[language] ?? []), ...found];
    }
    if (Object.keys(words).length === 0) return [];
    const keep = elementsBelow(entry, 'admin', 'descrip').some(
      ({ attributes, children }) => attributes.type === KEEP.type && children.join('').trim() === KEEP.value,
    );
    const note = childElements(entry, 'note').map((one) => textBelow(one).trim());
    return [{ id: entry.attributes.id ?? '', words, keep, note: note.join('\n').slice(0, 2_000) }];
  });
}

/** Returns the words of a language that may be used, the preferred one first. */
function wordsIn(section: XmlElement): string[] {
  const terms = elementsBelow(section, 'termSec', 'tig', 'ntig').map((one) => ({
    word: elementsBelow(one, 'term').map((term) => textBelow(term).replaceAll(/\s+/g, ' ').trim())[0],
    status: elementsBelow(one, 'termNote')
      .filter(({ attributes }) => attributes.type === 'administrativeStatus')
      .map((term) => textBelow(term).trim())[0],
  }));
  const allowed = terms.filter(({ status = '' }) => !NOT_TO_USE.test(status));
  const preferred = allowed.filter(({ status }) => status === PREFERRED);
  const words = [...preferred, ...allowed].flatMap(({ word }) => word || []);
  return [...new Set(words)];
}

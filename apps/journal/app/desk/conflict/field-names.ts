import { isLanguage, type Language } from '../../../project/languages.ts';
import { boundsOf, type PlateMark, readShape } from '../../../project/marks.ts';
import { COMPARED_FIELDS, POST_FIELDS } from '../../../project/post-fields.ts';
import { formatVancouver } from '../../../references/format-vancouver.ts';
import { readStoredSource } from '../../../references/read-stored-source.ts';
import { languageName } from '../../language/language-names.ts';
import type { Byline, DeskDocument } from '../document.ts';
import type { DeskMessages } from '../load-desk-messages.ts';
import type { DocumentField } from '../saving/merge-documents.ts';

/** Returns a part of a document as text that can be compared. */
export function fieldText(
  field: DocumentField,
  document: DeskDocument,
  texts: DeskMessages,
  shown: Language,
): string {
  const value = field.read(document);
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return isLanguage(value) ? languageName(value, shown) : value;
  if (field.path === 'byline') {
    return (value as Byline).map(({ name, role }) => `${name} (${texts.more.roles[role]})`).join('\n');
  }
  if (field.path === 'pictures') {
    return (value as DeskDocument['pictures'])
      .map(({ url, caption, credit, marks = [] }) => {
        const words = [fileName(url), caption[shown] ?? Object.values(caption)[0], credit];
        return [words.filter(Boolean).join(', '), ...marks.map((mark) => markText(mark, texts))].join('\n');
      })
      .join('\n');
  }
  if (field.path === 'sources') {
    return (value as DeskDocument['sources'])
      .map((source) => {
        const parts = formatVancouver(readStoredSource(source), shown);
        return parts.map(({ text }) => text).join('') || source.id;
      })
      .join('\n');
  }
  if (field.path === 'cover.focal') return texts.cover.focalAt(...(value as [number, number]));
  if (field.path === 'cover.marks') {
    return (value as PlateMark[]).map((mark) => markText(mark, texts)).join('\n');
  }
  return Object.entries(value)
    .filter(([, words]) => words)
    .map(([code, words]) => `${isLanguage(code) ? languageName(code, shown) : code}: ${words}`)
    .join('\n');
}

/** Returns where a mark is, and its notes in all languages. */
function markText({ id, body, target }: PlateMark, texts: DeskMessages): string {
  const shape = readShape(target.selector.value);
  const { x, y, width, height } = shape ? boundsOf(shape) : { x: 0, y: 0, width: 0, height: 0 };
  const place = texts.marks.at(id, Math.round(x + width / 2), Math.round(y + height / 2));
  const size = width > 0 ? ` (${Math.round(width)} × ${Math.round(height)} %)` : '';
  const notes = body.map(({ language, value }) => `\n${language}: ${value}`);
  return `${place}${size}${notes.join('')}`;
}

function fileName(url: string): string {
  return url.replace(/\?.*$/, '').split('/').at(-1) ?? url;
}

/** Returns whether a part is a text that can be edited in one box. */
export function isText({ path }: DocumentField): boolean {
  return COMPARED_FIELDS.some((name) => name === path && POST_FIELDS[name].kind === 'text');
}

import { isLanguage, type Language } from '../../../project/languages.ts';
import { noteOf, type PlateMark } from '../../../project/marks.ts';
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
      .map(({ url, caption, credit }) =>
        [fileName(url), caption[shown] ?? Object.values(caption)[0], credit].filter(Boolean).join(', '),
      )
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
    return (value as PlateMark[])
      .map((mark) => [mark.id, noteOf(mark, shown)].filter(Boolean).join(': '))
      .join('\n');
  }
  return Object.entries(value)
    .filter(([, words]) => words)
    .map(([code, words]) => `${isLanguage(code) ? languageName(code, shown) : code}: ${words}`)
    .join('\n');
}

function fileName(url: string): string {
  return url.replace(/\?.*$/, '').split('/').at(-1) ?? url;
}

/** Returns whether a part is a text that can be edited in one box. */
export function isText({ path }: DocumentField): boolean {
  return COMPARED_FIELDS.some((name) => name === path && POST_FIELDS[name].kind === 'text');
}

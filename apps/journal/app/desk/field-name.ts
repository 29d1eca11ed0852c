import type { CoverDetails } from '../../project/document.ts';
import type { ComparedField } from '../../project/post-fields.ts';
import type { DeskMessages } from './load-desk-messages.ts';

type FieldLabels = Record<Exclude<ComparedField, 'cover'> | 'image' | keyof CoverDetails, string>;

/** Returns the name of a part of a document for people, by its path, such as `cover.alt`. */
export function fieldName({ path }: { path: string }, texts: Pick<DeskMessages, 'fields'>): string {
  return findFieldName(path, texts) ?? path;
}

/** Returns the same name, or `undefined` for what is no part of a document. */
export function findFieldName(path: string, { fields }: Pick<DeskMessages, 'fields'>): string | undefined {
  // A document is sent within a larger body when its post is new.
  const [first = '', second = ''] = path.replace(/^document\./, '').split('.');
  const name = first === 'cover' ? (second === 'url' ? 'image' : second) : first;
  const labels: FieldLabels = fields;
  return new Map(Object.entries(labels)).get(name);
}

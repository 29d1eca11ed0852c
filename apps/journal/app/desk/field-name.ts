import type { DeskMessages } from './load-desk-messages.ts';

/** Returns the name of a part of a document for people, by its path, such as `cover.alt`. */
export function fieldName({ path }: { path: string }, texts: Pick<DeskMessages, 'fields'>): string {
  return findFieldName(path, texts) ?? path;
}

/** Returns the same name, or `undefined` for what is no part of a document. */
export function findFieldName(path: string, { fields }: Pick<DeskMessages, 'fields'>): string | undefined {
  // A document is sent within a larger body when its post is new.
  const [first = '', second = ''] = path.replace(/^document\./, '').split('.');
  const name = first === 'cover' ? (second === 'url' ? 'image' : second) : first;
  const found = Object.entries(fields).find(([known]) => known === name);
  return found?.[1];
}

import type { Cover, CoverDetails, PostDocument } from '../../project/document.ts';
import type { Language } from '../../project/languages.ts';

/** The schema is the server's (`project/document.ts`): only its types are here, and nothing of zod reaches the browser. */
export type DeskDocument = PostDocument;
export type { Byline, Cover } from '../../project/document.ts';
export type Contributor = PostDocument['byline'][number];
export type ByLanguage<T> = Partial<Record<Language, T>>;

export const BYLINE_ROLES = [
  'author',
  'translator',
  'illustrator',
] as const satisfies readonly Contributor['role'][];

/** What is said of a picture about which nothing is said yet. */
export const NOTHING_SAID: CoverDetails = {
  focal: null,
  alt: {},
  caption: {},
  credit: '',
  licence: '',
};

/** Returns the cover of a picture about which nothing is said yet. */
export function coverOf(picture: Pick<Cover, 'url' | 'width' | 'height' | 'placeholder'>): Cover {
  return { ...picture, ...NOTHING_SAID };
}

/**
 * Returns a working copy as the desk edits it: without its translations, which the server puts together from their segments. A
 * save without them changes none.
 */
export function withoutTranslations<Copy extends { document: DeskDocument }>(copy: Copy): Copy {
  return { ...copy, document: { ...copy.document, translations: {}, untranslated: null } };
}

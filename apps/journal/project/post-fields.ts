import type { CoverDetails, PostDocument } from './document.ts';
import type { JournalPost } from './entities.ts';

interface PostField {
  /** The columns of `journal_posts` that hold the field. Addresses have a table of their own. */
  columns: readonly (keyof JournalPost)[];
  /**
   * The desk compares and merges values as a whole, and texts, which can be edited in one box. Translations have a page and a
   * history of their own.
   */
  kind: 'text' | 'value' | 'translation';
}

/**
 * Lists the fields of a document in the order in which people read them. Who may change which columns, what the desk compares,
 * and what its fields are called follow from it: a field of the schema that is missing here, or in what must be written by hand
 * for it, fails the type check.
 */
export const POST_FIELDS = {
  title: { columns: ['title'], kind: 'text' },
  content: { columns: ['content'], kind: 'text' },
  cover: {
    columns: ['imageUrl', 'imageWidth', 'imageHeight', 'imagePlaceholder', 'cover'],
    kind: 'value',
  },
  pictures: { columns: ['pictures'], kind: 'value' },
  slugs: { columns: [], kind: 'value' },
  byline: { columns: ['byline'], kind: 'value' },
  sources: { columns: ['sources'], kind: 'value' },
  language: { columns: ['language'], kind: 'value' },
  contentFormat: { columns: ['contentFormat'], kind: 'value' },
  translations: {
    columns: ['titleEn', 'titleEs', 'titleFr', 'titleDe', 'contentEn', 'contentEs', 'contentFr', 'contentDe'],
    kind: 'translation',
  },
  untranslated: { columns: ['untranslated'], kind: 'translation' },
} as const satisfies Record<keyof PostDocument, PostField>;

const coverDetails = {
  focal: true,
  alt: true,
  caption: true,
  credit: true,
  licence: true,
  description: true,
  marks: true,
} satisfies Record<keyof CoverDetails, true>;

type Fields = typeof POST_FIELDS;

/** A column that holds a part of a document. */
export type PostColumn = Fields[keyof Fields]['columns'][number];

/** A field that the desk compares, merges and names. */
export type ComparedField = {
  [Name in keyof Fields]: Fields[Name]['kind'] extends 'translation' ? never : Name;
}[keyof Fields];

const FIELD_NAMES = Object.keys(POST_FIELDS) as (keyof Fields)[];

export const POST_COLUMNS: readonly PostColumn[] = FIELD_NAMES.flatMap((name) => POST_FIELDS[name].columns);

export const COMPARED_FIELDS: readonly ComparedField[] = FIELD_NAMES.filter(
  (name): name is ComparedField => POST_FIELDS[name].kind !== 'translation',
);

/** Lists what is said about a picture, of which the desk compares each by itself. */
export const COVER_DETAILS = Object.keys(coverDetails) as (keyof CoverDetails)[];

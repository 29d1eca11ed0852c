import type { Cover, CoverDetails } from '../../../project/document.ts';
import { lettersOf, type PlateMark } from '../../../project/marks.ts';
import { COMPARED_FIELDS, COVER_DETAILS, type ComparedField } from '../../../project/post-fields.ts';
import type { DeskDocument } from '../document.ts';

/** One part of a document that is compared and chosen by itself. */
export interface DocumentField {
  /** Such as `title` or `cover.alt`. */
  path: string;
  read(document: DeskDocument): unknown;
  /** Returns the document with this part of another one. */
  take(document: DeskDocument, from: DeskDocument): DeskDocument;
}

const ofDocument = (name: ComparedField): DocumentField => ({
  path: name,
  read: (document) => document[name],
  take: (document, from) => ({ ...document, [name]: from[name] }),
});

/** The file with its size: what is said about the picture stays with either side. */
const PICTURE: DocumentField = {
  path: 'cover.url',
  read: ({ cover }) => cover?.url ?? '',
  take: (document, { cover }) => ({
    ...document,
    cover: cover && {
      ...(document.cover ?? cover),
      url: cover.url,
      width: cover.width,
      height: cover.height,
      placeholder: cover.placeholder,
    },
  }),
};

const ofCover = (name: keyof CoverDetails): DocumentField => ({
  path: `cover.${name}`,
  read: ({ cover }) => cover?.[name] ?? null,
  take: (document, { cover }) =>
    document.cover && cover ? { ...document, cover: { ...document.cover, [name]: cover[name] } } : document,
});

/** The parts of a document, in the order in which people read them. Translations have a page and a history of their own. */
const DOCUMENT_FIELDS: readonly DocumentField[] = COMPARED_FIELDS.flatMap((name) =>
  name === 'cover' ? [PICTURE, ...COVER_DETAILS.map(ofCover)] : [ofDocument(name)],
);

export function isSame(one: unknown, other: unknown): boolean {
  return one === other || canonical(one) === canonical(other);
}

export function isSameDocument(one: DeskDocument, other: DeskDocument): boolean {
  return one === other || DOCUMENT_FIELDS.every((field) => isSame(field.read(one), field.read(other)));
}

/** Returns the parts in which two documents differ. */
export function differingFields(one: DeskDocument, other: DeskDocument): DocumentField[] {
  return DOCUMENT_FIELDS.filter((field) => !isSame(field.read(one), field.read(other)));
}

/**
 * Returns the document with the changes of both sides. A part that both changed, or of which it is not known who changed
 * it, stays as it is in `mine`; of the marks on the cover, one by one.
 */
export function mergeDocuments(
  base: DeskDocument | undefined,
  mine: DeskDocument,
  theirs: DeskDocument,
): DeskDocument {
  const merged = differingFields(mine, theirs)
    .filter((field) => base && isSame(field.read(base), field.read(mine)))
    .reduce((document, field) => field.take(document, theirs), mine);
  const hasBothMarks = base?.cover && merged.cover && theirs.cover?.url === merged.cover.url;
  if (!hasBothMarks || isSame(merged.cover?.marks, theirs.cover?.marks)) return merged;
  return { ...merged, cover: { ...merged.cover, marks: mergeMarks(base, mine, theirs, merged) } as Cover };
}

/**
 * Returns the marks of both covers without those that either side removed. Of two new marks with one letter, the one whose text is
 * not taken gets another: no passage names it.
 */
function mergeMarks(
  base: DeskDocument,
  mine: DeskDocument,
  theirs: DeskDocument,
  { content }: DeskDocument,
): PlateMark[] {
  const [before, own, other] = [base, mine, theirs].map(
    ({ cover }) => new Map(cover?.marks?.map((mark) => [mark.id, mark])),
  ) as [Map<string, PlateMark>, Map<string, PlateMark>, Map<string, PlateMark>];
  const taken = new Set([mine, theirs].flatMap(({ cover, pictures }) => lettersOf([cover, ...pictures])));
  const merged = new Map(own);
  for (const letter of new Set([...before.keys(), ...other.keys()])) {
    const [former, mark, their] = [before, own, other].map((marks) => marks.get(letter));
    if (isSame(mark, their)) continue;
    if (isSame(former, mark)) {
      if (their) merged.set(letter, their);
      else merged.delete(letter);
    } else if (!former && mark && their) {
      const free = [...'abcdefghijklmnopqrstuvwxyz'].find((one) => !taken.has(one));
      if (free === undefined) continue;
      taken.add(free);
      const isTheirText = content !== mine.content;
      if (isTheirText) merged.set(letter, their);
      merged.set(free, { ...(isTheirText ? mark : their), id: free });
    }
  }
  return [...merged.values()];
}

/** Returns a value as JSON without what is empty and with the names of objects in order. */
function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_, inner) => {
      if (inner === null || inner === '') return undefined;
      if (typeof inner !== 'object' || Array.isArray(inner)) return inner;
      const entries = Object.entries(inner).filter(
        ([, part]) => part !== '' && part !== null && part !== undefined,
      );
      return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
    }) ?? ''
  );
}

/** A reference in CSL-JSON, the format of reference managers, with the fields that the journal shows. */
export interface Source {
  /** Its key in the text: `:cite[smith2020]`. */
  id: string;
  type: string;
  title: string;
  author?: readonly SourceName[];
  editor?: readonly SourceName[];
  'container-title'?: string;
  'container-title-short'?: string;
  publisher?: string;
  'publisher-place'?: string;
  edition?: string;
  volume?: string;
  issue?: string;
  page?: string;
  issued?: SourceDate;
  accessed?: SourceDate;
  DOI?: string;
  PMID?: string;
  URL?: string;
  /** The language that it is written in, as BCP 47 names it, where a catalogue knows it. */
  language?: string;
}

/** A person with a family name, or an organisation as `literal`. */
export interface SourceName {
  family?: string;
  given?: string;
  literal?: string;
}

export interface SourceDate {
  /** Year, month and day, as many as are known. */
  'date-parts': readonly (readonly number[])[];
}

type SourceType = 'article-journal' | 'book' | 'chapter' | 'webpage' | 'report';
export const SOURCE_TYPES: readonly SourceType[] = [
  'article-journal',
  'book',
  'chapter',
  'webpage',
  'report',
];

export function yearOf({ issued }: Pick<Source, 'issued'>): number | undefined {
  return issued?.['date-parts'][0]?.[0];
}

/** Returns a key that no other source has: the first author's name and the year, as `curie1903`. */
export function sourceKey(source: Omit<Source, 'id'>, others: readonly Pick<Source, 'id'>[]): string {
  const [first] = source.author ?? [];
  const name = first?.family ?? first?.literal ?? source.title;
  const word = name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\p{L}\d]+/gu, ' ')
    .trim()
    .split(' ')[0]
    ?.replaceAll(/[^A-Za-z0-9]/g, '')
    .toLowerCase();
  const base = `${word || 'source'}${yearOf(source) ?? ''}`;
  const used = new Set(others.map(({ id }) => id));
  let key = base;
  for (let count = 2; used.has(key); count += 1) key = `${base}-${count}`;
  return key;
}

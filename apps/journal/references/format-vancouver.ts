import { type Source, type SourceName, yearOf } from './source.ts';

/** A piece of a formatted reference; one with a URL is a link. */
export interface ReferencePart {
  text: string;
  url?: string;
  /** The language of a title, where it is known. */
  language?: string;
}

/** Authors that are named at most. */
const NAMED_AUTHORS = 6;

/** The few words of a reference, in the language of its readers. */
const WORDS: Record<
  string,
  { editors: string; edition: string; accessed: string; available: string; in: string }
> = {
  en: { editors: 'editors', edition: 'ed.', accessed: 'cited', available: 'Available from', in: 'In' },
  es: { editors: 'editores', edition: 'ed.', accessed: 'citado', available: 'Disponible en', in: 'En' },
  fr: { editors: 'éditeurs', edition: 'éd.', accessed: 'cité le', available: 'Disponible sur', in: 'Dans' },
  de: { editors: 'Hrsg.', edition: 'Aufl.', accessed: 'zitiert am', available: 'Verfügbar unter', in: 'In' },
};

/**
 * Writes a reference in the style of the NLM (“Vancouver”): Watson JD, Crick FHC. Molecular structure of nucleic acids. Nature.
 * 1953;171(4356):737-8. doi:10.1038/171737a0
 */
export function formatVancouver(source: Source, language = 'en'): ReferencePart[] {
  const words = WORDS[language] ?? WORDS.en;
  if (!words) return [];
  const authors = sentence(names(source.author));
  const title = sentence(source.title);
  const place = placeOf(source, words).filter(Boolean).join(' ');
  const written = source.language
    ? [
        { text: authors && `${authors} ` },
        { text: title, language: source.language },
        { text: place && ` ${place}` },
      ]
    : [{ text: [authors, title, place].filter(Boolean).join(' ') }];
  return [...written, ...links(source, words.available)].filter((part) => part.text !== '');
}

type Words = NonNullable<(typeof WORDS)[string]>;

function placeOf(source: Source, words: Words): string[] {
  const year = yearOf(source);
  const container = source['container-title-short'] ?? source['container-title'];
  const { publisher, edition, volume, issue, page, accessed } = source;
  if (source.type === 'chapter' && container) {
    const editors = names(source.editor);
    const from = `${words.in}: ${editors ? `${editors}, ${words.editors}. ` : ''}${container}`;
    return [
      sentence(from),
      editionOf(edition, words),
      imprint(source, year),
      page ? `p. ${shortPages(page)}.` : '',
    ];
  }
  if (source.type === 'article-journal' || (container && volume)) {
    const number = `${volume ?? ''}${issue ? `(${issue})` : ''}`;
    const pages = page ? `:${shortPages(page)}` : '';
    const date = [year, year && number && ';', number, pages].filter(Boolean).join('');
    return [sentence(container), sentence(date)];
  }
  const visited = accessed?.['date-parts'][0]?.join('-');
  const place = [sentence(container), editionOf(edition, words)];
  const isWebPage = source.type === 'webpage' && visited;
  const date = isWebPage ? `${year ?? ''} [${words.accessed} ${visited}]`.trim() : undefined;
  return [...place, date ? sentence(date) : publisher || year ? imprint(source, year) : ''];
}

function editionOf(edition: string | undefined, { edition: word }: Words): string {
  return edition ? `${edition}${/^\d+$/.test(edition) ? '.' : ''} ${word}` : '';
}

function imprint({ publisher, 'publisher-place': place }: Source, year: number | undefined): string {
  const publishedBy = [place, publisher].filter(Boolean).join(': ');
  return sentence([publishedBy, year].filter(Boolean).join('; '));
}

/** A DOI stands for the address. */
function links({ DOI, PMID, URL: url }: Source, available: string): ReferencePart[] {
  const path = DOI?.split('/').map(encodeURIComponent).join('/');
  const doi = path ? [{ text: ' ' }, { text: `doi:${DOI}`, url: `https://doi.org/${path}` }] : [];
  const pubmed =
    PMID && /^\d{1,9}$/.test(PMID)
      ? [
          { text: DOI ? '; ' : ' ' },
          { text: `PMID: ${PMID}`, url: `https://pubmed.ncbi.nlm.nih.gov/${PMID}/` },
        ]
      : [];
  if (doi.length > 0 || pubmed.length > 0) return [...doi, ...pubmed, { text: '.' }];
  if (!url || !/^https?:\/\//i.test(url) || !URL.canParse(url)) return [];
  // A URL in a document is encoded, as a reference may have been entered with a space in it.
  return [{ text: ` ${available}: ` }, { text: url, url: new URL(url).href }];
}

function names(people: readonly SourceName[] | undefined): string {
  const all = (people ?? []).map(nameOf).filter(Boolean);
  return all.length > NAMED_AUTHORS ? `${all.slice(0, NAMED_AUTHORS).join(', ')}, et al` : all.join(', ');
}

/** `Marie Skłodowska Curie` becomes `Curie MS`, `Jean-Paul` `JP`. */
function nameOf({ family, given, literal }: SourceName): string {
  if (literal || !family) return literal ?? given ?? '';
  const initials = (given ?? '').match(/(?<![\p{L}’'])\p{L}/gu)?.join('') ?? '';
  return [family, initials.toUpperCase()].filter(Boolean).join(' ');
}

/** `737-738` becomes `737-8`. */
function shortPages(pages: string): string {
  const [, first = '', last = ''] = /^(\d+)\s*[-–—]\s*(\d+)$/.exec(pages.trim()) ?? [];
  if (first === '' || first.length !== last.length) return pages.trim().replaceAll(/[–—]/g, '-');
  let same = 0;
  while (same < first.length - 1 && first[same] === last[same]) same += 1;
  return first === last ? first : `${first}-${last.slice(same)}`;
}

function sentence(text: string | number | undefined): string {
  const words = String(text ?? '').trim();
  return words === '' || /[.?!]$/.test(words) ? words : `${words}.`;
}

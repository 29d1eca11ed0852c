import { AppError, type ServiceParts } from '@fabrica/backend';
import { z } from 'zod';
import type { Source } from './source.ts';

/** The catalogues that references are looked up in. */
export interface Catalogues {
  /** Base URL of Crossref’s API. */
  crossrefUrl: string;
  /** URL of PubMed’s citation exporter, which takes `?format=csl&id=`. */
  pubmedUrl: string;
}

export const CATALOGUES: Catalogues = {
  crossrefUrl: 'https://api.crossref.org',
  pubmedUrl: 'https://pmc.ncbi.nlm.nih.gov/api/ctxp/v1/pubmed/',
};

type Identifier = { kind: 'doi' | 'pmid'; value: string };

const MAX_BYTES = 2 * 1024 * 1024;
const DOI = /\b10\.\d{4,9}\/[^\s<>"]+/;
const PMID = /^(?:pmid:?\s*)?(\d{1,8})$/i;
const PUBMED_PAGE = /pubmed(?:\.ncbi\.nlm\.nih\.gov)?\/(\d{1,8})\b/i;

/** Returns the DOI or PubMed id in what was typed or pasted, or `null`. */
export function parseIdentifier(typed: string): Identifier | null {
  const text = typed.trim();
  const [, pmid = PUBMED_PAGE.exec(text)?.[1]] = PMID.exec(text) ?? [];
  if (pmid !== undefined) return { kind: 'pmid', value: pmid };
  const decoded = /%2f/i.test(text) ? safelyDecoded(text) : text;
  // The punctuation of its sentence is no part of a DOI, and neither is a bracket that was opened before it.
  const doi = DOI.exec(decoded)?.[0].replace(/[.,;:'’]+$/, '');
  if (doi === undefined) return null;
  const isUnopened = doi.endsWith(')') && doi.split(')').length > doi.split('(').length;
  return { kind: 'doi', value: isUnopened ? doi.slice(0, -1) : doi };
}

function safelyDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const words = z.preprocess(
  (value) => (Array.isArray(value) ? value[0] : typeof value === 'number' ? String(value) : value),
  z.string().max(2_000).transform(withoutMarkup).optional().catch(undefined),
);
const name = z.object({ family: words, given: words, literal: words, name: words });
/** Crossref sends tags of BCP 47. */
const language = z
  .string()
  .regex(/^[a-z]{2,3}(?:-[a-z\d]{2,8})*$/i)
  .max(35)
  .optional()
  .catch(undefined);
const names = z.array(name).max(3_000).optional().catch(undefined);
const date = z
  .object({ 'date-parts': z.array(z.array(z.coerce.number().int().min(1))).min(1) })
  .optional()
  .catch(undefined);

/** Parses what both catalogues return, as far as references show it; what is not as it should be is left out. */
const catalogued = z.object({
  type: words,
  title: words,
  author: names,
  editor: names,
  'container-title': words,
  'container-title-short': words,
  publisher: words,
  'publisher-place': words,
  edition: words,
  volume: words,
  issue: words,
  page: words,
  issued: date,
  DOI: words,
  PMID: words,
  URL: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .optional()
    .catch(undefined),
  language,
});

interface LookUpOptions {
  catalogues: Catalogues;
  fetcher: ServiceParts['fetcher'];
  /** The account whose look-ups of names are counted. */
  account: string;
  signal: AbortSignal;
}

/**
 * Fetches what a catalogue knows of a publication. Throws NOT_FOUND for one that it does not know, and FETCH_FAILED when it
 * cannot be reached.
 */
export async function lookUpSource(
  { kind, value }: Identifier,
  { catalogues, fetcher, account, signal }: LookUpOptions,
): Promise<Omit<Source, 'id'>> {
  const url =
    kind === 'doi'
      ? `${catalogues.crossrefUrl}/works/${encodeURIComponent(value)}/transform/application/vnd.citationstyles.csl+json`
      : `${catalogues.pubmedUrl}?${new URLSearchParams({ format: 'csl', id: value })}`;
  const response = await fetcher.fetch(url, { account, signal, maxBytes: MAX_BYTES }).catch((cause) => {
    if (signal.aborted) throw signal.reason;
    throw unreachable(cause);
  });
  if (response.status === 404 || (kind === 'pmid' && response.status === 400)) throw unknown();
  if (response.status !== 200) throw unreachable(new Error(`The catalogue returned ${response.status}.`));
  const source = readSource(new TextDecoder().decode(response.body));
  if (!source.title) throw unknown();
  return { ...source, ...(kind === 'doi' ? { DOI: source.DOI ?? value } : { PMID: source.PMID ?? value }) };
}

function readSource(body: string): Omit<Source, 'id'> {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch (cause) {
    throw unreachable(cause);
  }
  const parsed = catalogued.safeParse(json);
  if (!parsed.success) throw unknown();
  const { type, title = '', author, editor, ...rest } = parsed.data;
  const source = { type: typeOf(type), title, author: people(author), editor: people(editor), ...rest };
  // Fields without a value are left out.
  return JSON.parse(JSON.stringify(source)) as Omit<Source, 'id'>;
}

function people(list: z.infer<typeof names>) {
  const named = (list ?? []).map(({ family, given, literal, name: organisation }) =>
    family ? { family, given } : { literal: literal ?? organisation ?? given },
  );
  return named.length > 0 ? named : undefined;
}

/** Crossref has its own names beside those of CSL. */
function typeOf(type: string | undefined): string {
  if (type === undefined || /^(?:journal-article|article)/.test(type)) return 'article-journal';
  if (/chapter/.test(type)) return 'chapter';
  if (/book|monograph/.test(type)) return 'book';
  return /report/.test(type) ? 'report' : type === 'webpage' ? 'webpage' : 'article-journal';
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** Titles come with marks of JATS and HTML. */
function withoutMarkup(text: string): string {
  return text
    .replaceAll(/<\/?[a-z][^<>]*>/gi, '')
    .replaceAll(/&(amp|lt|gt|quot|apos|nbsp);/g, (_, entity: string) => ENTITIES[entity] ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function unknown(): AppError {
  return new AppError('NOT_FOUND', 'No publication has this number.');
}

function unreachable(cause: unknown): AppError {
  return new AppError('FETCH_FAILED', 'The catalogue of publications cannot be reached.', { cause });
}

import { AppError } from '../../../core/errors.ts';

/** Reads a header of a request by its name in lower case. */
type ReadHeader = (name: string) => string | undefined;

/** The preferences of a request's `Prefer` and `Accept` headers. */
export interface Preferences {
  /** Whether to count the rows; a request for an estimate gets the exact number too. */
  countExact: boolean;
  /** Whether to return the rows that were written. */
  representation: boolean;
  /** Whether a new row that exists already is ignored. */
  ignoreDuplicates: boolean;
  /** Whether a new row that exists already updates the existing one, as with `on_conflict`. */
  mergeDuplicates: boolean;
  /** Whether a row that lacks one of `columns` gets the default rather than null. */
  missingDefault: boolean;
  /** The most rows that an update or a delete may affect. */
  maxAffected: number | undefined;
  /** Whether to return one object instead of an array. */
  singular: boolean;
  /** Whether to return CSV instead of JSON. */
  csv: boolean;
  /** The value of `Preference-Applied`; empty when no preference was applied. */
  applied: string;
}

export const SINGULAR_TYPE = 'application/vnd.pgrst.object+json';
export const CSV_TYPE = 'text/csv';

/** The name of the only schema. */
const SCHEMA = 'public';

/** Throws NOT_ACCEPTABLE for a media type or schema that does not exist, VALIDATION_FAILED for strict handling. */
export function parsePreferences(request: { header: ReadHeader }): Preferences {
  requireSchema(request);
  const format = parseAccept(request.header('accept'));
  const prefer = request.header('prefer');
  return {
    ...(prefer === undefined ? NO_PREFERENCES : parsePrefer(prefer)),
    singular: format === 'object',
    csv: format === 'csv',
  };
}

type Prefer = Omit<Preferences, 'singular' | 'csv'>;

const NO_PREFERENCES: Prefer = {
  countExact: false,
  representation: false,
  ignoreDuplicates: false,
  mergeDuplicates: false,
  missingDefault: false,
  maxAffected: undefined,
  applied: '',
};

const KNOWN =
  /^(?:return=(?:representation|minimal)|count=(?:exact|planned|estimated)|resolution=(?:merge|ignore)-duplicates|missing=(?:default|null)|handling=(?:strict|lenient)|max-affected=\d{1,9}|tx=commit)$/;

/**
 * Parses `Prefer`. Unknown preferences are ignored (RFC 7240) unless `handling=strict`; some clients separate them with
 * spaces. As in PostgREST, `max-affected` applies with strict handling only.
 */
function parsePrefer(header: string): Prefer {
  const given = header.split(/[\s,;]+/).filter((part) => part !== '');
  const unknown = given.filter((part) => !KNOWN.test(part));
  const strict = given.includes('handling=strict');
  if (strict && unknown.length > 0) {
    throw new AppError('VALIDATION_FAILED', 'A preference is not one that can be followed.', {
      details: unknown.map((field) => ({ field, message: 'is no preference of this service' })),
    });
  }
  // A client that wants to roll back must not have its write committed.
  if (given.includes('tx=rollback')) {
    throw new AppError('VALIDATION_FAILED', 'A write cannot be tried out: tx=rollback is not offered.');
  }
  const maxAffected = strict ? given.find((part) => /^max-affected=\d/.test(part)) : undefined;
  return {
    countExact: given.some((part) => /^count=(?:exact|planned|estimated)$/.test(part)),
    representation: given.includes('return=representation'),
    ignoreDuplicates: given.includes('resolution=ignore-duplicates'),
    mergeDuplicates: given.includes('resolution=merge-duplicates'),
    missingDefault: given.includes('missing=default'),
    maxAffected: maxAffected === undefined ? undefined : Number(maxAffected.slice('max-affected='.length)),
    applied: given
      .filter((part) => KNOWN.test(part) && (strict || !part.startsWith('max-affected')))
      .map(presentPreference)
      .join(', '),
  };
}

/** Names every kind of count as exact. */
function presentPreference(preference: string): string {
  return preference.startsWith('count=') ? 'count=exact' : preference;
}

type Format = 'json' | 'object' | 'csv';

const FORMATS: ReadonlyMap<string, Format> = new Map([
  ['*/*', 'json'],
  ['application/*', 'json'],
  ['application/json', 'json'],
  ['application/vnd.pgrst.array+json', 'json'],
  ['application/vnd.pgrst.array', 'json'],
  [SINGULAR_TYPE, 'object'],
  ['application/vnd.pgrst.object', 'object'],
  [CSV_TYPE, 'csv'],
]);

/**
 * Returns a name for what a request's headers ask of a read, of which there are six; undefined for rarer ones, and for what is not
 * acceptable. Requests with the same name, and without a token, get the same response.
 */
export function formOfRead(header: ReadHeader): string | undefined {
  const prefer = header('prefer');
  if (prefer !== undefined && prefer !== 'count=exact') return undefined;
  if (header('accept-profile') !== undefined || header('content-profile') !== undefined) return undefined;
  const format = findFormat(header('accept'));
  return format && `${format} ${prefer ?? ''}`;
}

/** Returns the first format of the highest quality. Throws NOT_ACCEPTABLE when there is none. */
function parseAccept(accept: string | undefined): Format {
  const format = findFormat(accept);
  if (format) return format;
  throw new AppError(
    'NOT_ACCEPTABLE',
    `Rows are answered as application/json, ${SINGULAR_TYPE} or ${CSV_TYPE}.`,
  );
}

function findFormat(accept: string | undefined): Format | undefined {
  if (!accept || accept === '*/*' || accept === 'application/json') return 'json';
  let best: { format: Format; quality: number } | undefined;
  for (const range of accept.split(',')) {
    const [type = '', ...settings] = range.split(';').map((part) => part.trim().toLowerCase());
    const format = settings.includes('nulls=stripped') ? undefined : FORMATS.get(type);
    const quality = Number(settings.find((part) => part.startsWith('q='))?.slice(2) ?? 1);
    if (format && quality > (best?.quality ?? 0)) best = { format, quality };
  }
  return best?.format;
}

function requireSchema(request: { header: ReadHeader }): void {
  for (const name of ['accept-profile', 'content-profile']) {
    const schema = request.header(name);
    if (schema === undefined || schema === SCHEMA) continue;
    throw new AppError('NOT_ACCEPTABLE', `A project has one schema, which is called "${SCHEMA}".`);
  }
}

import { AppError } from '../../../core/errors.ts';
import type { PlainRequest } from '../../../http/plain-exchange.ts';

/** How a request wants to be answered: its `Prefer` and `Accept` headers. */
export interface Preferences {
  /** How many rows there are; who is content with an estimate gets the number as well. */
  countExact: boolean;
  /** The rows that were written, rather than nothing. */
  representation: boolean;
  /** Rows that are there already stay as they are. */
  ignoreDuplicates: boolean;
  /** Rows that are there already are changed, as they are whenever `on_conflict` is given. */
  mergeDuplicates: boolean;
  /** Of the columns that `columns` names, a row without them gets the defaults rather than null. */
  missingDefault: boolean;
  /** Nothing is changed or deleted if it were more rows than this. */
  maxAffected: number | undefined;
  /** One object in place of an array. */
  singular: boolean;
  /** Lines of text in place of JSON. */
  csv: boolean;
  /** Those that are followed, for `Preference-Applied`; empty when there is none. */
  applied: string;
}

export const SINGULAR_TYPE = 'application/vnd.pgrst.object+json';
export const CSV_TYPE = 'text/csv';

/** The one schema that there is, by the name that clients know it by. */
const SCHEMA = 'public';

/** Throws NOT_ACCEPTABLE for a form of answer that there is not, VALIDATION_FAILED for what must not be passed over. */
export function parsePreferences(request: Pick<PlainRequest, 'header'>): Preferences {
  requireSchema(request);
  const form = parseAccept(request.header('accept'));
  const prefer = request.header('prefer');
  return {
    ...(prefer === undefined ? NO_PREFERENCES : parsePrefer(prefer)),
    singular: form === 'object',
    csv: form === 'csv',
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
 * Preferences that we do not know are passed over (RFC 7240), unless their `handling` is to be strict; some clients
 * part them with spaces. As in PostgREST, `max-affected` counts with strict handling only.
 */
function parsePrefer(header: string): Prefer {
  const asked = header.split(/[\s,;]+/).filter((part) => part !== '');
  const unknown = asked.filter((part) => !KNOWN.test(part));
  const strict = asked.includes('handling=strict');
  if (strict && unknown.length > 0) {
    throw new AppError('VALIDATION_FAILED', 'A preference is not one that can be followed.', {
      details: unknown.map((field) => ({ field, message: 'is no preference of this service' })),
    });
  }
  // Whoever only wants to try a write must not find it done.
  if (asked.includes('tx=rollback')) {
    throw new AppError('VALIDATION_FAILED', 'A write cannot be tried out: tx=rollback is not offered.');
  }
  const most = strict ? asked.find((part) => /^max-affected=\d/.test(part)) : undefined;
  return {
    countExact: asked.some((part) => /^count=(?:exact|planned|estimated)$/.test(part)),
    representation: asked.includes('return=representation'),
    ignoreDuplicates: asked.includes('resolution=ignore-duplicates'),
    mergeDuplicates: asked.includes('resolution=merge-duplicates'),
    missingDefault: asked.includes('missing=default'),
    maxAffected: most === undefined ? undefined : Number(most.slice('max-affected='.length)),
    applied: asked
      .filter((part) => KNOWN.test(part) && (strict || !part.startsWith('max-affected')))
      .map(asApplied)
      .join(', '),
  };
}

/** Every count is exact. */
function asApplied(preference: string): string {
  return preference.startsWith('count=') ? 'count=exact' : preference;
}

type Form = 'json' | 'object' | 'csv';

const FORMS: ReadonlyMap<string, Form> = new Map([
  ['*/*', 'json'],
  ['application/*', 'json'],
  ['application/json', 'json'],
  ['application/vnd.pgrst.array+json', 'json'],
  ['application/vnd.pgrst.array', 'json'],
  [SINGULAR_TYPE, 'object'],
  ['application/vnd.pgrst.object', 'object'],
  [CSV_TYPE, 'csv'],
]);

/** The first form of those that are accepted most. Throws NOT_ACCEPTABLE when there is none. */
function parseAccept(accept: string | undefined): Form {
  if (!accept || accept === '*/*' || accept === 'application/json') return 'json';
  let best: { form: Form; quality: number } | undefined;
  for (const range of accept.split(',')) {
    const [type = '', ...settings] = range.split(';').map((part) => part.trim().toLowerCase());
    const form = settings.includes('nulls=stripped') ? undefined : FORMS.get(type);
    const quality = Number(settings.find((part) => part.startsWith('q='))?.slice(2) ?? 1);
    if (form && quality > (best?.quality ?? 0)) best = { form, quality };
  }
  if (best) return best.form;
  throw new AppError(
    'NOT_ACCEPTABLE',
    `Rows are answered as application/json, ${SINGULAR_TYPE} or ${CSV_TYPE}.`,
  );
}

function requireSchema(request: Pick<PlainRequest, 'header'>): void {
  for (const name of ['accept-profile', 'content-profile']) {
    const schema = request.header(name);
    if (schema === undefined || schema === SCHEMA) continue;
    throw new AppError('NOT_ACCEPTABLE', `A project has one schema, which is called "${SCHEMA}".`);
  }
}

import type { Source, SourceDate, SourceName } from './source.ts';

const TEXTS = [
  ...(['title', 'container-title', 'container-title-short', 'publisher', 'publisher-place'] as const),
  ...(['edition', 'volume', 'issue', 'page', 'DOI', 'PMID', 'URL', 'language'] as const),
] as const;
const NAME_PARTS = ['family', 'given', 'literal'] as const;

/**
 * Returns a reference as another program has stored it, with the fields that the journal shows as they should be: CSL-JSON has
 * numbers for texts, and years as `raw` dates. What is of no use is left out, so that no page fails by it; fields that are not
 * shown stay as they are.
 */
export function readStoredSource(stored: { readonly id: string; readonly [field: string]: unknown }): Source {
  const { author, editor, issued, accessed, ...rest } = stored;
  const others = Object.fromEntries(Object.entries(rest).filter(([name]) => !isText(name)));
  const texts = TEXTS.flatMap((name) => textOf(rest[name], (text) => [[name, text]] as const));
  const { title = '', ...shown } = Object.fromEntries(texts);
  const fields = {
    author: namesOf(author),
    editor: namesOf(editor),
    issued: dateOf(issued),
    accessed: dateOf(accessed),
  };
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  return {
    ...others,
    id: stored.id,
    type: String(stored.type ?? ''),
    title,
    ...shown,
    ...Object.fromEntries(present),
  };
}

function isText(name: string): boolean {
  return (TEXTS as readonly string[]).includes(name);
}

function textOf<T>(value: unknown, then: (text: string) => T[]): T[] {
  return typeof value === 'string' || typeof value === 'number' ? then(String(value)) : [];
}

function namesOf(value: unknown): SourceName[] | undefined {
  if (typeof value === 'string') return [{ literal: value }];
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((one): SourceName[] => {
    if (typeof one === 'string') return [{ literal: one }];
    const parts = NAME_PARTS.flatMap((part) => textOf(Object(one)[part], (text) => [[part, text]] as const));
    return parts.length > 0 ? [Object.fromEntries(parts)] : [];
  });
}

function dateOf(value: unknown): SourceDate | undefined {
  const { 'date-parts': dates, raw, literal } = Object(value) as Record<string, unknown>;
  const [first] = Array.isArray(dates) ? dates : [];
  const parts = Array.isArray(first) ? first.map(Number).filter(Number.isInteger) : [];
  if (parts.length > 0) return { 'date-parts': [parts] };
  const [year] = /\b\d{4}\b/.exec(String(raw ?? literal ?? value ?? '')) ?? [];
  return year === undefined ? undefined : { 'date-parts': [[Number(year)]] };
}

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
  const { title = '', ...shown } = textsOf(rest, TEXTS);
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
    type: textOf(stored.type) ?? '',
    title,
    ...shown,
    ...Object.fromEntries(present),
  };
}

function isText(name: string): boolean {
  return (TEXTS as readonly string[]).includes(name);
}

/** Returns a text or a number as a text that can stand in a URL, and `undefined` for anything else. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value).toWellFormed() : undefined;
}

function textsOf<Name extends string>(
  fields: Readonly<Record<string, unknown>>,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const texts = names.flatMap((name) => {
    const text = textOf(fields[name]);
    return text === undefined ? [] : [[name, text] as const];
  });
  return Object.fromEntries(texts) as Partial<Record<Name, string>>;
}

function namesOf(value: unknown): SourceName[] | undefined {
  if (typeof value === 'string') return [{ literal: value.toWellFormed() }];
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((one): SourceName[] => {
    if (typeof one === 'string') return [{ literal: one.toWellFormed() }];
    const parts = textsOf(Object(one), NAME_PARTS);
    return Object.keys(parts).length > 0 ? [parts] : [];
  });
}

function dateOf(value: unknown): SourceDate | undefined {
  const { 'date-parts': dates, raw, literal } = Object(value) as Record<string, unknown>;
  const [first] = Array.isArray(dates) ? dates : [];
  const numbers = (Array.isArray(first) ? first : []).map((part) => Number(textOf(part) ?? Number.NaN));
  const parts = numbers.filter(Number.isInteger);
  if (parts.length > 0) return { 'date-parts': [parts] };
  const [year] = /\b\d{4}\b/.exec(textOf(raw) ?? textOf(literal) ?? textOf(value) ?? '') ?? [];
  return year === undefined ? undefined : { 'date-parts': [[Number(year)]] };
}

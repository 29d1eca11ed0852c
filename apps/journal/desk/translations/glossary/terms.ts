import { AppError, equals, writeAndPublish } from '@fabrica/backend';
import { z } from 'zod';
import type { ExchangeFaultDetails } from '../../../project/exchange-faults.ts';
import { LANGUAGE_CODES } from '../../../project/languages.ts';
import type { DeskContext } from '../../desk-context.ts';
import { type QuotaContext, quotaOf } from '../../rows-quota.ts';
import { newId } from '../../write-copy.ts';
import { exchangeError } from '../exchange/read-xml.ts';
import type { Term } from './find-terms.ts';
import { findTerm, listTerms } from './term-rows.ts';

/** Terms of a project at most: each text is compared with all of them. */
const MAX_TERMS = 5_000;

const word = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^[^\r\n\0]*$/, 'must be one line');

/** Holds what a term consists of. One that is translated has words in two languages at least. */
export const termBody = z
  .strictObject({
    words: z.partialRecord(z.enum(LANGUAGE_CODES), z.array(word).max(10)),
    keep: z.boolean().default(false),
    note: z.string().trim().max(2_000).default(''),
  })
  .refine(
    ({ words, keep }) => Object.values(words).filter((list) => list.length > 0).length >= (keep ? 1 : 2),
    {
      path: ['words'],
      message: 'must be in two languages, or in one when the term is not translated',
    },
  );
type TermBody = z.infer<typeof termBody>;

/** Holds what a service needs to read and write the glossary. */
type Glossary = Pick<DeskContext, 'project' | 'plans' | 'bus'> & QuotaContext;

/** Adds a term. Throws CONFLICT when there is one with the same words, or no room for more. */
export async function addTerm(glossary: Glossary, userId: string, body: TermBody): Promise<Term> {
  const known = await listTerms(glossary.project);
  const same = keysOf(body.words);
  if (known.some(({ words }) => isSame(keysOf(words), same))) {
    throw new AppError('CONFLICT', 'There is a term with these words already.');
  }
  requireRoom(known.length + 1);
  const term = { ...body, id: newId('term', glossary.now()) };
  await write(glossary, userId, [term]);
  return term;
}

/** Changes a term. Throws NOT_FOUND. */
export async function changeTerm(
  glossary: Glossary,
  { userId, id, body }: { userId: string; id: string; body: TermBody },
): Promise<Term> {
  await requireTerm(glossary, id);
  const term = { ...body, id };
  await write(glossary, userId, [term]);
  return term;
}

/** Deletes a term. Throws NOT_FOUND. */
export async function deleteTerm(glossary: Glossary, id: string): Promise<void> {
  await requireTerm(glossary, id);
  const { project, plans, bus } = glossary;
  const plan = await plans.delete('translation_terms', equals('id', id), { single: false });
  await writeAndPublish(project, bus, { plans: [plan] });
}

/**
 * Takes over terms of a file: one with the id of a known term, or with one of its words in a language, changes that term, and
 * others are new. Returns how many were added and changed. Throws VALIDATION_FAILED and CONFLICT, with nothing taken over.
 */
export async function importTerms(
  glossary: Glossary,
  userId: string,
  terms: readonly Term[],
): Promise<{ imported: number; added: number; changed: number }> {
  const known = await listTerms(glossary.project);
  const byId = new Map(known.map((term) => [term.id, term]));
  const byKey = new Map(known.flatMap((term) => keysOf(term.words).map((key) => [key, term] as const)));
  const written = new Map<string, Term>();
  let added = 0;
  for (const [index, term] of terms.entries()) {
    const parsed = termBody.safeParse({ words: term.words, keep: term.keep, note: term.note });
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      const why = `Entry ${index + 1} is not taken over: ${issue?.message ?? 'it is not right'}.`;
      throw exchangeError('entry', why, index + 1);
    }
    const same =
      byId.get(term.id) ??
      keysOf(term.words)
        .map((key) => byKey.get(key))
        .find(Boolean);
    if (!same) added += 1;
    const merged = {
      ...parsed.data,
      words: { ...same?.words, ...parsed.data.words },
      id: same?.id ?? newId('term', glossary.now()),
    };
    for (const key of keysOf(merged.words)) byKey.set(key, merged);
    if (!same || !isSameTerm(merged, same)) written.set(merged.id, merged);
  }
  requireRoom(known.length + added);
  if (written.size > 0) await write(glossary, userId, [...written.values()]);
  return { imported: terms.length, added, changed: written.size - added };
}

function requireRoom(count: number): void {
  if (count <= MAX_TERMS) return;
  const details: ExchangeFaultDetails = { fault: 'no-room', number: MAX_TERMS };
  throw new AppError('CONFLICT', `A glossary has room for ${MAX_TERMS} terms.`, { details });
}

async function requireTerm({ project }: Glossary, id: string): Promise<void> {
  if (!(await findTerm(project, id))) throw new AppError('NOT_FOUND', 'There is no such term.');
}

async function write(glossary: Glossary, userId: string, terms: readonly Term[]): Promise<void> {
  const { project, plans, bus, now } = glossary;
  const rows = terms.map(({ id, words, keep, note }) => ({
    id,
    user_id: userId,
    ...Object.fromEntries(
      LANGUAGE_CODES.map((language) => [`term_${language}`, words[language]?.join('\n') || null]),
    ),
    note: note || null,
    keep: keep ? 1 : 0,
    created_at: now(),
    updated_at: now(),
  }));
  await writeAndPublish(project, bus, {
    plans: [plans.put('translation_terms', rows)],
    quota: quotaOf(glossary, userId),
  });
}

/** Returns what a term is known by: each of its words with its language. */
function keysOf(words: Term['words']): string[] {
  return LANGUAGE_CODES.flatMap((language) =>
    (words[language] ?? []).map((one) => `${language} ${one.toLowerCase()}`),
  );
}

function isSameTerm(one: Term, other: Term): boolean {
  return one.keep === other.keep && one.note === other.note && isSame(keysOf(one.words), keysOf(other.words));
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((key) => other.includes(key));
}

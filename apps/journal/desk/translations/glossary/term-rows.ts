import type { Project } from '@fabrica/backend';
import type { Kysely } from 'kysely';
import { LANGUAGE_CODES, type Language } from '../../../project/languages.ts';
import type { Term } from './find-terms.ts';

interface TermRow extends Record<`term_${Language}`, string | null> {
  id: string;
  user_id: string;
  note: string | null;
  keep: number;
  created_at: number;
  updated_at: number;
}

const readerOf = ({ database }: Project) => database.reader as Kysely<{ translation_terms: TermRow }>;

/** Returns all terms, by their words in the alphabet. */
export async function listTerms(project: Project): Promise<Term[]> {
  const rows = await readerOf(project).selectFrom('translation_terms').selectAll().execute();
  const nameOf = ({ words }: Term) => LANGUAGE_CODES.flatMap((language) => words[language] ?? [])[0] ?? '';
  return rows.map(termOf).sort((one, other) => nameOf(one).localeCompare(nameOf(other)));
}

export async function findTerm(project: Project, id: string): Promise<Term | undefined> {
  const row = await readerOf(project)
    .selectFrom('translation_terms')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return row && termOf(row);
}

function termOf(row: TermRow): Term {
  const words = LANGUAGE_CODES.flatMap((language) => {
    const stored = row[`term_${language}`];
    return stored === null ? [] : [[language, stored.split('\n')] as const];
  });
  return { id: row.id, words: Object.fromEntries(words), keep: Number(row.keep) === 1, note: row.note ?? '' };
}

import type { Database, Statement } from '@fabrica/backend';
import { type Kysely, sql } from 'kysely';
import { isLanguage, type Language } from '../../../project/languages.ts';
import type { TranslationJob } from '../../../project/translations.ts';

/** A job as it is stored. Times are epoch ms. */
export interface JobRow {
  id: string;
  post_id: string;
  user_id: string;
  state: TranslationJob['state'];
  /** `de,fr`. */
  languages: string;
  /** JSON of `AskedText[]`, which are translated in any case; null for all that need it. */
  segments: string | null;
  words_done: number;
  words_total: number;
  fault: string | null;
  attempts: number;
  leased_until: number | null;
  leased_by: string | null;
  created_at: number;
  updated_at: number;
}

/** What makes a job: it begins to wait at `created_at`. */
type NewJob = Pick<JobRow, 'id' | 'post_id' | 'user_id' | 'languages' | 'created_at'>;

interface JobTables {
  translation_jobs: JobRow;
}

/** A job that goes on before somebody has ended it or it has ended. */
const OPEN_STATES = ['waiting', 'running'] as const;

/** Jobs that have ended are kept for so many milliseconds, so that an author sees tomorrow how it went. */
const RETENTION_MS = 7 * 24 * 3_600_000;

const readerOf = (database: Database) => database.reader as Kysely<JobTables>;

/** Writes job rows, on which no cache depends. */
async function write<T>(database: Database, act: (writer: Kysely<JobTables>) => Promise<T>): Promise<T> {
  return database.quietly((transaction) => act(transaction as unknown as Kysely<JobTables>));
}

/** Returns the last job of a post. */
export function findJob(database: Database, postId: string): Promise<JobRow | undefined> {
  return readerOf(database)
    .selectFrom('translation_jobs')
    .selectAll()
    .where('post_id', '=', postId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst();
}

export function readJob(database: Database, id: string): Promise<JobRow | undefined> {
  return readerOf(database)
    .selectFrom('translation_jobs')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
}

/**
 * Returns the statements that add a job for all that a post needs in these languages, for a write of which they are a part
 * (`writeAndPublish`). It begins when the post's other jobs have ended, which others may have asked for, and on their budgets.
 */
export function jobStatements(database: Database, job: NewJob): Statement[] {
  const writer = database.writer as unknown as Kysely<JobTables>;
  const ofPost = writer.selectFrom('translation_jobs').where('post_id', '=', job.post_id);
  const now = sql<number>`CAST(${job.created_at} AS bigint)`;
  const added = writer.insertInto('translation_jobs').values({
    ...{ id: job.id, post_id: job.post_id, user_id: job.user_id, languages: job.languages },
    ...{ state: 'waiting', segments: null, fault: null, leased_until: null, leased_by: null },
    ...{ words_done: 0, words_total: 0, attempts: 0, updated_at: job.created_at },
    // The last job of a post is found by its time.
    created_at: sql`(${ofPost.select(sql`CASE WHEN MAX(created_at) >= ${now} THEN MAX(created_at) + 1 ELSE ${now} END`.as('at'))})`,
  });
  return [deleteOldJobs(writer, job), added].map((statement) => {
    const { sql: query, parameters } = statement.compile();
    return { sql: query, parameters: parameters as Statement['parameters'] };
  });
}

/** Deletes the jobs of a post that have ended long before another one of it begins. */
function deleteOldJobs(writer: Kysely<JobTables>, { post_id, created_at }: NewJob) {
  return writer
    .deleteFrom('translation_jobs')
    .where('post_id', '=', post_id)
    .where('updated_at', '<', created_at - RETENTION_MS);
}

/**
 * Adds a job unless its account has an open one of the same kind, which then does this as well. Others of the post are done before it,
 * on the budgets of those who asked. Returns the job.
 */
export async function addJob(database: Database, row: JobRow): Promise<JobRow> {
  return write(database, async (writer) => {
    const jobs = writer.selectFrom('translation_jobs').selectAll().where('post_id', '=', row.post_id);
    const open = await jobs
      .where('state', 'in', OPEN_STATES)
      .where('user_id', '=', row.user_id)
      .where('segments', row.segments === null ? 'is' : 'is not', null)
      .orderBy('created_at', 'desc')
      .executeTakeFirst();
    if (!open) {
      const last = await jobs.orderBy('created_at', 'desc').executeTakeFirst();
      // The last job of a post is found by its time.
      const added = { ...row, created_at: Math.max(row.created_at, Number(last?.created_at ?? 0) + 1) };
      await deleteOldJobs(writer, row).execute();
      await writer.insertInto('translation_jobs').values(added).execute();
      return added;
    }
    const changes = {
      languages: [...new Set([...open.languages.split(','), ...row.languages.split(',')])].join(','),
      segments: open.segments && row.segments && joinSegments(open.segments, row.segments),
      updated_at: Math.max(Number(open.updated_at) + 1, row.updated_at),
    };
    await writer.updateTable('translation_jobs').set(changes).where('id', '=', open.id).execute();
    return { ...open, ...changes };
  });
}

function joinSegments(one: string, other: string): string {
  return JSON.stringify([...new Set([...segmentsOf(one), ...segmentsOf(other)])]);
}

/** The ids of a segment and of a language, as `segment_1a2b_de`: the id of its translation. */
export type AskedText = string;

export function askedText(segmentId: string, language: Language): AskedText {
  return `${segmentId}_${language}`;
}

export const segmentsOf = (json: string): AskedText[] => JSON.parse(json) as AskedText[];

/** Returns jobs that nobody works on, nor on another one of their post: new ones, and those whose lease has ended. */
export function findDueJobs(database: Database, now: number, limit: number): Promise<JobRow[]> {
  return readerOf(database)
    .selectFrom('translation_jobs')
    .selectAll()
    .where((where) =>
      where.or([
        where('state', '=', 'waiting'),
        where.and([where('state', '=', 'running'), where('leased_until', '<=', now)]),
      ]),
    )
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('translation_jobs as other')
            .select('other.id')
            .whereRef('other.post_id', '=', 'translation_jobs.post_id')
            .where('other.state', '=', 'running')
            .where('other.leased_until', '>', now),
        ),
      ),
    )
    .orderBy('created_at')
    .limit(limit)
    .execute();
}

/** Takes a job for a node, unless another one was faster. */
export async function claimJob(
  database: Database,
  job: JobRow,
  { node, until, now }: { node: string; until: number; now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await write(database, (writer) =>
    writer
      .updateTable('translation_jobs')
      .set({
        state: 'running',
        leased_by: node,
        leased_until: until,
        attempts: Number(job.attempts) + 1,
      })
      .where('id', '=', job.id)
      .where((where) =>
        where.or([
          where('state', '=', 'waiting'),
          where.and([where('state', '=', 'running'), where('leased_until', '<=', now)]),
        ]),
      )
      .executeTakeFirst(),
  );
  return numUpdatedRows > 0n;
}

/**
 * Changes a job that the node has still leased, with `asked` unless more was asked for since it was read. Returns false when it has
 * not: it was cancelled, or taken over.
 */
export async function updateLeased(
  database: Database,
  { id, node, asked }: { id: string; node: string; asked?: Pick<JobRow, 'updated_at'> },
  changes: Partial<JobRow>,
): Promise<boolean> {
  const { numUpdatedRows } = await write(database, (writer) => {
    const rows = writer
      .updateTable('translation_jobs')
      .set(changes)
      .where('id', '=', id)
      .where('leased_by', '=', node)
      .where('state', '=', 'running');
    if (!asked) return rows.executeTakeFirst();
    return rows.where('updated_at', '=', asked.updated_at).executeTakeFirst();
  });
  return numUpdatedRows > 0n;
}

/** Ends the open job of a post. */
export async function cancelJob(database: Database, postId: string, now: number): Promise<void> {
  await write(database, (writer) =>
    writer
      .updateTable('translation_jobs')
      .set({ state: 'cancelled', leased_by: null, leased_until: null, updated_at: now })
      .where('post_id', '=', postId)
      .where('state', 'in', OPEN_STATES)
      .execute(),
  );
}

export function presentJob(row: JobRow): TranslationJob {
  return {
    id: row.id,
    state: row.state,
    words: { done: Number(row.words_done), total: Number(row.words_total) },
    fault: row.fault,
    languages: languagesIn(row),
  };
}

export function languagesIn({ languages }: Pick<JobRow, 'languages'>): Language[] {
  return languages.split(',').filter(isLanguage);
}

import { AppError, allOf, equals, type UserCaller, writeAndPublish } from '@fabrica/backend';
import type { Kysely } from 'kysely';
import type { Language } from '../../../project/languages.ts';
import type { DeskContext } from '../../desk-context.ts';
import { findPost } from '../../queries.ts';
import { quotaOf } from '../../rows-quota.ts';
import { newId } from '../../write-copy.ts';
import type { TranslationRow } from '../records/record-rows.ts';
import { findQuoted } from './find-quoted.ts';

/** A row of `translation_reports`. Times are epoch ms. */
type ReportRow = {
  id: string;
  post_id: string;
  language: Language;
  segment_id: string | null;
  quote: string;
  message: string;
  user_id: string | null;
  resolved_by: string | null;
  resolved_at: number | null;
  created_at: number;
};

interface ReportTables {
  translation_reports: ReportRow;
  segment_translations: TranslationRow;
  journal_posts: { id: string; title: string };
}

interface NewReport {
  postId: string;
  language: Language;
  /** The words of the translation that are in question. */
  quote: string;
  message: string;
}

/** A report as the desk shows it. */
interface TranslationReport extends NewReport {
  id: string;
  /** The title of the post. */
  title: string;
  /** The segment that has the quoted words; null when none has, or several have. */
  segmentId: string | null;
  createdAt: number;
}

/** Reports of a page. */
const PAGE = 50;

const readerOf = ({ project }: DeskContext) => project.database.reader as Kysely<ReportTables>;

/** Characters of a report that others have joined. What no longer fits is a report of its own. */
const MAX_JOINED = 5_000;

/**
 * Keeps what a reader reports about a translation that is public. The same words about the same passage are one report; with
 * `joins`, all words about one segment are. Throws NOT_FOUND.
 */
export async function addReport(
  desk: DeskContext,
  { postId, language, quote, message }: NewReport,
  { userId, joins }: { userId: string | null; joins: boolean },
): Promise<{ id: string }> {
  const post = await findPost(desk.project.database, postId);
  if (post?.published !== 1) throw new AppError('NOT_FOUND', 'There is no such post.');
  const reader = readerOf(desk);
  const same = await reader
    .selectFrom('translation_reports')
    .select('id')
    .where('post_id', '=', postId)
    .where('language', '=', language)
    .where('quote', '=', quote)
    .where('message', '=', message)
    .where('resolved_at', 'is', null)
    .executeTakeFirst();
  if (same) return same;
  const segments = await reader
    .selectFrom('segment_translations')
    .select(['segment_id', 'text'])
    .where('post_id', '=', postId)
    .where('language', '=', language)
    .execute();
  const segmentId = findQuoted(quote, segments);
  if (joins) {
    const joined = await joinReport(desk, { postId, language, quote, message }, segmentId);
    if (joined) return joined;
  }
  const now = desk.now();
  const id = newId('report', now);
  const row: ReportRow = {
    ...{ id, post_id: postId, language, quote, message, user_id: userId, created_at: now },
    segment_id: segmentId,
    ...{ resolved_by: null, resolved_at: null },
  };
  await writeAndPublish(desk.project, desk.bus, {
    plans: [desk.plans.create('translation_reports', row)],
    quota: userId === null ? undefined : quotaOf(desk, userId),
  });
  return { id };
}

/** Adds the words to the newest open report of the segment; returns undefined where none has room for them. */
async function joinReport(
  desk: DeskContext,
  { postId, language, quote, message }: NewReport,
  segmentId: string | null,
): Promise<{ id: string } | undefined> {
  const known = await readerOf(desk)
    .selectFrom('translation_reports')
    .select(['id', 'message'])
    .where('post_id', '=', postId)
    .where('language', '=', language)
    .where('segment_id', segmentId === null ? 'is' : '=', segmentId)
    .where('resolved_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!known) return undefined;
  const words = quote ? `“${quote}”: ${message}` : message;
  if (known.message.includes(words)) return { id: known.id };
  const joined = `${known.message}\n\n${words}`;
  if (joined.length > MAX_JOINED) return undefined;
  // Another reader may have joined it meanwhile.
  const unchanged = allOf(equals('id', known.id), equals('message', known.message));
  const plan = desk.plans.update('translation_reports', unchanged, {
    changes: { message: joined },
    single: false,
  });
  const { changes } = await writeAndPublish(desk.project, desk.bus, { plans: [plan] });
  return changes.length > 0 ? { id: known.id } : undefined;
}

/** Lists the reports that nobody has seen to, the newest first, with how many there are. */
export async function listReports(
  desk: DeskContext,
  cursor: string | undefined,
): Promise<{ reports: TranslationReport[]; total: number; cursor: string | null }> {
  const { total } = await readerOf(desk)
    .selectFrom('translation_reports')
    .innerJoin('journal_posts', 'journal_posts.id', 'translation_reports.post_id')
    .select(({ fn }) => fn.countAll().as('total'))
    .where('resolved_at', 'is', null)
    .executeTakeFirstOrThrow();
  let query = readerOf(desk)
    .selectFrom('translation_reports')
    .innerJoin('journal_posts', 'journal_posts.id', 'translation_reports.post_id')
    .selectAll('translation_reports')
    .select('journal_posts.title')
    .where('resolved_at', 'is', null)
    .orderBy('translation_reports.id', 'desc')
    .limit(PAGE + 1);
  // An id begins with the time.
  if (cursor !== undefined) query = query.where('translation_reports.id', '<', cursor);
  const rows = await query.execute();
  const page = rows.slice(0, PAGE);
  return {
    reports: page.map((row) => ({
      ...{ id: row.id, postId: row.post_id, title: row.title, language: row.language },
      ...{ segmentId: row.segment_id, quote: row.quote, message: row.message, createdAt: row.created_at },
    })),
    total: Number(total),
    cursor: rows.length > PAGE ? (page.at(-1)?.id ?? null) : null,
  };
}

/** Notes that somebody has seen to a report. Throws NOT_FOUND when it is none of those that wait. */
export async function resolveReport(desk: DeskContext, caller: UserCaller, id: string): Promise<void> {
  const open = await readerOf(desk)
    .selectFrom('translation_reports')
    .select('id')
    .where('id', '=', id)
    .where('resolved_at', 'is', null)
    .executeTakeFirst();
  if (!open) throw new AppError('NOT_FOUND', 'There is no such report, or somebody has seen to it already.');
  const changes = { resolved_by: caller.id, resolved_at: desk.now() };
  const plan = desk.plans.update('translation_reports', allOf(equals('id', id)), { changes, single: false });
  await writeAndPublish(desk.project, desk.bus, { plans: [plan] });
}

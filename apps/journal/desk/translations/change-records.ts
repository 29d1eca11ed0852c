import {
  AppError,
  type AuditEntry,
  allOf,
  equals,
  eventStatement,
  type TablePlan,
  type WriteQuota,
  writeAndPublish,
} from '@fabrica/backend';
import type { ReleasedTranslations } from '../../project/translations.ts';
import { noSuchPost } from '../access.ts';
import type { JobContext } from '../desk-context.ts';
import { languagesOf } from '../post-columns.ts';
import type { PostRow } from '../queries.ts';
import { requireReadable } from '../require-readable.ts';
import { type ReadPost, readPost } from '../working-copy.ts';
import { type Original, targetLanguages } from './original.ts';
import { fillDocument } from './records/fill-document.ts';
import { openExamined } from './records/open-records.ts';
import { writeFacts } from './releases/release-facts.ts';

/** A post whose records are up to date, to be changed. */
export interface OpenedTranslations extends ReadPost {
  id: string;
  /** The original of the working copy. */
  original: Original;
  facts: ReleasedTranslations;
}

/** Names what a change of the records writes beside them, and what it returns when that is written. */
export interface PlannedChange<T> {
  plans?: readonly TablePlan[];
  /** The quota of the account whose change it is, or whose job or program asked for it; none where rows only lose something. */
  quota?: WriteQuota | undefined;
  /** Its entries in the audit log, which are written with the change, or not at all. */
  events?: readonly AuditEntry[] | undefined;
  result: () => T | Promise<T>;
}

/** Attempts of a change while others write the records of the same post. */
const ATTEMPTS = 30;

/**
 * Changes the records of a post in one transaction. It is planned anew when somebody else has written them meanwhile. Throws
 * NOT_FOUND, and what the change throws.
 */
export async function changeRecords<T>(
  desk: JobContext,
  postId: string,
  change: (opened: OpenedTranslations) => PlannedChange<T> | Promise<PlannedChange<T>>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const opened = await openTranslations(desk, postId);
    const { records, original, post, facts } = opened;
    const { plans, quota, events = [], result } = await change(opened);
    if (records.isChanged) {
      const { originals } = desk;
      await requireReadable(
        originals,
        await fillDocument(originals, records, opened.document),
        opened.document,
      );
    }
    try {
      await writeAndPublish(desk.project, desk.bus, {
        plans: [
          ...records.plans(desk.plans, original, targetLanguages(original.language)),
          ...(plans ?? planFacts(desk, post, facts)),
          ...(await planLanguages(desk, opened)),
        ],
        quota,
        statements: events.map((event) => eventStatement(desk.project.database.writer, event)),
      });
    } catch (error) {
      if (attempt === ATTEMPTS || !isOvertaken(error)) throw error;
      continue;
    }
    return result();
  }
}

/** Returns a post with its records, up to date in memory. */
export async function openTranslations(desk: JobContext, postId: string): Promise<OpenedTranslations> {
  const read = await readPost(desk, postId);
  if (!read) throw noSuchPost();
  return { ...read, id: postId, ...(await openExamined(desk.originals, read)) };
}

/** Plans what readers may know of translations, where another program has written them. The post stays as old as it is. */
export function planFacts(
  { plans }: Pick<JobContext, 'plans'>,
  post: PostRow | undefined,
  facts: ReleasedTranslations,
): TablePlan[] {
  const translations = writeFacts(facts);
  if (!post || post.translations === translations) return [];
  const unchanged = allOf(equals('id', post.id), equals('updated_at', post.updated_at));
  const changes = { translations, updated_at: post.updated_at };
  return [plans.update('journal_posts', unchanged, { changes, single: true })];
}

/** Plans the languages that a working copy is listed with before readers have anything of it. */
async function planLanguages(
  desk: JobContext,
  { post, draft, document, records }: OpenedTranslations,
): Promise<TablePlan[]> {
  if (post || !draft) return [];
  const languages = languagesOf(await fillDocument(desk.originals, records, document));
  if (languages === draft.languages) return [];
  return [
    desk.plans.update('post_drafts', equals('id', draft.id), { changes: { languages }, single: false }),
  ];
}

function isOvertaken(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'NOT_ACCEPTABLE' || error.code === 'CONFLICT');
}

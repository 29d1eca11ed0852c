import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { AppError, type Statement, type TablePlan, type UserCaller, writeAndPublish } from '@fabrica/backend';
import type { PostDocument } from '../project/document.ts';
import { noSuchPost } from './access.ts';
import type { DeskContext, PostRequest } from './desk-context.ts';
import { plansForFiles } from './post-files.ts';
import type { DraftRow, PostStatus } from './queries.ts';
import { quotaOf } from './rows-quota.ts';
import { saveTranslations, writerOf } from './translations/save-translations.ts';
import {
  columnsOfCopy,
  ensureCopy,
  inVersion,
  type OpenPost,
  publishedDocument,
  readPost,
  staleCopy,
  takenOff,
} from './working-copy.ts';

/** An autosave is kept as a revision when it is replaced so many milliseconds after the last one that was kept. */
export const KEEP_EVERY_MS = 5 * 60_000;

/** Returns a new id, such as `revision_1760000000000_k3v9…`. */
export function newId(prefix: string, now: number): string {
  return `${prefix}_${now}_${randomBytes(8).toString('hex')}`;
}

interface CopyChange {
  /** The document that takes the place of the present one. */
  document: PostDocument;
  /** Further columns of the working copy. */
  columns?: Partial<DraftRow>;
  /** Whether the document that is replaced is kept in any case. */
  keep?: boolean;
  /** Whether an account takes back a document as it was, with the translations that were kept with it. */
  restores?: boolean;
  /** Whether people whom the account may not change stay as they are. Otherwise the whole document is refused. */
  keepsPeople?: boolean;
  /** Who wrote the translations that it changes, if not the account. */
  translatedBy?: 'machine' | undefined;
}

interface WrittenCopy {
  version: number;
  state: PostStatus;
  /** With its translations. */
  document: PostDocument;
  savedAt: number;
  /** The revision that keeps what was replaced. */
  kept: string | undefined;
}

/**
 * Replaces the document of a working copy that is in this very version, and keeps the one before as a revision where
 * the trail of autosaves wants one. Throws STALE when somebody else was faster; FORBIDDEN when somebody who may not publish
 * the post changes its people. Such an account takes a scheduled post from the schedule: what is published then is a version that
 * somebody who may publish it has written or scheduled.
 */
export async function writeCopy(
  request: PostRequest,
  opened: OpenPost,
  { columns = {}, keep = false, restores = false, translatedBy, ...change }: CopyChange,
): Promise<WrittenCopy> {
  const { desk, caller } = request;
  const document = withPermittedPeople(opened, change);
  const now = desk.now();
  const ensured = await ensureCopy(desk, opened, newId('revision', now));
  const { draft } = ensured;
  const published = opened.draft ? await publishedDocument(desk, opened) : opened.document;
  const writer = writerOf(caller.id, translatedBy);
  const translations = await saveTranslations(desk, opened, { document, writer, restores });
  const kept = keep || isWorthKeeping(draft, caller, now) ? keepPlan(desk, draft) : undefined;
  const version = draft.version + 1;
  const changes = {
    ...(await columnsOfCopy(desk, translations.document, published)),
    ...columns,
    ...(draft.state === 'scheduled' && !opened.access.publish && takenOff(opened, ['unapproved'])),
    version,
    updated_at: now,
    updated_by: caller.id,
    ...(kept && { revisions: draft.revisions + 1, revised_at: now }),
  };
  await writeInVersion(request, [
    ...ensured.plans,
    desk.plans.update('post_drafts', inVersion(draft), { changes, single: true }),
    ...(kept ? [kept.plan] : []),
    ...translations.plans,
    ...(await plansForFiles(desk, { postId: opened.id, userId: caller.id, document })),
  ]);
  const state = changes.state ?? draft.state;
  return { version, state, document: translations.document, savedAt: now, kept: kept?.id };
}

/** Returns the document with the people that the account may give the post. An account that a byline names may edit the post. */
function withPermittedPeople(
  { access, document: present }: OpenPost,
  { document, keepsPeople = false }: Pick<CopyChange, 'document' | 'keepsPeople'>,
): PostDocument {
  if (access.publish || isDeepStrictEqual(document.byline, present.byline)) return document;
  if (keepsPeople) return { ...document, byline: present.byline };
  throw new AppError('FORBIDDEN', 'Only the authors of a post and editors say who its people are.');
}

/** A blank document, as a new post begins with, is not worth a revision. */
function isWorthKeeping(draft: DraftRow, caller: UserCaller, now: number): boolean {
  if (draft.changed === 0) return false;
  return draft.updated_by !== caller.id || now - draft.revised_at >= KEEP_EVERY_MS;
}

/** Plans the revision that keeps the present document of a working copy. */
function keepPlan(desk: DeskContext, draft: DraftRow): { id: string; plan: TablePlan } {
  const id = newId('revision', desk.now());
  const row = {
    id,
    post_id: draft.id,
    user_id: draft.updated_by ?? draft.user_id,
    number: draft.revisions + 1,
    kind: 'saved',
    created_at: draft.updated_at,
    document: draft.document,
  };
  return { id, plan: desk.plans.create('post_revisions', row) };
}

/**
 * Writes plans that ask for a version, and statements with them, on the quota of the caller. Throws STALE with the present working copy when it has
 * another one.
 */
export async function writeInVersion(
  { desk, postId, caller }: PostRequest,
  plans: readonly TablePlan[],
  statements: readonly Statement[] = [],
): Promise<void> {
  try {
    await writeAndPublish(desk.project, desk.bus, { plans, statements, quota: quotaOf(desk, caller.id) });
  } catch (error) {
    if (!isRefused(error)) throw error;
    const now = await readPost(desk, postId);
    if (!now) throw noSuchPost();
    throw await staleCopy(desk, { ...now, version: now.draft?.version ?? 0 });
  }
}

/** Attempts at a write whose version is the present one, while others write what belongs to the post. */
const ATTEMPTS = 10;

/**
 * Does what writes a working copy in this version, again and again while it is not the working copy that somebody else has
 * written meanwhile, but a slug, the readers' row or a translation.
 */
export async function retryInVersion<T>(version: number, act: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await act();
    } catch (error) {
      if (attempt === ATTEMPTS || !isSameVersion(error, version)) throw error;
    }
  }
}

function isSameVersion(error: unknown, version: number): boolean {
  if (!(error instanceof AppError && error.code === 'STALE')) return false;
  return (error.details as { current?: { version: number } }).current?.version === version;
}

/** Tells whether another writer was faster: no row had the version, or the new row existed. */
function isRefused(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'NOT_ACCEPTABLE' || error.code === 'CONFLICT');
}

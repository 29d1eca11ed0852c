import { isDeepStrictEqual } from 'node:util';
import { AppError, equals, type TablePlan, writeAndPublish } from '@fabrica/backend';
import type { PostDocument } from '../project/document.ts';
import { accessOf, noSuchPost, notAllowed, requireAuthor } from './access.ts';
import type { PostRequest } from './desk-context.ts';
import { plansForFiles } from './post-files.ts';
import { findDraft, findPost, presentDocument, replaceDocument } from './queries.ts';
import { thinRevisions } from './revisions.ts';
import { quotaOf } from './rows-quota.ts';
import { storedDocument } from './translations/records/fill-document.ts';
import { PostRecords } from './translations/records/post-records.ts';
import { createTranslations, writerOf } from './translations/save-translations.ts';
import {
  columnsOfCopy,
  openPost,
  publishedDocument,
  requireVersion,
  stateWithoutSchedule,
} from './working-copy.ts';
import { newId, retryInVersion, writeCopy } from './write-copy.ts';

/** A document as a program sends it. */
interface SentDocument {
  document: PostDocument;
  /** Who wrote the translations that it changes; without it, the account that sends it. */
  translatedBy?: 'machine' | undefined;
}

/**
 * Creates a working copy under an id that the caller may choose: a creation that is sent twice creates one. Throws
 * FORBIDDEN for a role that may not write posts, CONFLICT for an id that somebody else's post has.
 */
export async function createPost(
  { desk, caller }: Omit<PostRequest, 'postId'>,
  { id: given, document, translatedBy }: SentDocument & { id?: string | undefined },
): Promise<{ id: string; version: number; created: boolean }> {
  requireAuthor(caller);
  const { project, plans, bus } = desk;
  const now = desk.now();
  const id = given ?? newId('post', now);
  const existing = async () => {
    const [draft, post] = await Promise.all([
      findDraft(project.database, id),
      findPost(project.database, id),
    ]);
    const owner = draft?.user_id ?? post?.user_id;
    if (owner === undefined) return undefined;
    if (owner !== caller.id) throw new AppError('CONFLICT', 'Another post has this id.');
    return { id, version: draft?.version ?? 0, created: false };
  };
  const known = given === undefined ? undefined : await existing();
  if (known) return known;
  const terms = await desk.glossary.load();
  const none = { row: undefined, translations: [], languages: [], machineColumns: [] };
  const records = new PostRecords(id, none, { now, terms });
  const translations = await createTranslations(desk, {
    ...{ records, document },
    writer: writerOf(caller.id, translatedBy),
  });
  const row = {
    ...(await columnsOfCopy(desk, translations.document, null)),
    id,
    user_id: caller.id,
    version: 1,
    state: 'draft',
    revisions: 0,
    revised_at: now,
    created_at: now,
    updated_at: now,
    updated_by: caller.id,
  };
  try {
    const files = await plansForFiles(desk, { postId: id, userId: caller.id, document });
    await writeAndPublish(project, bus, {
      plans: [plans.create('post_drafts', row), ...translations.plans, ...files],
      quota: quotaOf(desk, caller.id),
    });
  } catch (error) {
    const same = error instanceof AppError && error.code === 'CONFLICT' ? await existing() : undefined;
    if (!same) throw error;
    return same;
  }
  return { id, version: 1, created: true };
}

/** Saves a document over the working copy in this version. Throws STALE with the present one, and FORBIDDEN as `writeCopy` does. */
export async function savePost(request: PostRequest, version: number, sent: SentDocument) {
  return retryInVersion(version, () => attemptSave(request, version, sent));
}

async function attemptSave(request: PostRequest, version: number, sent: SentDocument) {
  const { desk } = request;
  const opened = await openPost(request);
  await requireVersion(desk, opened, version);
  if (opened.draft?.discarded_at != null) throw noSuchPost();
  const document = replaceDocument(opened.document, sent.document);
  if (opened.draft && isDeepStrictEqual(document, opened.document)) {
    return { version, savedAt: opened.draft.updated_at, state: opened.draft.state };
  }
  const written = await writeCopy(request, opened, { document, translatedBy: sent.translatedBy });
  if (written.kept) await thinRevisions(desk, opened.id);
  return { version: written.version, savedAt: written.savedAt, state: written.state };
}

/**
 * Throws the changes since the last publication away; of a post that was never published, all of it, which the bin keeps
 * for 30 days. Restoring the revision that is returned takes it back. Somebody who may not publish the post leaves its people
 * as they are.
 */
export async function discardChanges(request: PostRequest, version: number) {
  return retryInVersion(version, () => attemptDiscard(request, version));
}

async function attemptDiscard(request: PostRequest, version: number) {
  const { desk } = request;
  const opened = await openPost(request);
  await requireVersion(desk, opened, version);
  const published = await publishedDocument(desk, opened);
  if (!published && !opened.access.delete) throw notAllowed();
  const written = await writeCopy(request, opened, {
    // The records have the translations: nobody has written those that the former words had.
    document: await storedDocument(desk.originals, published ?? opened.document),
    columns: {
      state: stateWithoutSchedule(opened),
      scheduled_at: null,
      time_zone: null,
      schedule_fault: null,
      ...(!published && { discarded_at: desk.now() }),
    },
    keep: true,
    keepsPeople: true,
  });
  return {
    version: written.version,
    undo: written.kept,
    document: published && presentDocument(written.document),
  };
}

/** Deletes a post for good: its likes, comments, revisions, links and files too. Throws FORBIDDEN for who may only edit it. */
export async function deletePost(request: PostRequest): Promise<void> {
  const { desk, caller, postId } = request;
  const [draft, post] = await Promise.all([
    findDraft(desk.project.database, postId),
    findPost(desk.project.database, postId),
  ]);
  const userId = post?.user_id ?? draft?.user_id;
  if (userId === undefined) throw noSuchPost();
  if (!accessOf(caller, { userId, byline: [] }).delete) {
    // Throws NOT_FOUND for those who may not know of the post.
    await openPost(request);
    throw notAllowed();
  }
  const plans: TablePlan[] = [];
  for (const [table, exists] of [
    ['post_drafts', draft],
    ['journal_posts', post],
  ] as const) {
    if (exists) plans.push(await desk.plans.delete(table, equals('id', postId), { single: false }));
  }
  await writeAndPublish(desk.project, desk.bus, { plans });
}

import { AppError, allOf, equals, type FieldFault, type Statement, type TablePlan } from '@fabrica/backend';
import { isBlank } from '@fabrica/contract';
import { announceChange, type ChangeAnnouncement } from '../../project/dated-changes.ts';
import type { PostDocument } from '../../project/document.ts';
import type { DocumentFault } from '../../project/document-limits.ts';
import { notAllowed } from '../access.ts';
import type { DeskContext, PostRequest } from '../desk-context.ts';
import { type DraftRow, type PostRow, presentDocument, publicDocument } from '../queries.ts';
import { jobStatements } from '../translations/jobs/job-rows.ts';
import { type Original, targetLanguages } from '../translations/original.ts';
import { isUntranslated } from '../translations/records/machine-texts.ts';
import { openExamined } from '../translations/records/open-records.ts';
import {
  columnsOfRelease,
  languagesToRelease,
  releaseLanguages,
  waitsForReader,
} from '../translations/releases/release-languages.ts';
import {
  columnsOfCopy,
  ensureCopy,
  inVersion,
  type OpenPost,
  openPost,
  requireVersion,
  stateWithoutSchedule,
} from '../working-copy.ts';
import { newId, retryInVersion, writeInVersion } from '../write-copy.ts';
import { planSlugs } from './slugs.ts';

export interface PublishOptions extends ChangeAnnouncement {
  version: number;
  /** Epoch ms of a later publication. */
  at?: number | undefined;
  /** The time zone that the author has named the time in. */
  timeZone?: string | undefined;
  /** `updatedAt` of a change by another program that the author has seen, and replaces. */
  replaces?: number | undefined;
}

type Published =
  | { state: 'published'; version: number; publishedAt: number }
  | { state: 'scheduled'; version: number; scheduledAt: number; timeZone: string | null };

/**
 * Publishes the working copy, or has it published later. Throws FORBIDDEN; STALE when somebody else has changed the working
 * copy, or another program what readers see; VALIDATION_FAILED with the fields that are missing.
 */
export async function publishPost(request: PostRequest, options: PublishOptions): Promise<Published> {
  // A slug that another post took in between, or a post that another program changed, is no reason to give up.
  return retryInVersion(options.version, () => attemptPublication(request, options));
}

async function attemptPublication(request: PostRequest, options: PublishOptions): Promise<Published> {
  const { desk, caller } = request;
  const opened = await openPost(request);
  if (!opened.access.publish) throw notAllowed();
  await requireVersion(desk, opened, options.version);
  requireComplete(opened.document);
  requireSeen(opened, options.replaces);
  if (options.at !== undefined && options.at > desk.now()) {
    return schedulePost(request, opened, { ...options, at: options.at });
  }
  return writePublication(request, opened, { by: caller.id, where: inVersion, announcement: options });
}

async function schedulePost(
  request: PostRequest,
  opened: OpenPost,
  { at, timeZone, small, note }: PublishOptions & { at: number },
): Promise<Published> {
  const { desk, caller } = request;
  // A slug that another post has is reported now, and not when the author sleeps.
  await planSlugs(desk, { postId: opened.id, document: opened.document, present: opened.slugs });
  const { draft, plans } = await ensureCopy(desk, opened, newId('revision', desk.now()));
  const version = draft.version + 1;
  const changes = {
    version,
    state: 'scheduled',
    scheduled_at: at,
    time_zone: timeZone ?? null,
    schedule_fault: null,
    announcement: small || note ? JSON.stringify({ small, note }) : null,
    post_updated_at: opened.post?.updated_at ?? null,
    discarded_at: null,
    updated_at: desk.now(),
    updated_by: caller.id,
  };
  const update = desk.plans.update('post_drafts', inVersion(draft), { changes, single: true });
  await writeInVersion(request, [...plans, update]);
  desk.wakeSchedule();
  return { state: 'scheduled', version, scheduledAt: at, timeZone: timeZone ?? null };
}

/** Takes a post back from the schedule: readers see what they saw. */
export async function unschedulePost(request: PostRequest, version: number) {
  const { desk } = request;
  const opened = await openPost(request);
  if (!opened.access.publish) throw notAllowed();
  await requireVersion(desk, opened, version);
  const { draft } = opened;
  if (draft?.state !== 'scheduled') {
    throw new AppError('CONFLICT', 'This post is not scheduled.');
  }
  const state = stateWithoutSchedule(opened);
  const changes = {
    state,
    version: version + 1,
    scheduled_at: null,
    time_zone: null,
    updated_at: desk.now(),
  };
  await writeInVersion(request, [
    desk.plans.update('post_drafts', inVersion(draft), { changes, single: true }),
  ]);
  return { state, version: version + 1 };
}

/** Takes a post from the readers' sight; its likes and comments stay for when it is published again. */
export async function unpublishPost(request: PostRequest, given?: number) {
  const { desk, caller } = request;
  const opened = await openPost(request);
  if (!opened.access.publish) throw notAllowed();
  if (given !== undefined) await requireVersion(desk, opened, given);
  const { post } = opened;
  if (post?.published !== 1) throw new AppError('CONFLICT', 'This post is not published.');
  const { draft, plans } = await ensureCopy(desk, opened, newId('revision', desk.now()));
  const now = timeAfter(desk, post.updated_at);
  const version = draft.version + 1;
  const changes = {
    state: 'unpublished',
    version,
    scheduled_at: null,
    time_zone: null,
    schedule_fault: null,
    // A change of another program is still to be seen.
    ...(draft.post_updated_at === post.updated_at && { post_updated_at: now }),
    updated_at: now,
    updated_by: caller.id,
  };
  await writeInVersion(request, [
    ...plans,
    desk.plans.update('post_drafts', inVersion(draft), { changes, single: true }),
    desk.plans.update('journal_posts', allOf(equals('id', post.id), equals('updated_at', post.updated_at)), {
      changes: { published: 0, updated_at: now },
      single: true,
    }),
  ]);
  return { state: 'unpublished' as const, version };
}

interface PublicationOptions {
  /** The account that has written what is published. */
  by: string;
  /** Matches the working copy that is published. */
  where: (draft: DraftRow) => ReturnType<typeof inVersion>;
  announcement: ChangeAnnouncement;
}

/** Writes a publication in one transaction: the readers' row, the revision, the slugs and the working copy. */
export async function writePublication(
  request: PostRequest,
  opened: OpenPost,
  { by, where, announcement }: PublicationOptions,
): Promise<Extract<Published, { state: 'published' }>> {
  const { desk } = request;
  const { id, post, userId, slugs: present } = opened;
  const now = timeAfter(desk, post?.updated_at ?? 0);
  const revisionId = newId('revision', now);
  const ensured = await ensureCopy(desk, opened, newId('revision', now));
  const { draft } = ensured;
  const { original, facts } = await openExamined(desk.originals, opened);
  const released = await releaseLanguages(desk, opened.records, {
    ...{ document: opened.document, post, slugs: present, facts, by, now },
    languages: languagesToRelease(desk, opened.records, original),
  });
  opened.records.publish(original, now);
  const { slugs, plans: slugPlans } = await planSlugs(desk, {
    postId: id,
    document: released.document,
    present,
  });
  const document: PostDocument = { ...opened.document, slugs };
  const version = draft.version + 1;
  const copy = {
    ...(await columnsOfCopy(desk, document, document)),
    version,
    state: 'published',
    revisions: draft.revisions + 1,
    published_revision: revisionId,
    published_at: now,
    post_updated_at: now,
    scheduled_at: null,
    time_zone: null,
    schedule_fault: null,
    announcement: null,
    discarded_at: null,
    updated_at: now,
    updated_by: by,
  };
  const revision = {
    id: revisionId,
    post_id: id,
    user_id: by,
    number: draft.revisions + 1,
    kind: 'published',
    created_at: now,
    document: copy.document,
  };
  const columns = { ...columnsOfRelease(released), published: 1, updated_at: now };
  const readersRow: TablePlan = post
    ? desk.plans.update('journal_posts', allOf(equals('id', id), equals('updated_at', post.updated_at)), {
        changes: { ...columns, ...announcedChange(post, columns, announcement) },
        single: true,
      })
    : desk.plans.create('journal_posts', { ...columns, id, user_id: userId, created_at: now });
  const plans = [
    ...ensured.plans,
    desk.plans.update('post_drafts', where(draft), { changes: copy, single: true }),
    readersRow,
    desk.plans.create('post_revisions', revision),
    ...opened.records.plans(desk.plans, original, targetLanguages(original.language)),
    ...slugPlans,
  ];
  await writeInVersion(request, plans, translationOf(desk, opened, { original, by }));
  desk.wakeJobs?.();
  return { state: 'published', version, publishedAt: now };
}

/** Returns the column for what an author says of a publication; none where title and text are what they were. */
function announcedChange(
  post: PostRow,
  { title, content, updated_at: at }: ReturnType<typeof columnsOfRelease> & { updated_at: number },
  announcement: ChangeAnnouncement,
): Pick<PostRow, 'dated_changes'> | undefined {
  if (post.title === title && post.content === content) return undefined;
  return { dated_changes: announceChange(post.dated_changes, announcement, at) };
}

/**
 * Returns the statements that have translated what a publication lacks, and read once more what no second reader has read, on the budget
 * of who publishes: readers get what they had, or the original, until then.
 */
function translationOf(
  desk: DeskContext,
  { id, records }: OpenPost,
  { original, by }: { original: Original; by: string },
): Statement[] {
  const { project, wakeJobs, now } = desk;
  if (original.language === null || !wakeJobs) return [];
  const segments = records.identify(original);
  const languages = targetLanguages(original.language).filter((language) => {
    const { state } = records.language(language);
    const isOpen = state !== 'held' && state !== 'withdrawn';
    const lacks = segments.some((segment) => isUntranslated(records, segment, language));
    return isOpen && (lacks || waitsForReader(desk, records, { original, language }));
  });
  if (languages.length === 0) return [];
  return jobStatements(project.database, {
    ...{ id: newId('job', now()), post_id: id, user_id: by },
    ...{ languages: languages.join(','), created_at: now() },
  });
}

/** Returns the present time, or the next millisecond: each change of a row has a time of its own. */
function timeAfter({ now }: DeskContext, last: number): number {
  return Math.max(now(), last + 1);
}

/** Returns what a document lacks that readers must see. */
export function missingFields({ title, content, cover }: PostDocument): string[] {
  return [
    ...(isBlank(title) ? ['title'] : []),
    ...(isBlank(content) ? ['content'] : []),
    ...(cover === null ? ['cover'] : []),
  ];
}

function requireComplete(document: PostDocument): void {
  const missing = missingFields(document);
  if (missing.length === 0) return;
  const kind: DocumentFault = 'missing';
  const details: FieldFault[] = missing.map((field) => ({ field, message: 'is required', kind }));
  throw new AppError('VALIDATION_FAILED', 'A post needs a title, a text and an image to be published.', {
    details,
  });
}

/** Throws STALE when another program has changed the post since the desk published it, and the author has not seen that. */
function requireSeen(opened: OpenPost, replaces: number | undefined): void {
  const elsewhere = changedElsewhere(opened);
  if (!elsewhere || elsewhere.updatedAt === replaces) return;
  throw new AppError('STALE', 'Another program has changed this post since it was published here.', {
    details: { elsewhere },
  });
}

/** Returns what another program has made of a post since the desk last wrote or showed it; undefined for nothing. */
export function changedElsewhere({
  draft,
  post,
  slugs,
}: Pick<OpenPost, 'draft' | 'post' | 'slugs'>): { document: PostDocument; updatedAt: number } | undefined {
  if (!draft || !post || draft.post_updated_at === post.updated_at) return undefined;
  return { document: presentDocument(publicDocument(post, slugs)), updatedAt: post.updated_at };
}

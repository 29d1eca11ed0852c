import { isDeepStrictEqual } from 'node:util';
import { AppError, allOf, equals, type TablePlan } from '@fabrica/backend';
import { type PostDocument, searchedWords } from '../project/document.ts';
import { type Access, accessOf, noSuchPost, notAllowed } from './access.ts';
import type { DeskContext, PostRequest } from './desk-context.ts';
import { languagesOf } from './post-columns.ts';
import {
  type DraftRow,
  findDraft,
  findNames,
  findPost,
  findRevision,
  findSlugs,
  type PostRow,
  parseDocument,
  presentDocument,
  publicDocument,
  type SlugRow,
} from './queries.ts';
import type { Originals } from './translations/original.ts';
import { fillDocument, storedDocument } from './translations/records/fill-document.ts';
import { PostRecords } from './translations/records/post-records.ts';
import { findRecords } from './translations/records/record-rows.ts';

/** A post with all that a verb of the desk needs to know of it. */
export interface OpenPost {
  id: string;
  userId: string;
  /** The working copy; undefined for a post that was never changed here. */
  draft: DraftRow | undefined;
  /** The row that readers see; undefined before the first publication. */
  post: PostRow | undefined;
  slugs: readonly SlugRow[];
  /** 0 without a working copy. */
  version: number;
  /** With its translations, which are put together from the records. */
  document: PostDocument;
  records: PostRecords;
  access: Access;
}

/** Returns a post that the account may edit. Throws NOT_FOUND, and FORBIDDEN for a published post of others. */
export async function openPost({ desk, caller, postId }: PostRequest): Promise<OpenPost> {
  const opened = await readPost(desk, postId);
  if (!opened) throw noSuchPost();
  const { draft, post, slugs, document, records } = opened;
  const userId = post?.user_id ?? draft?.user_id ?? '';
  const access = accessOf(caller, { userId, byline: document.byline });
  if (!access.edit) throw post?.published === 1 ? notAllowed() : noSuchPost();
  const version = draft?.version ?? 0;
  return { id: postId, userId, draft, post, slugs, version, document, records, access };
}

export type ReadPost = Pick<OpenPost, 'draft' | 'post' | 'slugs' | 'document' | 'records'>;

/** Returns a post whatever the account may do; undefined when there is none. */
export async function readPost(
  {
    project: { database },
    originals,
    glossary,
    now,
  }: Pick<DeskContext, 'project' | 'originals' | 'glossary' | 'now'>,
  id: string,
): Promise<ReadPost | undefined> {
  const [terms, draft, post, slugs, rows] = await Promise.all([
    glossary.load(),
    findDraft(database, id),
    findPost(database, id),
    findSlugs(database, id),
    findRecords(database, id),
  ]);
  const records = new PostRecords(id, rows, { now: now(), terms });
  const stored = draft ? parseDocument(draft.document) : post && publicDocument(post, slugs);
  if (!stored) return undefined;
  const document = await readable(originals, stored);
  // What another program has written is not in the records before they are opened.
  const isRecorded = records.exists && (draft || records.postUpdatedAt === post?.updated_at);
  const filled = isRecorded ? await fillDocument(originals, records, document) : document;
  return { draft, post, slugs, document: filled, records };
}

/** Returns a document as it can be read: Markdown from before it was bounded, which is too complex, is plain text. */
export async function readable({ parse }: Originals, document: PostDocument): Promise<PostDocument> {
  const isMarkdown = document.contentFormat === 'markdown' && (await parse(document.content.trim()));
  return isMarkdown ? document : { ...document, contentFormat: 'plain' };
}

/** Throws STALE with the present working copy unless the version is the present one. */
export async function requireVersion(desk: DeskContext, opened: OpenPost, version: number): Promise<void> {
  if (opened.version !== version) throw await staleCopy(desk, opened);
}

/** Returns the error for who has an older version of the working copy. */
export async function staleCopy(
  { project }: Pick<DeskContext, 'project'>,
  { version, document, draft, post }: Pick<OpenPost, 'version' | 'document' | 'draft' | 'post'>,
): Promise<AppError> {
  const by = draft?.updated_by ?? null;
  const names = await findNames(project.database, [by]);
  return new AppError('STALE', 'Somebody else has changed this post meanwhile.', {
    details: {
      current: {
        version,
        document: presentDocument(document),
        updatedBy: by === null ? null : { id: by, name: names.get(by) ?? null },
        updatedAt: draft?.updated_at ?? post?.updated_at ?? null,
      },
    },
  });
}

/** Returns the document that was published last, with the present translations; null before the first publication. */
export async function publishedDocument(
  { project: { database }, originals }: Pick<DeskContext, 'project' | 'originals'>,
  { id, draft, post, document, records }: Omit<OpenPost, 'access' | 'userId' | 'version' | 'slugs'>,
): Promise<PostDocument | null> {
  if (!draft) return post ? document : null;
  if (draft.published_revision === null) return null;
  const revision = await findRevision(database, id, draft.published_revision);
  return revision
    ? fillDocument(originals, records, await readable(originals, parseDocument(revision.document)))
    : null;
}

/** Returns the columns of a working copy that follow from its document. Its translations are in the records. */
export async function columnsOfCopy(
  { originals }: Pick<DeskContext, 'originals'>,
  document: PostDocument,
  published: PostDocument | null,
) {
  const stored = await storedDocument(originals, document);
  const former = published && (await storedDocument(originals, published));
  const ids = document.byline.flatMap(({ userId }) => userId ?? []);
  return {
    title: document.title.trim(),
    image_url: document.cover?.url ?? null,
    languages: languagesOf(document),
    people: ids.length > 0 ? `,${[...new Set(ids)].join(',')},` : '',
    changed: former && isDeepStrictEqual(stored, former) ? 0 : 1,
    words: searchedWords(document),
    document: JSON.stringify(stored),
  };
}

/** Returns the state of a post by what readers see of it. */
export function stateWithoutSchedule({ post }: Pick<OpenPost, 'post'>): DraftRow['state'] {
  if (!post) return 'draft';
  return post.published === 1 ? 'published' : 'unpublished';
}

/** Returns the columns of a scheduled working copy that is taken from the schedule. Its time and why are kept for its authors. */
export function takenOff({ draft, post }: Pick<OpenPost, 'draft' | 'post'>, faults: readonly string[]) {
  return {
    ...{ state: stateWithoutSchedule({ post }), schedule_fault: faults.join(',') },
    ...{ scheduled_at: draft?.scheduled_at ?? null, time_zone: draft?.time_zone ?? null },
  };
}

/** Matches the working copy in this very version. */
export function inVersion({ id, version }: Pick<DraftRow, 'id' | 'version'>) {
  return allOf(equals('id', id), equals('version', version));
}

/** A working copy that exists once the plans before it are carried out. */
interface EnsuredCopy {
  draft: DraftRow;
  plans: TablePlan[];
}

/**
 * Returns the working copy, and the plans that make it of a post that another program wrote: what readers see becomes its
 * first revision.
 */
export async function ensureCopy(
  desk: DeskContext,
  opened: OpenPost,
  revisionId: string,
): Promise<EnsuredCopy> {
  const { plans, now } = desk;
  const { id, draft, post, document } = opened;
  if (draft) return { draft, plans: [] };
  if (!post) throw noSuchPost();
  const made: DraftRow = {
    ...(await columnsOfCopy(desk, document, document)),
    id,
    user_id: post.user_id,
    version: 1,
    state: post.published === 1 ? 'published' : 'unpublished',
    revisions: 1,
    revised_at: now(),
    published_revision: revisionId,
    published_at: post.created_at,
    post_updated_at: post.updated_at,
    scheduled_at: null,
    time_zone: null,
    schedule_fault: null,
    discarded_at: null,
    announcement: null,
    created_at: post.created_at,
    updated_at: post.updated_at,
    updated_by: post.user_id,
  };
  return {
    draft: made,
    plans: [
      plans.create('post_drafts', { ...made }),
      plans.create('post_revisions', {
        id: revisionId,
        post_id: id,
        user_id: post.user_id,
        number: 1,
        kind: 'published',
        created_at: post.updated_at,
        document: made.document,
      }),
    ],
  };
}

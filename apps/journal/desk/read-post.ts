import { AppError, publicName } from '@fabrica/backend';
import type { PostRequest } from './desk-context.ts';
import { changedElsewhere } from './publishing/publish-post.ts';
import {
  currentSlugs,
  findNames,
  type PostRow,
  presentDocument,
  publicDocument,
  replaceDocument,
} from './queries.ts';
import { targetLanguages } from './translations/original.ts';
import { storedDocument } from './translations/records/fill-document.ts';
import { openRecords } from './translations/records/open-records.ts';
import {
  columnsOfCopy,
  inVersion,
  type OpenPost,
  openPost,
  publishedDocument,
  readable,
  stateWithoutSchedule,
} from './working-copy.ts';
import { newId, writeInVersion } from './write-copy.ts';

/** Returns a post with its working copy, for the account that may edit it. */
export async function readDeskPost(request: PostRequest) {
  const { desk } = request;
  const opened = await openUpToDate(request);
  const { id, userId, draft, post, slugs, version, document, access } = opened;
  const named = document.byline.flatMap(({ userId: account }) => account ?? []);
  const names = await findNames(desk.project.database, [userId, draft?.updated_by ?? null, ...named]);
  const person = (of: string | null | undefined) =>
    of == null ? null : { id: of, name: publicName(names.get(of) ?? null) };
  const published = await publishedDocument(desk, opened);
  return {
    id,
    version,
    state: draft?.state ?? stateWithoutSchedule(opened),
    changed: draft ? draft.changed === 1 : false,
    document: presentDocument(document),
    publishedDocument: published && presentDocument(published),
    /** Describes what another program has made of the post since it was published here. */
    elsewhere: changedElsewhere(opened) ?? null,
    slugs: currentSlugs(slugs),
    scheduledAt: draft?.scheduled_at ?? null,
    timeZone: draft?.time_zone ?? null,
    /** Names what took the post from its schedule: fields that it lacked, `slugs`, `elsewhere` or `unapproved`. */
    scheduleFault: draft?.schedule_fault?.split(',') ?? null,
    discardedAt: draft?.discarded_at ?? null,
    createdAt: draft?.created_at ?? post?.created_at ?? 0,
    publishedAt: draft?.published_at ?? (post?.published === 1 ? post.created_at : null),
    updatedAt: draft?.updated_at ?? post?.updated_at ?? 0,
    updatedBy: person(draft ? draft.updated_by : post?.user_id),
    owner: person(userId),
    /** Accounts of the byline that were deleted since. Their names stay as they are. */
    goneAccounts: named.filter((account) => !names.has(account)),
    can: access,
  };
}

/** Attempts at taking over what another program has made of a post, while others write its records. */
const ATTEMPTS = 10;

/** Opens a post. What another program has made of it becomes the working copy, unless that has changes of its own. */
async function openUpToDate(request: PostRequest): Promise<OpenPost> {
  for (let attempt = 1; ; attempt += 1) {
    const opened = await openPost(request);
    const { draft, post } = opened;
    if (!draft || !post || draft.changed === 1 || !changedElsewhere(opened)) return opened;
    try {
      await takeOver(request, opened, post);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      // An account that may write no more today reads what there is.
      if (error.code === 'RATE_LIMITED' || (error.code === 'STALE' && attempt === ATTEMPTS)) return opened;
      if (error.code !== 'STALE') throw error;
    }
  }
}

async function takeOver(request: PostRequest, opened: OpenPost, post: PostRow): Promise<void> {
  const { id, draft, slugs, records } = opened;
  if (!draft) return;
  const { plans, now, originals } = request.desk;
  const document = replaceDocument(opened.document, await readable(originals, publicDocument(post, slugs)));
  const { original: before } = await openRecords(originals, opened);
  const original = await originals.of(document);
  records.adopt(original, before);
  const revision = {
    id: newId('revision', now()),
    post_id: id,
    user_id: post.user_id,
    number: draft.revisions + 1,
    kind: 'published',
    created_at: post.updated_at,
    document: JSON.stringify(await storedDocument(originals, document)),
  };
  const changes = {
    ...(await columnsOfCopy(request.desk, document, document)),
    version: draft.version + 1,
    state: draft.state === 'scheduled' ? draft.state : post.published === 1 ? 'published' : 'unpublished',
    revisions: draft.revisions + 1,
    published_revision: revision.id,
    post_updated_at: post.updated_at,
    updated_at: post.updated_at,
    updated_by: post.user_id,
  };
  await writeInVersion(request, [
    plans.update('post_drafts', inVersion(draft), { changes, single: true }),
    plans.create('post_revisions', revision),
    ...records.plans(plans, original, targetLanguages(original.language)),
  ]);
}

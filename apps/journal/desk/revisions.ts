import { AppError, allOf, equals, type Filter, publicName } from '@fabrica/backend';
import type { PostDocument } from '../project/document.ts';
import type { DeskContext, PostRequest } from './desk-context.ts';
import {
  deskReader,
  findNames,
  findRevision,
  parseDocument,
  presentDocument,
  type RevisionRow,
  replaceDocument,
} from './queries.ts';
import { fillDocument } from './translations/records/fill-document.ts';
import { ensureCopy, inVersion, openPost, readable, requireVersion } from './working-copy.ts';
import { newId, retryInVersion, writeCopy, writeInVersion } from './write-copy.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const MONTH_MS = 30 * DAY_MS;

/** Revisions of a page of the list. */
const PAGE = 50;

/** Up to this age in milliseconds, one saved revision remains of each span. */
const TRAIL = [
  { upTo: HOUR_MS, span: 0 },
  { upTo: DAY_MS, span: HOUR_MS },
  { upTo: MONTH_MS, span: DAY_MS },
  { upTo: Number.POSITIVE_INFINITY, span: MONTH_MS },
];

/**
 * Returns the ids of the autosaves that the trail does without: it keeps all of the last hour, one an hour for a day, one a
 * day for a month, and one a month after, the last one of each.
 */
function thinnedOut(saved: readonly Pick<RevisionRow, 'id' | 'created_at'>[], now: number): string[] {
  const seen = new Set<string>();
  return saved
    .toSorted((one, other) => other.created_at - one.created_at)
    .filter(({ created_at }) => {
      const { span } = TRAIL.find(({ upTo }) => now - created_at <= upTo) ?? { span: MONTH_MS };
      if (span === 0) return false;
      const name = `${span} ${Math.floor(created_at / span)}`;
      const isFurther = seen.has(name);
      seen.add(name);
      return isFurther;
    })
    .map(({ id }) => id);
}

/** Thins the trail of a post, after a revision was added to it. */
export async function thinRevisions({ project, plans, now }: DeskContext, postId: string): Promise<void> {
  const saved = await deskReader(project.database)
    .selectFrom('post_revisions')
    .select(['id', 'created_at'])
    .where('post_id', '=', postId)
    .where('kind', '=', 'saved')
    .execute();
  const values = thinnedOut(saved, now());
  if (values.length === 0) return;
  const filter: Filter = { kind: 'in', column: 'id', values };
  await project.database.write(await plans.delete('post_revisions', filter, { single: false }));
}

/** Lists the revisions of a post, the last one first; a cursor is the number of the last one on the page before. */
export async function listRevisions(request: PostRequest, cursor: number | undefined) {
  const { database } = request.desk.project;
  await openPost(request);
  const rows = await deskReader(database)
    .selectFrom('post_revisions')
    .select(['id', 'number', 'kind', 'created_at', 'user_id'])
    .where('post_id', '=', request.postId)
    .$if(cursor !== undefined, (query) => query.where('number', '<', cursor ?? 0))
    .orderBy('number', 'desc')
    .limit(PAGE + 1)
    .execute();
  const page = rows.slice(0, PAGE);
  const names = await findNames(
    database,
    page.map(({ user_id }) => user_id),
  );
  const revisions = page.map((row) => presentRevision(row, names));
  return { revisions, cursor: rows.length > PAGE ? String(page.at(-1)?.number) : null };
}

/** Returns a revision with its document. Throws NOT_FOUND. */
export async function readRevision(request: PostRequest, revisionId: string) {
  const { records } = await openPost(request);
  const row = await requireRevision(request, revisionId);
  const names = await findNames(request.desk.project.database, [row.user_id]);
  const { originals } = request.desk;
  const kept = await readable(originals, parseDocument(row.document));
  const document = await fillDocument(originals, records, kept, { keepsOwn: true });
  return { ...presentRevision(row, names), document: presentDocument(document) };
}

/** Attempts at keeping a document, in which others write the post meanwhile. */
const ATTEMPTS = 3;

/** Keeps a document in the history that its author gives up for another one. The working copy stays as it is. */
export async function keepRevision(request: PostRequest, document: PostDocument, attempt = 1) {
  const { desk, caller } = request;
  const now = desk.now();
  const opened = await openPost(request);
  const { draft, plans } = await ensureCopy(desk, opened, newId('revision', now));
  const revision = {
    id: newId('revision', now),
    post_id: draft.id,
    user_id: caller.id,
    number: draft.revisions + 1,
    kind: 'saved',
    created_at: now,
    document: JSON.stringify(replaceDocument(opened.document, document)),
  };
  const unchanged = allOf(inVersion(draft), equals('revisions', draft.revisions));
  try {
    await writeInVersion(request, [
      ...plans,
      desk.plans.update('post_drafts', unchanged, { changes: { revisions: revision.number }, single: true }),
      desk.plans.create('post_revisions', revision),
    ]);
  } catch (error) {
    const isOvertaken = error instanceof AppError && error.code === 'STALE';
    if (!isOvertaken || attempt === ATTEMPTS) throw error;
    return keepRevision(request, document, attempt + 1);
  }
  await thinRevisions(desk, draft.id);
  return { id: revision.id, number: revision.number };
}

/**
 * Makes a revision the working copy, also of a post that was discarded. What it replaces is kept as a revision. Its people are
 * taken back by those alone who may publish the post.
 */
export async function restoreRevision(request: PostRequest, revisionId: string, version: number) {
  return retryInVersion(version, () => attemptRestoration(request, revisionId, version));
}

async function attemptRestoration(request: PostRequest, revisionId: string, version: number) {
  const opened = await openPost(request);
  await requireVersion(request.desk, opened, version);
  const document = parseDocument((await requireRevision(request, revisionId)).document);
  const isDiscarded = opened.draft?.discarded_at != null;
  const written = await writeCopy(request, opened, {
    document,
    restores: true,
    keepsPeople: true,
    columns: { discarded_at: null },
    keep: !isDiscarded && opened.draft?.changed === 1,
  });
  const { savedAt, document: present } = written;
  return { version: written.version, savedAt, document: presentDocument(present) };
}

async function requireRevision({ desk, postId }: PostRequest, id: string): Promise<RevisionRow> {
  const row = await findRevision(desk.project.database, postId, id);
  if (!row) throw new AppError('NOT_FOUND', 'There is no such revision.');
  return row;
}

type ListedRevision = Pick<RevisionRow, 'id' | 'number' | 'kind' | 'created_at' | 'user_id'>;

function presentRevision(row: ListedRevision, names: ReadonlyMap<string, string | null>) {
  const { id, number, kind, created_at: createdAt, user_id: userId } = row;
  return { id, number, kind, createdAt, by: { id: userId, name: publicName(names.get(userId) ?? null) } };
}

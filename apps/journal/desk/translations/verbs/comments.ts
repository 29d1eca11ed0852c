import { AppError, allOf, equals, writeAndPublish } from '@fabrica/backend';
import type { SegmentComment, SegmentVersion } from '../../../project/translations.ts';
import { notAllowed } from '../../access.ts';
import { findNames } from '../../queries.ts';
import { quotaOf } from '../../rows-quota.ts';
import { openPost } from '../../working-copy.ts';
import { newId } from '../../write-copy.ts';
import { openTranslations } from '../change-records.ts';
import { personOf, writerOf } from '../present.ts';
import { type CommentRow, findVersions, translationReader } from '../records/record-rows.ts';
import { mayReview, type SegmentRequest } from '../requests.ts';

/** Returns the former texts of a segment in a language, the last one first. */
export async function listVersions(request: SegmentRequest): Promise<SegmentVersion[]> {
  const { desk, segmentId, language } = request;
  await requireSegment(request);
  const { database } = desk.project;
  const rows = await findVersions(database, [`${segmentId}_${language}`]);
  const names = await findNames(
    database,
    rows.map(({ user_id }) => user_id),
  );
  return rows.map((row) => ({
    version: row.version,
    text: row.text,
    source: row.source_text,
    state: row.state,
    writer: writerOf(row, names),
    at: row.created_at,
  }));
}

/** Returns what people have said about a segment in a language, the first one first. */
export async function listComments(request: SegmentRequest): Promise<SegmentComment[]> {
  await requireSegment(request);
  const { desk, postId, segmentId, language } = request;
  const { database } = desk.project;
  const rows = await translationReader(database)
    .selectFrom('segment_comments')
    .selectAll()
    .where('post_id', '=', postId)
    .where('segment_id', '=', segmentId)
    .where('language', '=', language)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const names = await findNames(
    database,
    rows.map(({ user_id }) => user_id),
  );
  return rows.map((row) => presentComment(row, names));
}

export async function addComment(request: SegmentRequest, text: string): Promise<SegmentComment> {
  await requireSegment(request);
  const { desk, postId, segmentId, language, caller } = request;
  const now = desk.now();
  const row: CommentRow = {
    ...{ id: newId('note', now), post_id: postId, segment_id: segmentId, language },
    ...{ user_id: caller.id, text, created_at: now },
  };
  await writeAndPublish(desk.project, desk.bus, {
    plans: [desk.plans.create('segment_comments', row)],
    quota: quotaOf(desk, caller.id),
  });
  return presentComment(row, await findNames(desk.project.database, [caller.id]));
}

/** Removes a comment of one's own; reviewers remove any. */
export async function removeComment(request: SegmentRequest, commentId: string): Promise<void> {
  await requireSegment(request);
  const { desk, postId, caller } = request;
  const row = await translationReader(desk.project.database)
    .selectFrom('segment_comments')
    .selectAll()
    .where('id', '=', commentId)
    .where('post_id', '=', postId)
    .executeTakeFirst();
  if (!row) throw new AppError('NOT_FOUND', 'There is no such comment.');
  if (row.user_id !== caller.id && !mayReview(caller)) throw notAllowed();
  const comment = allOf(equals('id', commentId), equals('post_id', postId));
  const plan = await desk.plans.delete('segment_comments', comment, { single: false });
  await writeAndPublish(desk.project, desk.bus, { plans: [plan] });
}

/** Throws NOT_FOUND for a segment that the post never had. */
async function requireSegment(request: SegmentRequest): Promise<void> {
  await openPost(request);
  const { records, original } = await openTranslations(request.desk, request.postId);
  const isPresent = records.identify(original).some(({ id }) => id === request.segmentId);
  if (isPresent || records.all().some(({ segment_id }) => segment_id === request.segmentId)) return;
  throw new AppError('NOT_FOUND', 'There is no such segment.');
}

function presentComment(row: CommentRow, names: Awaited<ReturnType<typeof findNames>>): SegmentComment {
  return { id: row.id, text: row.text, by: personOf(row.user_id, names), at: row.created_at };
}

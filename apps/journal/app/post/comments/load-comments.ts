import type { FabricaClient } from '@fabrica/client';
import type { CommentLike, DisplayedComment, PostComment } from '../../../project/entities.ts';
import type { Profile } from '../load-post.ts';

export interface CommentsPage {
  comments: DisplayedComment[];
  /** `null` when there are no older comments. */
  nextCursor: string | null;
  /** Number of all comments of the post. */
  count: number;
}

/** One response has at most this many comments and likes. */
const COMMENTS_PER_PAGE = 20;
const LIKES_PER_PAGE = 10_000;

interface LoadCommentsOptions {
  postId: string;
  /** The reader, whose likes are marked; `null` for a visitor. */
  userId: string | null;
  /** The end of the previous page. */
  cursor?: string | undefined;
}

/** Loads a page of comments, newest first, and the likes of all of them with one query. */
export async function loadComments(
  client: Pick<FabricaClient, 'db'>,
  { postId, userId, cursor }: LoadCommentsOptions,
): Promise<CommentsPage> {
  const { rows, nextCursor, count } = await client.db.table<PostComment>('postComments').page({
    where: { postId },
    orderBy: { createdAt: 'desc' },
    limit: COMMENTS_PER_PAGE,
    cursor,
    count: true,
  });
  return { comments: await withLikes(client, rows, userId), nextCursor, count: count ?? rows.length };
}

/** One query names at most this many ids, because the length of a URL is limited. */
const IDS_PER_QUERY = 100;

/** Loads the comments with these ids that still exist, with their likes. */
export async function loadCommentsById(
  client: Pick<FabricaClient, 'db'>,
  ids: readonly string[],
  userId: string | null,
): Promise<DisplayedComment[]> {
  const comments: DisplayedComment[] = [];
  for (let start = 0; start < ids.length; start += IDS_PER_QUERY) {
    const rows = await client.db.table<PostComment>('postComments').list({
      where: { id: { in: ids.slice(start, start + IDS_PER_QUERY) } },
      limit: IDS_PER_QUERY,
    });
    comments.push(...(await withLikes(client, rows, userId)));
  }
  return comments;
}

export function countComments(client: Pick<FabricaClient, 'db'>, postId: string): Promise<number> {
  return client.db.table<PostComment>('postComments').count({ where: { postId } });
}

async function withLikes(
  client: Pick<FabricaClient, 'db'>,
  rows: readonly PostComment[],
  userId: string | null,
): Promise<DisplayedComment[]> {
  const ids = rows.map(({ id }) => id);
  const [likes, photos] = await Promise.all([loadCommentLikes(client, ids), loadPhotos(client, rows)]);
  return rows.map((comment) => {
    const received = likes.filter(({ commentId }) => commentId === comment.id);
    return {
      ...comment,
      likes: received.length,
      hasLiked: userId !== null && received.some((like) => like.userId === userId),
      photoUrl: isAnonymous(comment) ? null : (photos.get(comment.userId) ?? null),
    };
  });
}

/** Tells whether a comment was written without a name. */
export function isAnonymous({ userName }: Pick<PostComment, 'userName'>): boolean {
  return userName === 'Anonymous';
}

/** Returns the photo URLs of the authors who are named, by their ids. */
async function loadPhotos(
  { db }: Pick<FabricaClient, 'db'>,
  rows: readonly PostComment[],
): Promise<Map<string, string | null>> {
  const ids = [...new Set(rows.filter((row) => !isAnonymous(row)).map(({ userId }) => userId))];
  if (ids.length === 0) return new Map();
  const profiles = await db
    .table<Profile>('profiles')
    .list({ where: { id: { in: ids } }, select: ['id', 'photoUrl'], limit: ids.length });
  return new Map(profiles.map(({ id, photoUrl }) => [id, photoUrl]));
}

async function loadCommentLikes(
  { db }: Pick<FabricaClient, 'db'>,
  commentIds: string[],
): Promise<Pick<CommentLike, 'commentId' | 'userId'>[]> {
  const likes: Pick<CommentLike, 'commentId' | 'userId'>[] = [];
  if (commentIds.length === 0) return likes;
  let cursor: string | undefined;
  do {
    const page = await db.table<CommentLike>('commentLikes').page({
      where: { commentId: { in: commentIds } },
      select: ['commentId', 'userId'],
      limit: LIKES_PER_PAGE,
      cursor,
    });
    likes.push(...page.rows);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return likes;
}

import type { FabricaClient } from '@fabrica/client';
import type { CommentLike, DisplayedComment, PostComment } from '../../entities.ts';

export interface CommentsPage {
  comments: DisplayedComment[];
  /** Null when there are no older ones. */
  nextCursor: string | null;
  /** All comments of the post. */
  count: number;
}

/** Comments of one step, and likes of one answer. */
const COMMENTS_A_PAGE = 20;
const LIKES_A_PAGE = 10_000;

export interface LoadCommentsOptions {
  postId: string;
  /** Who looks; null for nobody in particular. */
  userId: string | null;
  /** Where the page before ended. */
  cursor?: string | undefined;
}

/** Comments, newest first, with their likes: one query for the likes of all of them. */
export async function loadComments(
  client: Pick<FabricaClient, 'db'>,
  { postId, userId, cursor }: LoadCommentsOptions,
): Promise<CommentsPage> {
  const { rows, nextCursor, count } = await client.db.table<PostComment>('postComments').page({
    where: { postId },
    orderBy: { createdAt: 'desc' },
    limit: COMMENTS_A_PAGE,
    cursor,
    count: true,
  });
  return { comments: await withLikes(client, rows, userId), nextCursor, count: count ?? rows.length };
}

/** Ids that one query names at most: addresses have an end. */
const IDS_A_QUERY = 100;

/** Those of these comments that are still there, with their likes. */
export async function loadCommentsById(
  client: Pick<FabricaClient, 'db'>,
  ids: readonly string[],
  userId: string | null,
): Promise<DisplayedComment[]> {
  const comments: DisplayedComment[] = [];
  for (let from = 0; from < ids.length; from += IDS_A_QUERY) {
    const rows = await client.db.table<PostComment>('postComments').list({
      where: { id: { in: ids.slice(from, from + IDS_A_QUERY) } },
      limit: IDS_A_QUERY,
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
  const likes = await loadCommentLikes(client, ids);
  return rows.map((comment) => {
    const own = likes.filter(({ commentId }) => commentId === comment.id);
    return { ...comment, likes: own.length, hasLiked: own.some((like) => like.userId === userId) };
  });
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
      limit: LIKES_A_PAGE,
      cursor,
    });
    likes.push(...page.rows);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return likes;
}

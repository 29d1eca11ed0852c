import type { FabricaClient } from '@fabrica/client';
import type { CommentLike, DisplayedComment, PostComment } from '../entities.ts';

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
  const likes = await loadCommentLikes(
    client,
    rows.map(({ id }) => id),
  );
  const comments = rows.map((comment) => {
    const own = likes.filter(({ commentId }) => commentId === comment.id);
    return { ...comment, likes: own.length, hasLiked: own.some((like) => like.userId === userId) };
  });
  return { comments, nextCursor, count: count ?? rows.length };
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

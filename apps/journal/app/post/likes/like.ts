import type { FabricaClient } from '@fabrica/client';
import type { CommentLike, PostLike } from '../../../project/entities.ts';

/** Names a post or comment that can be liked. */
export interface LikeTarget {
  kind: 'post' | 'comment';
  id: string;
}

type Client = Pick<FabricaClient, 'db'>;

/** Adds the reader's like. The server stores a second one as the same like. */
export async function addLike(client: Client, target: LikeTarget, userId: string): Promise<void> {
  const like = { userId, createdAt: Date.now() };
  if (target.kind === 'post') await postLikes(client).create({ postId: target.id, ...like });
  else await commentLikes(client).create({ commentId: target.id, ...like });
}

/** Deletes the reader's like if there is one. */
export async function removeLike(client: Client, target: LikeTarget, userId: string): Promise<void> {
  const id = await findLike(client, target, userId);
  if (id) await likesOf(client, target).delete(id);
}

/** Returns the id of the reader's own like, or `undefined` when there is none. */
export async function findLike(
  client: Client,
  target: LikeTarget,
  userId: string,
): Promise<string | undefined> {
  const [like] =
    target.kind === 'post'
      ? await postLikes(client).list({ where: { postId: target.id, userId }, select: ['id'], limit: 1 })
      : await commentLikes(client).list({
          where: { commentId: target.id, userId },
          select: ['id'],
          limit: 1,
        });
  return like?.id;
}

export function countLikes(client: Client, target: LikeTarget): Promise<number> {
  return target.kind === 'post'
    ? postLikes(client).count({ where: { postId: target.id } })
    : commentLikes(client).count({ where: { commentId: target.id } });
}

function likesOf(client: Client, { kind }: LikeTarget) {
  return kind === 'post' ? postLikes(client) : commentLikes(client);
}

function postLikes({ db }: Client) {
  return db.table<PostLike>('postLikes', { idPrefix: 'like_' });
}

function commentLikes({ db }: Client) {
  return db.table<CommentLike>('commentLikes', { idPrefix: 'clike_' });
}

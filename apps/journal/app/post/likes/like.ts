import type { FabricaClient } from '@fabrica/client';
import type { CommentLike, PostLike } from '../../entities.ts';

/** What can be liked. */
export interface LikeTarget {
  kind: 'post' | 'comment';
  id: string;
}

type Client = Pick<FabricaClient, 'db'>;

/** Gives the reader's like; giving it twice is one like, as the server sees to. */
export async function addLike(client: Client, target: LikeTarget, userId: string): Promise<void> {
  const given = { userId, createdAt: Date.now() };
  if (target.kind === 'post') await postLikes(client).create({ postId: target.id, ...given });
  else await commentLikes(client).create({ commentId: target.id, ...given });
}

/** Finds the reader's like and takes it back. */
export async function removeLike(client: Client, target: LikeTarget, userId: string): Promise<void> {
  const id = await findLike(client, target, userId);
  if (id) await likesOf(client, target).delete(id);
}

/** The id of the reader's own like; undefined when there is none. */
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

import type { FabricaClient } from '@fabrica/client';
import type { User } from '@fabrica/contract';
import type { PostComment } from '../../../project/entities.ts';

/** A comment has at most this many characters. */
export const MAX_COMMENT_LENGTH = 5_000;

interface NewComment {
  /** Without one, the client makes an id. */
  id?: string;
  postId: string;
  content: string;
  /** The name of an account that has none yet; empty to stay anonymous. */
  newName: string;
}

/** Posts a comment, and gives the account its name if it has none. */
export async function createComment(
  { auth, db }: Pick<FabricaClient, 'auth' | 'db'>,
  user: User,
  { newName, ...comment }: NewComment,
): Promise<PostComment> {
  if (newName) await auth.updateMe({ displayName: newName });
  // The server stores the account's public name, whatever is sent.
  const userName = newName || user.displayName || 'Anonymous';
  const comments = db.table<PostComment>('postComments', { idPrefix: 'comment_' });
  return comments.create({ ...comment, userId: user.id, userName, createdAt: Date.now() });
}

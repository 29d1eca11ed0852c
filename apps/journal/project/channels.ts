import type { Announcement, ChangeEvent, ChannelRule, FindRow, Row } from '@fabrica/backend';

/** Readers listen to what the server says; `public:` channels belong to whoever is there. */
export const channels: Record<string, ChannelRule> = {
  gallery: { join: 'anyone', publish: 'server' },
  'post:{id}': { join: 'anyone', publish: 'server' },
  'public:*': { join: 'anyone', publish: 'anyone' },
};

const VERBS = { create: 'created', update: 'changed', delete: 'deleted' } as const;

/**
 * What changes say to those who look at the gallery or at a post: which row it was, and nothing of what is in it. Whoever
 * wants to know reads it, by the policies of that moment: what is said in a channel can be read there for a day.
 */
export async function announce(event: ChangeEvent, find: FindRow): Promise<Announcement[]> {
  const row: Row = event.after ?? event.before ?? {};
  switch (event.table) {
    case 'journal_posts':
      return ofPost(event);
    case 'post_likes':
      return onPost(row.post_id, find, { type: `like.${VERBS[event.operation]}`, data: { id: event.id } });
    case 'post_comments':
      return onPost(row.post_id, find, { type: `comment.${VERBS[event.operation]}`, data: { id: event.id } });
    case 'comment_likes': {
      const comment = await find('post_comments', String(row.comment_id));
      const data = { id: event.id, commentId: String(row.comment_id) };
      return onPost(comment?.post_id, find, { type: `comment-like.${VERBS[event.operation]}`, data });
    }
    default:
      return [];
  }
}

function ofPost({ id, before, after }: ChangeEvent): Announcement[] {
  const wasShown = before?.published === 1;
  const isShown = after?.published === 1;
  const type = isShown ? (wasShown ? 'post.changed' : 'post.published') : 'post.removed';
  if (!wasShown && !isShown) return [];
  return ['gallery', `post:${id}`].map((channel) => ({ channel, type, data: { id } }));
}

/** Nothing is said of a post that is not shown, nor of all that goes along with one that is deleted. */
async function onPost(
  postId: Row[string] | undefined,
  find: FindRow,
  said: Omit<Announcement, 'channel'>,
): Promise<Announcement[]> {
  if (typeof postId !== 'string') return [];
  const post = await find('journal_posts', postId);
  return post?.published === 1 ? [{ channel: `post:${postId}`, ...said }] : [];
}

import type { Announcement, ChangeEvent, ChannelRule, FindRow, Row } from '@fabrica/backend';

/** The server publishes in the channels that readers join; anyone may publish in `public:` channels. */
export const channels: Record<string, ChannelRule> = {
  gallery: { join: 'anyone', publish: 'server' },
  'post:{id}': { join: 'anyone', publish: 'server' },
  'public:*': { join: 'anyone', publish: 'anyone' },
};

const VERBS = { create: 'created', update: 'changed', delete: 'deleted' } as const;

/**
 * Returns the announcements of a change to the readers of the gallery or of a post. They name the row and carry nothing
 * of its content, because a channel keeps its messages for a day: readers fetch the row under the current policies.
 */
export async function announce(event: ChangeEvent, find: FindRow): Promise<Announcement[]> {
  const row: Row = event.after ?? event.before ?? {};
  switch (event.table) {
    case 'journal_posts':
      return announcePost(event);
    case 'post_likes':
      return announceOnPost(row.post_id, find, {
        type: `like.${VERBS[event.operation]}`,
        data: { id: event.id },
      });
    case 'post_comments':
      return announceOnPost(row.post_id, find, {
        type: `comment.${VERBS[event.operation]}`,
        data: { id: event.id },
      });
    case 'comment_likes': {
      const comment = await find('post_comments', String(row.comment_id));
      const data = { id: event.id, commentId: String(row.comment_id) };
      return announceOnPost(comment?.post_id, find, { type: `comment-like.${VERBS[event.operation]}`, data });
    }
    default:
      return [];
  }
}

function announcePost({ id, before, after }: ChangeEvent): Announcement[] {
  const wasPublished = before?.published === 1;
  const isPublished = after?.published === 1;
  const type = isPublished ? (wasPublished ? 'post.changed' : 'post.published') : 'post.removed';
  if ((!wasPublished && !isPublished) || changesTranslationsAlone(before, after)) return [];
  return ['gallery', `post:${id}`].map((channel) => ({ channel, type, data: { id } }));
}

/** Tells whether a change is only of what readers may know of the translations: nobody who reads has to fetch the post for that. */
function changesTranslationsAlone(before: Row | null, after: Row | null): boolean {
  const names = Object.keys({ ...before, ...after });
  return names.every((name) => name === 'translations' || before?.[name] === after?.[name]);
}

/** Announces a like or comment, unless its post is not published or was deleted with it. */
async function announceOnPost(
  postId: Row[string] | undefined,
  find: FindRow,
  announcement: Omit<Announcement, 'channel'>,
): Promise<Announcement[]> {
  if (typeof postId !== 'string') return [];
  const post = await find('journal_posts', postId);
  return post?.published === 1 ? [{ channel: `post:${postId}`, ...announcement }] : [];
}

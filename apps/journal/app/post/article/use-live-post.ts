import type { RealtimeMessage } from '@fabrica/contract';
import { useEffect, useRef } from 'react';
import type { JournalPost } from '../../../project/entities.ts';
import { useAuth, useClient } from '../../client/client-context.tsx';
import { noticeText } from '../../language/notice-text.tsx';
import { useChannel } from '../../live/use-channel.ts';
import { useRefresher } from '../../live/use-refresher.ts';
import { toast } from '../../ui/toasts.tsx';
import type { CommentList } from '../comments/use-comments.ts';
import type { PostLikes } from '../likes/use-post-likes.ts';
import type { PostPage } from '../load-post.ts';

interface LivePost {
  likes: PostLikes;
  comments: CommentList;
  reload(): Promise<void>;
  /** Is called when the page has joined the channel of the post. */
  onJoined(): void;
}

/** Keeps an open post's likes, comments and texts up to date. */
export function useLivePost(
  post: Pick<PostPage, 'id' | 'userId' | 'updatedAt'>,
  { likes, comments, reload: fetchPost, onJoined }: LivePost,
): void {
  const client = useClient();
  const reload = useRefresher(fetchPost);
  const showRemoval = useRemovalNotice(post);
  /**
   * Once the post is removed, nothing is refreshed any more: the page stays readable, and its counts do not become
   * 0.
   */
  const isRemoved = useRef(false);
  const handleRemoval = () => {
    if (!isRemoved.current) showRemoval();
    isRemoved.current = true;
  };

  const missedUntil = useRef(Number.NEGATIVE_INFINITY);
  const refreshAll = useRefresher(async () => {
    const posts = client.db.table<JournalPost>('journalPosts');
    const [current] = await posts.list({ where: { id: post.id }, select: ['updatedAt'], limit: 1 });
    if (!current) return handleRemoval();
    if (current.updatedAt !== post.updatedAt) reload();
    likes.refresh();
    comments.refreshAll(missedUntil.current);
  });

  useChannel(`post:${post.id}`, {
    message(message) {
      const announcement = parseAnnouncement(message);
      if (!announcement || isRemoved.current) return;
      const { subject, change, id } = announcement;
      if (subject === 'like') likes.refresh();
      else if (subject === 'comment-like') comments.onChanged(id);
      else if (subject === 'post') {
        if (change === 'removed') handleRemoval();
        else reload();
      } else if (change === 'created') comments.onCreated();
      else if (change === 'deleted') comments.onDeleted(id);
      else comments.onChanged(id);
    },
    stale() {
      missedUntil.current = performance.now();
      onJoined();
      if (!isRemoved.current) refreshAll();
    },
  });
}

interface PostAnnouncement {
  subject: 'post' | 'like' | 'comment' | 'comment-like';
  change: string;
  /** Id of the post, like or comment; for `comment-like`, the id of the comment. */
  id: string;
}

/** Parses a message that `project/channels.ts` announces. Returns `null` for one that this version does not know. */
function parseAnnouncement({ type, data }: RealtimeMessage): PostAnnouncement | null {
  const [subject, change = ''] = type.split('.');
  if (subject !== 'post' && subject !== 'like' && subject !== 'comment' && subject !== 'comment-like') {
    return null;
  }
  const fields = Object(data) as Record<string, unknown>;
  const id = subject === 'comment-like' ? fields.commentId : fields.id;
  return typeof id === 'string' ? { subject, change, id } : null;
}

/** Returns a function that shows a notice for as long as the page is open. The post's owner sees none. */
function useRemovalNotice({ id, userId }: Pick<PostPage, 'id' | 'userId'>): () => void {
  const { user } = useAuth();
  const notice = `removed ${id}`;
  useEffect(() => () => toast.dismiss(notice), [notice]);
  return () => {
    if (user?.id === userId) return;
    const text = noticeText(({ m }) => m.post.removed);
    toast.info(text, { id: notice, duration: Number.POSITIVE_INFINITY });
  };
}

import { useEffect, useRef } from 'react';
import { toast } from 'sonner';
import { useAuth, useClient } from '../../client/client-context.tsx';
import type { JournalPost } from '../../entities.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import { useChannel } from '../../live/use-channel.ts';
import { useRefresher } from '../../live/use-refresher.ts';
import type { CommentList } from '../comments/use-comments.ts';
import type { PostLikes } from '../likes/use-post-likes.ts';
import type { PostPage } from '../load-post.ts';
import { parsePostAnnouncement } from './post-announcement.ts';

export interface LivePost {
  likes: PostLikes;
  comments: CommentList;
  reload(): Promise<void>;
}

/** Moves an open post's likes, comments and texts for whoever looks at it. */
export function useLivePost(
  post: Pick<PostPage, 'id' | 'userId' | 'updatedAt'>,
  { likes, comments, reload: fetchAnew }: LivePost,
): void {
  const client = useClient();
  const reload = useRefresher(fetchAnew);
  const tellRemoval = useRemovalNotice(post);
  /** What is on the screen stays until the reader leaves; asked for anew, it would be zeros. */
  const isRemoved = useRef(false);
  const takeDown = () => {
    if (!isRemoved.current) tellRemoval();
    isRemoved.current = true;
  };

  const catchUp = useRefresher(async () => {
    const posts = client.db.table<JournalPost>('journalPosts');
    const [now] = await posts.list({ where: { id: post.id }, select: ['updatedAt'], limit: 1 });
    if (!now) return takeDown();
    if (now.updatedAt !== post.updatedAt) reload();
    likes.refresh();
    comments.refreshAll();
  });

  useChannel(`post:${post.id}`, {
    message(message) {
      const said = parsePostAnnouncement(message);
      if (!said || isRemoved.current) return;
      if (said.subject === 'like') likes.refresh();
      else if (said.subject === 'comment-like') comments.hearOfChange(said.commentId);
      else if (said.subject === 'post') {
        if (said.change === 'removed') takeDown();
        else reload();
      } else if (said.change === 'created') comments.hearOfNew();
      else if (said.change === 'deleted') comments.hearOfRemoval(said.id);
      else comments.hearOfChange(said.id);
    },
    stale() {
      if (!isRemoved.current) catchUp();
    },
  });
}

/** A notice that stays as long as the post does; none for its owner, who knows. */
function useRemovalNotice({ id, userId }: Pick<PostPage, 'id' | 'userId'>): () => void {
  const { m } = useLanguage();
  const { user } = useAuth();
  const notice = `removed ${id}`;
  useEffect(() => () => void toast.dismiss(notice), [notice]);
  return () => {
    if (user?.id !== userId) toast.info(m.post.removed, { id: notice, duration: Number.POSITIVE_INFINITY });
  };
}

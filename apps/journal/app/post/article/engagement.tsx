import { MessageSquare } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { useLanguage } from '../../language/language-provider.tsx';
import { Comments } from '../comments/comments.tsx';
import { useComments } from '../comments/use-comments.ts';
import { LikeButton } from '../likes/like-button.tsx';
import { usePostLikes } from '../likes/use-post-likes.ts';
import type { PostPage } from '../load-post.ts';
import { ENGAGEMENT_ID } from '../post-paths.ts';
import { ShareMenu } from '../share/share-menu.tsx';
import { useLivePost } from './use-live-post.ts';

const ACTION_CLASS =
  'inline-flex min-h-12 min-w-14 items-center justify-center gap-2.5 rounded-xs px-4 text-[0.9375rem] font-medium text-ink transition-colors hover:text-accent aria-expanded:text-accent';
/** This hash opens the comments. Signing in returns to it. */
const COMMENTS_HASH = '#comments';

export interface EngagementProps {
  post: PostPage;
  /** Whether the reader likes the post, where the server knows. */
  liked: boolean | null;
  /** Fetches the post again after it changed. Rejects when that fails. */
  reload(): Promise<void>;
}

/** Renders the bar for likes, comments and sharing, which sticks to the bottom of a phone's screen. */
export function Engagement({ post, liked, reload }: EngagementProps) {
  const { m } = useLanguage();
  const [open, setOpen] = useState(false);
  const likes = usePostLikes(post.id, { count: post.likes, liked });
  const comments = useComments(post.id, { count: post.comments, isOpen: open });
  useLivePost(post, { likes, comments, reload });
  const sectionId = useId();

  useEffect(() => {
    if (window.location.hash === COMMENTS_HASH) setOpen(true);
  }, []);

  return (
    <>
      <span id={ENGAGEMENT_ID} className="scroll-mt-[50vh]" />
      <section
        aria-label={m.post.engagement}
        className="sticky bottom-0 z-20 -mx-4 mt-14 flex items-center justify-between border-y border-hairline bg-paper px-2 pb-[env(safe-area-inset-bottom)] sm:static sm:mx-0 sm:justify-start sm:gap-2 sm:px-0"
      >
        <LikeButton
          target={{ kind: 'post', id: post.id }}
          known={likes}
          onPressed={likes.setLike}
          className={`${ACTION_CLASS} sm:-ml-4`}
        />
        <button
          type="button"
          aria-expanded={open}
          aria-controls={sectionId}
          aria-label={m.post.comments.count(comments.count)}
          onClick={() => setOpen(!open)}
          className={ACTION_CLASS}
        >
          <MessageSquare aria-hidden="true" className="size-[1.15em]" />
          <span className="tabular-nums">{comments.count}</span>
        </button>
        <ShareMenu title={post.title} className={`${ACTION_CLASS} sm:ml-auto sm:-mr-4`} />
      </section>
      <section id={sectionId} hidden={!open} className="pt-10">
        {open && <Comments postId={post.id} postOwnerId={post.userId} list={comments} />}
      </section>
    </>
  );
}

import { MessageSquare } from 'lucide-react';
import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useLocation } from 'react-router';
import { useLanguage } from '../../language/language-provider.tsx';
import { Comments } from '../comments/comments.tsx';
import { useComments } from '../comments/use-comments.ts';
import { LikeButton } from '../likes/like-button.tsx';
import { usePostLikes } from '../likes/use-post-likes.ts';
import type { PostPage } from '../load-post.ts';
import { readingPath } from '../post-address.ts';
import { COMMENTS_ID, ENGAGEMENT_ID, OPEN_COMMENTS } from '../post-paths.ts';
import type { ServedPost } from '../served-post.ts';
import { ShareMenu } from '../share/share-menu.tsx';
import { useLivePost } from './use-live-post.ts';

const ACTION_CLASS =
  'inline-flex min-h-12 min-w-[min(3.5rem,15vw)] items-center justify-center gap-2.5 rounded-xs px-[min(1rem,4.5vw)] text-[0.9375rem] font-medium text-ink transition-colors hover:text-accent aria-expanded:text-accent';

/**
 * Milliseconds that comments wait for the page to join the channel of its post: those that load before are requested
 * again, because changes may have been missed.
 */
const JOIN_WAIT_MS = 2_000;

interface EngagementProps {
  post: PostPage;
  served: ServedPost;
  /** Fetches the post again after it changed. Rejects when that fails. */
  reload(): Promise<void>;
}

/** Renders the bar for likes, comments and sharing, which sticks to the bottom of a phone's screen. */
export function Engagement({ post, served, reload }: EngagementProps) {
  const { m, language } = useLanguage();
  const [open, setOpen] = useState(served.opened !== null);
  const heading = useRef<HTMLHeadingElement>(null);
  const likes = usePostLikes(post.id, { count: post.likes, liked: served.liked });
  const isLate = useLate(JOIN_WAIT_MS);
  const [isJoined, setJoined] = useState(false);
  const comments = useComments(post.id, {
    count: post.comments,
    isOpen: open && (isJoined || isLate),
    opened: served.opened,
  });
  useLivePost(post, { likes, comments, reload, onJoined: () => setJoined(true) });

  const show = () => {
    // Rendered at once, so that the heading is there to scroll to: on a phone the comments begin far below the bar.
    flushSync(() => setOpen(true));
    heading.current?.scrollIntoView({ block: 'start' });
    heading.current?.focus({ preventScroll: true });
  };
  const showOnArrival = useEffectEvent(() => {
    // After the effect, because it renders.
    if (hash === `#${COMMENTS_ID}`) setTimeout(show);
  });
  const { hash, key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each press of a link to the comments has its own key
  useEffect(() => showOnArrival(), [key]);

  const toggle = (event: FormEvent) => {
    event.preventDefault();
    if (open) setOpen(false);
    else show();
  };

  return (
    <>
      <span id={ENGAGEMENT_ID} className="scroll-mt-[50vh]" />
      <section
        aria-label={m.post.engagement}
        className="sticky bottom-0 z-20 -mx-4 mt-14 flex items-center justify-between border-y border-hairline bg-paper px-2 pb-[env(safe-area-inset-bottom)] print:hidden sm:static sm:mx-0 sm:justify-start sm:gap-2 sm:px-0"
      >
        <LikeButton
          target={{ kind: 'post', id: post.id }}
          label={m.post.like.add}
          known={likes}
          onPressed={likes.setLike}
          className={`${ACTION_CLASS} sm:-ml-4`}
        />
        <form action={`#${COMMENTS_ID}`} onSubmit={toggle} className="contents">
          {!open && <input type="hidden" {...OPEN_COMMENTS} />}
          <button
            type="submit"
            aria-expanded={open}
            aria-controls={COMMENTS_ID}
            aria-label={m.post.comments.count(comments.count)}
            className={ACTION_CLASS}
          >
            <MessageSquare aria-hidden="true" className="size-[1.15em] shrink-0" />
            <span className="tabular-nums">{comments.count}</span>
          </button>
        </form>
        <ShareMenu
          title={post.title}
          path={readingPath(post, language)}
          className={`${ACTION_CLASS} sm:ml-auto sm:-mr-4`}
        />
      </section>
      <section id={COMMENTS_ID} hidden={!open} className="pt-10 print:hidden">
        {open && <Comments post={post} list={comments} served={served} heading={heading} />}
      </section>
    </>
  );
}

/** Tells whether the component has been on the page for that long. */
function useLate(ms: number): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return isLate;
}

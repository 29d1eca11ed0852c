import { Heart } from 'lucide-react';
import { useAuth, useClient } from '../../client/client-context.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { toast } from '../../ui/toasts.tsx';
import type { LikeTarget } from './like.ts';
import { type UseLikeOptions, useLike } from './use-like.ts';

export interface LikeButtonProps extends UseLikeOptions {
  target: LikeTarget;
  /** What a press does, for screen readers; it names the author where there are several buttons. */
  label: string;
  className: string;
}

/** Renders a heart with the number of likes. Asks visitors to sign in. */
export function LikeButton({ target, label, className, ...options }: LikeButtonProps) {
  const { m } = useLanguage();
  const { auth } = useClient();
  const { user, isLoading } = useAuth();
  const { count, liked, toggle } = useLike(target, options);

  const press = () => {
    if (user) {
      toggle(user.id).catch(() => toast.error(m.post.like.failed));
    } else if (!isLoading) {
      toast.info(target.kind === 'post' ? m.post.like.signInFirst : m.post.like.signInFirstForComment, {
        action: { label: m.post.comments.signIn, onClick: () => auth.login() },
      });
    }
  };

  return (
    <button
      type="button"
      aria-pressed={liked ?? false}
      aria-label={`${label}, ${m.post.like.count(count)}`}
      onClick={press}
      className={`group ${className}`}
    >
      <Heart
        aria-hidden="true"
        className="size-[1.15em] transition-transform duration-200 group-active:scale-90 group-aria-pressed:fill-accent group-aria-pressed:text-accent motion-reduce:transition-none"
      />
      <span className="tabular-nums">{count}</span>
    </button>
  );
}

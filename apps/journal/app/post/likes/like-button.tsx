import { Heart } from 'lucide-react';
import { type FormEvent, useEffect, useEffectEvent, useRef } from 'react';
import { useAuth, useClient } from '../../client/client-context.tsx';
import { describeTooMany } from '../../client/too-many.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import { noticeText } from '../../language/notice-text.tsx';
import { toast } from '../../ui/toasts.tsx';
import type { LikeTarget } from './like.ts';
import { type UseLikeOptions, useLike } from './use-like.ts';
import { forgetLike, isLikeWanted, likeName, wantLike } from './wanted-likes.ts';

interface LikeButtonProps extends UseLikeOptions {
  target: LikeTarget;
  /** Tells screen readers what a press does; it names the author where there are several buttons. */
  label: string;
  className: string;
}

/**
 * Renders a heart with the number of likes. Asks visitors to sign in, and gives the like once they have, whichever way they
 * took. It is a form that names the wanted state, so that it works without JavaScript too.
 */
export function LikeButton({ target, label, className, ...options }: LikeButtonProps) {
  const { m } = useLanguage();
  const { auth } = useClient();
  const { user, isLoading } = useAuth();
  const { count, liked, toggle } = useLike(target, options);
  const form = useRef<HTMLFormElement>(null);

  const press = (wanted?: boolean) => {
    if (user) {
      toggle(user.id, wanted).catch((error) =>
        toast.error(
          noticeText(({ m }) => m.post.like.failed),
          { description: noticeText((reader) => describeTooMany(error, reader)) },
        ),
      );
    } else if (!isLoading) {
      wantLike(target);
      const question = target.kind === 'post' ? 'signInFirst' : 'signInFirstForComment';
      toast.info(
        noticeText(({ m }) => m.post.like[question]),
        { action: { label: noticeText(({ m }) => m.post.comments.signIn), onClick: () => auth.login() } },
      );
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    press();
  };

  const giveWanted = useEffectEvent(() => {
    const isHeld = form.current?.dataset.held !== undefined;
    delete form.current?.dataset.held;
    // A visitor who has not signed in is not asked again, except for a like that was pressed on this page.
    if (!isLikeWanted(target) || !(user || isHeld)) return;
    forgetLike(target);
    press(true);
  });
  const readerId = isLoading ? undefined : (user?.id ?? null);
  useEffect(() => {
    if (readerId !== undefined) giveWanted();
  }, [readerId]);

  return (
    <form ref={form} method="post" data-like={likeName(target)} onSubmit={submit} className="group contents">
      <input type="hidden" name="intent" value="like" />
      <input type="hidden" name={target.kind} value={target.id} />
      <button
        type="submit"
        name="like"
        value={liked ? '0' : '1'}
        aria-pressed={liked ?? false}
        aria-label={`${label}, ${m.post.like.count(count)}`}
        className={`group ${className}`}
      >
        <Heart
          aria-hidden="true"
          className="size-[1.15em] shrink-0 transition-transform duration-200 group-active:scale-90 group-aria-pressed:fill-accent group-aria-pressed:text-accent group-data-held:fill-accent group-data-held:text-accent motion-reduce:transition-none"
        />
        <span className="tabular-nums">{count}</span>
      </button>
    </form>
  );
}

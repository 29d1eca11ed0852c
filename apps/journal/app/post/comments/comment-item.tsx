import { Trash2 } from 'lucide-react';
import { useLayoutEffect, useRef } from 'react';
import { useAuth } from '../../client/client-context.tsx';
import type { DisplayedComment } from '../../entities.ts';
import { Portrait } from '../../images/portrait.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { LongDate } from '../../language/long-date.tsx';
import { LinkedText } from '../../ui/linked-text.tsx';
import { LikeButton } from '../likes/like-button.tsx';
import type { LikeState } from '../likes/use-like.ts';
import { isAnonymous } from './load-comments.ts';

export interface CommentItemProps {
  comment: DisplayedComment;
  postOwnerId: string;
  onDelete(comment: DisplayedComment): void;
  onLiked(id: string, like: LikeState): void;
  /** Called before the item is removed while it contains the focus. */
  onFocusLost(item: HTMLElement): void;
}

/** Renders a comment. Its author and the post's owner can delete it. */
export function CommentItem({ comment, postOwnerId, onDelete, onLiked, onFocusLost }: CommentItemProps) {
  const { m } = useLanguage();
  const { user } = useAuth();
  const { id, userId, userName, photoUrl, createdAt, content, likes, hasLiked } = comment;
  const author = isAnonymous(comment) ? m.post.comments.anonymous : userName;
  const canDelete = user && (user.id === userId || user.id === postOwnerId);
  const item = useRef<HTMLLIElement>(null);
  useLayoutEffect(() => {
    const element = item.current;
    return () => {
      if (element?.contains(document.activeElement)) onFocusLost(element);
    };
  }, [onFocusLost]);
  return (
    <li
      ref={item}
      tabIndex={-1}
      className="grid gap-1.5 border-t border-hairline py-5 outline-none first:border-t-0"
    >
      <div className="flex items-center gap-x-3">
        <Portrait photoUrl={photoUrl} name={isAnonymous(comment) ? '' : author} />
        <div className="flex min-w-0 flex-wrap items-baseline gap-x-3">
          <bdi className="min-w-0 font-medium [overflow-wrap:anywhere]">{author}</bdi>
          <LongDate time={createdAt} className="text-sm text-muted" />
        </div>
      </div>
      <p dir="auto" className="leading-relaxed hyphens-auto whitespace-pre-line [overflow-wrap:anywhere]">
        <LinkedText>{content}</LinkedText>
      </p>
      <div className="-ml-2.5 flex items-center gap-1">
        <LikeButton
          target={{ kind: 'comment', id }}
          label={m.post.like.addToComment(author)}
          known={{ count: likes, liked: hasLiked }}
          onPressed={(like) => onLiked(id, like)}
          className={SMALL_ACTION_CLASS}
        />
        {canDelete && (
          <button
            type="button"
            aria-label={m.post.comments.delete(author)}
            onClick={() => onDelete(comment)}
            className={SMALL_ACTION_CLASS}
          >
            <Trash2 aria-hidden="true" className="size-4" />
          </button>
        )}
      </div>
    </li>
  );
}

const SMALL_ACTION_CLASS =
  'inline-flex min-h-10 min-w-10 items-center justify-center gap-2 rounded-xs px-2.5 text-sm text-muted transition-colors hover:text-accent';

import { can } from '@fabrica/contract';
import { Trash2 } from 'lucide-react';
import { memo, Suspense, useLayoutEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import type { DisplayedComment } from '../../../project/entities.ts';
import { roles } from '../../../project/roles.ts';
import { usePageAuth } from '../../client/client-context.tsx';
import { Portrait } from '../../images/portrait.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { LongDate } from '../../language/long-date.tsx';
import { Button } from '../../ui/button.tsx';
import { buttonClass } from '../../ui/button-class.ts';
import { loadLater } from '../../ui/load-later.ts';
import { PlainText } from '../../ui/plain-text.tsx';
import { LikeButton } from '../likes/like-button.tsx';
import type { LikeState } from '../likes/use-like.ts';
import { commentsPath } from '../post-paths.ts';
import { AuthorMark, type PostAuthors } from './author-mark.tsx';
import { isAnonymous } from './load-comments.ts';

/** A journal without a model needs none of this code. */
const CommentTranslation = loadLater(
  async () => (await import('../translation/comment-translation.tsx')).CommentTranslation,
);

interface CommentItemProps {
  comment: DisplayedComment;
  postOwnerId: string;
  authors: PostAuthors;
  /** Whether there is a model that translates comments. */
  isTranslatable: boolean;
  /** Whether the reader, who has no script, is asked whether to delete the comment. */
  isDeletionAsked: boolean;
  onDelete(comment: DisplayedComment): void;
  onLiked(id: string, like: LikeState): void;
  /** Called before the item is removed while it contains the focus. */
  onFocusLost(item: HTMLElement): void;
}

/**
 * Renders a comment. Its author, the post's owner and moderators can delete it. It renders again only when its own comment changed: a
 * phone takes long for all comments of a list. Those of the first page have their own heights at once: by heights that are
 * guessed, a page moves right after a jump to its end, and a press there meets nothing.
 */
export const CommentItem = memo(function CommentItem({
  comment,
  postOwnerId,
  authors,
  isTranslatable,
  isDeletionAsked,
  onDelete,
  onLiked,
  onFocusLost,
}: CommentItemProps) {
  const { m } = useLanguage();
  const { user } = usePageAuth();
  const { id, userId, userName, photoUrl, createdAt, content, likes, hasLiked } = comment;
  const author = isAnonymous(comment) ? m.post.comments.anonymous : userName;
  const isOwn = user?.id === userId || user?.id === postOwnerId;
  const canDelete = user && (isOwn || can(roles, user.role, 'comments.moderate'));
  const item = useRef<HTMLLIElement>(null);
  const [written, setWritten] = useState<string>();
  useLayoutEffect(() => {
    const element = item.current;
    return () => {
      if (element?.contains(document.activeElement)) onFocusLost(element);
    };
  }, [onFocusLost]);
  return (
    <li
      ref={item}
      id={id}
      tabIndex={-1}
      className="grid gap-1.5 border-t border-hairline py-5 outline-none [contain-intrinsic-size:auto_8.5rem] nth-[n+21]:[content-visibility:auto] first:border-t-0"
    >
      <div className="flex items-center gap-x-3">
        <Portrait photoUrl={photoUrl} name={isAnonymous(comment) ? '' : author} />
        <div className="flex min-w-0 flex-wrap items-baseline gap-x-3">
          <bdi className="min-w-0 font-medium [overflow-wrap:anywhere]">{author}</bdi>
          <AuthorMark commenter={comment} authors={authors} />
          <LongDate time={createdAt} className="text-sm text-muted" />
        </div>
      </div>
      <div
        lang={written}
        dir="auto"
        className="plain-text leading-relaxed hyphens-auto [overflow-wrap:anywhere]"
      >
        <PlainText text={content} />
      </div>
      <div className="-ml-2.5 flex flex-wrap items-center gap-1">
        <LikeButton
          target={{ kind: 'comment', id }}
          label={m.post.like.addToComment(author)}
          known={{ count: likes, liked: hasLiked }}
          onPressed={(like) => onLiked(id, like)}
          className={SMALL_ACTION_CLASS}
        />
        {canDelete && (
          <form
            method="post"
            action={`#${id}`}
            onSubmit={(event) => {
              event.preventDefault();
              onDelete(comment);
            }}
          >
            <DeletionFields id={id} />
            <button type="submit" aria-label={m.post.comments.delete(author)} className={SMALL_ACTION_CLASS}>
              <Trash2 aria-hidden="true" className="size-4" />
            </button>
          </form>
        )}
        <Suspense>
          {isTranslatable && (
            <CommentTranslation
              comment={comment}
              author={author}
              onLanguage={setWritten}
              className={SMALL_ACTION_CLASS}
            />
          )}
        </Suspense>
      </div>
      {canDelete && isDeletionAsked && <DeletionQuestion id={id} />}
    </li>
  );
});

function DeletionFields({ id }: { id: string }) {
  return (
    <>
      <input type="hidden" name="intent" value="delete-comment" />
      <input type="hidden" name="comment" value={id} />
    </>
  );
}

/** Asks a reader without JavaScript, in place of the dialog. */
function DeletionQuestion({ id }: { id: string }) {
  const { m } = useLanguage();
  const { pathname } = useLocation();
  return (
    <form method="post" className="flex flex-wrap items-center gap-3 border border-accent p-3.5">
      <p role="alert" className="mr-auto">
        {m.post.comments.deleteQuestion}
      </p>
      <DeletionFields id={id} />
      <input type="hidden" name="sure" value="yes" />
      <a href={commentsPath(pathname, id)} className={buttonClass({ variant: 'outline', size: 'small' })}>
        {m.post.delete.cancel}
      </a>
      <Button type="submit" variant="danger" size="small">
        {m.post.delete.confirm}
      </Button>
    </form>
  );
}

const SMALL_ACTION_CLASS =
  'inline-flex min-h-11 min-w-11 items-center justify-center gap-2 rounded-xs px-2.5 text-sm text-muted transition-colors hover:text-accent';

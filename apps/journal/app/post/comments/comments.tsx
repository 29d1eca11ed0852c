import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { toast } from 'sonner';
import { useClient } from '../../client/client-context.tsx';
import type { DisplayedComment, PostComment } from '../../entities.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import { usePaused } from '../../live/use-paused.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { CommentForm } from './comment-form.tsx';
import { CommentItem } from './comment-item.tsx';
import type { CommentList } from './use-comments.ts';

export interface CommentsProps {
  postId: string;
  postOwnerId: string;
  list: CommentList;
}

/** The comment section: the form, then the comments, newest first. */
export function Comments({ postId, postOwnerId, list }: CommentsProps) {
  const { m } = useLanguage();
  const [leaving, setLeaving] = useState<DisplayedComment | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const { items, goOn, showNew } = useFocusOnNext(list);
  const add = (comment: PostComment) => {
    list.add(comment);
    // The button that posted has nothing left to post and lets go of the focus; a field would open the phone's keyboard.
    const { activeElement } = document;
    if (activeElement === document.body || activeElement?.matches(':disabled'))
      heading.current?.focus({ preventScroll: true });
  };
  const passFocusOn = useCallback((item: HTMLElement) => {
    const next = item.nextElementSibling ?? item.previousElementSibling ?? heading.current;
    if (next instanceof HTMLElement) next.focus({ preventScroll: true });
  }, []);
  return (
    <>
      <div className="flex min-h-9 items-center justify-between gap-x-4">
        <h2 ref={heading} tabIndex={-1} className="font-serif text-2xl tracking-[-0.012em] outline-none">
          {m.post.comments.title}
        </h2>
        <Waiting count={list.waiting.length} onShow={showNew} />
      </div>
      <div className="mt-5">
        <CommentForm postId={postId} onPosted={add} />
      </div>
      <ul ref={items} className="mt-6">
        {list.comments.map((comment) => (
          <CommentItem
            key={comment.id}
            comment={comment}
            postOwnerId={postOwnerId}
            onDelete={setLeaving}
            onLiked={list.setLike}
            onFocusLost={passFocusOn}
          />
        ))}
      </ul>
      <ListState list={list} onMore={goOn} />
      <Paused />
      <DeleteComment
        comment={leaving}
        fallback={heading}
        onClose={() => setLeaving(null)}
        onDeleted={list.remove}
      />
    </>
  );
}

/**
 * New comments wait beside the heading, where room is kept for them: put into the list by themselves they would push
 * down what somebody reads. Screen readers are told once, not with each one.
 */
function Waiting({ count, onShow }: { count: number; onShow(): void }) {
  const { m } = useLanguage();
  return (
    <>
      <p role="status" className="sr-only">
        {count > 0 && m.post.comments.newOnes}
      </p>
      {count > 0 && (
        <Button variant="outline" size="small" onClick={onShow} className="whitespace-nowrap">
          <span aria-hidden="true" className="sm:hidden">
            {m.post.comments.showNewShort(count)}
          </span>
          <span className="max-sm:sr-only">{m.post.comments.showNew(count)}</span>
        </Button>
      )}
    </>
  );
}

/** Below everything, where it moves nothing. */
function Paused() {
  const { m } = useLanguage();
  const isPaused = usePaused();
  return (
    <p role="status" className="text-sm text-muted">
      {isPaused && m.post.comments.paused}
    </p>
  );
}

/** Comments take the place of the button that asked for them, older or new: the focus goes to the first of them. */
function useFocusOnNext({ status, comments, waiting, load, showWaiting }: CommentList) {
  const items = useRef<HTMLUListElement>(null);
  /** The place of the first older one, or the id of the first new one. */
  const next = useRef<number | string>(null);
  useEffect(() => {
    if (status === 'failed') next.current = null;
    const first = next.current;
    if (first === null) return;
    const place = typeof first === 'number' ? first : comments.findIndex(({ id }) => id === first);
    const item = items.current?.children.item(place);
    if (!(item instanceof HTMLElement)) return;
    next.current = null;
    item.focus({ preventScroll: typeof first === 'number' });
  }, [status, comments]);
  const goOn = () => {
    next.current = comments.length;
    load();
  };
  const showNew = () => {
    next.current = waiting[0]?.id ?? null;
    showWaiting();
  };
  return { items, goOn, showNew };
}

/** What stands below the comments: the wait, the failure, the way to older ones, or that there are none. */
function ListState({
  list: { status, comments, hasMore, load },
  onMore,
}: {
  list: CommentList;
  onMore: () => void;
}) {
  const { m } = useLanguage();
  const texts = m.post.comments;
  if (status === 'loading') {
    return (
      <div role="status" className="grid gap-3 py-4">
        <p className="sr-only">{texts.loading}</p>
        <Skeleton className="h-4 w-40" />
        <Skeleton className="h-4 w-full" />
      </div>
    );
  }
  if (status === 'failed') {
    return (
      <div role="alert" className="flex flex-wrap items-center gap-4 py-4">
        <p className="text-muted">{texts.loadFailed}</p>
        <Button variant="outline" size="small" onClick={load}>
          {texts.tryAgain}
        </Button>
      </div>
    );
  }
  if (comments.length === 0) return <p className="py-4 text-muted">{texts.empty}</p>;
  if (!hasMore) return null;
  return (
    <Button variant="outline" className="mt-2" onClick={onMore}>
      {texts.more}
    </Button>
  );
}

interface DeleteCommentProps {
  comment: DisplayedComment | null;
  /** Has the focus when the comment is gone. */
  fallback: RefObject<HTMLElement | null>;
  onClose(): void;
  onDeleted(id: string): void;
}

function DeleteComment({ comment, fallback, onClose, onDeleted }: DeleteCommentProps) {
  const { m } = useLanguage();
  const client = useClient();
  const [deleting, setDeleting] = useState(false);
  const busy = useRef(false);
  const remove = async ({ id }: DisplayedComment) => {
    if (busy.current) return;
    busy.current = true;
    setDeleting(true);
    try {
      await client.db.table<PostComment>('postComments').delete(id);
      onDeleted(id);
      onClose();
      toast.success(m.post.comments.deleted);
    } catch {
      toast.error(m.post.comments.deleteFailed);
    } finally {
      busy.current = false;
      setDeleting(false);
    }
  };
  return (
    <Dialog
      open={comment !== null}
      onOpenChange={(open) => open || deleting || onClose()}
      title={m.post.comments.deleteQuestion}
      description={shorten(comment?.content ?? '')}
      role="alertdialog"
      fallback={fallback}
    >
      <Button variant="outline" disabled={deleting} onClick={onClose}>
        {m.post.delete.cancel}
      </Button>
      <Button variant="danger" busy={deleting} onClick={() => comment && remove(comment)}>
        {deleting ? m.post.delete.deleting : m.post.delete.confirm}
      </Button>
    </Dialog>
  );
}

function shorten(text: string): string {
  return text.length > 140 ? `${text.slice(0, 139).trimEnd()}…` : text;
}

import { useRef, useState } from 'react';
import { toast } from 'sonner';
import { useClient } from '../client/client-context.tsx';
import type { DisplayedComment, PostComment } from '../entities.ts';
import { useLanguage } from '../language/language-provider.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { CommentForm } from './comment-form.tsx';
import { CommentItem } from './comment-item.tsx';
import { type CommentList, useComments } from './use-comments.ts';

export interface CommentsProps {
  postId: string;
  postOwnerId: string;
  onCount(change: (count: number) => number): void;
}

/** The comment section: the form, then the comments, newest first. */
export function Comments({ postId, postOwnerId, onCount }: CommentsProps) {
  const { m } = useLanguage();
  const list = useComments(postId, onCount);
  const [leaving, setLeaving] = useState<DisplayedComment | null>(null);
  return (
    <>
      <h2 className="font-serif text-2xl tracking-[-0.012em]">{m.post.comments.title}</h2>
      <div className="mt-5">
        <CommentForm postId={postId} onPosted={list.add} />
      </div>
      <ul className="mt-6">
        {list.comments.map((comment) => (
          <CommentItem key={comment.id} comment={comment} postOwnerId={postOwnerId} onDelete={setLeaving} />
        ))}
      </ul>
      <ListState list={list} />
      <DeleteComment comment={leaving} onClose={() => setLeaving(null)} onDeleted={list.remove} />
    </>
  );
}

/** What stands below the comments: the wait, the failure, the way to older ones, or that there are none. */
function ListState({ list: { status, comments, hasMore, load } }: { list: CommentList }) {
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
    <Button variant="outline" className="mt-2" onClick={load}>
      {texts.more}
    </Button>
  );
}

interface DeleteCommentProps {
  comment: DisplayedComment | null;
  onClose(): void;
  onDeleted(id: string): void;
}

function DeleteComment({ comment, onClose, onDeleted }: DeleteCommentProps) {
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

import type { RefObject } from 'react';
import type { DisplayedComment, PostComment } from '../../../project/entities.ts';
import { useClient } from '../../client/client-context.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { noticeText } from '../../language/notice-text.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toasts.tsx';
import { useBusy } from '../../ui/use-busy.ts';

interface DeleteCommentProps {
  comment: DisplayedComment;
  /** Receives the focus when the comment is deleted. */
  fallback: RefObject<HTMLElement | null>;
  onClose(): void;
  onDeleted(id: string): void;
}

/** Asks whether a comment is to be deleted. */
export function DeleteComment({ comment, fallback, onClose, onDeleted }: DeleteCommentProps) {
  const { m } = useLanguage();
  const client = useClient();
  const { busy, run } = useBusy<'delete'>(() =>
    toast.error(noticeText(({ m }) => m.post.comments.deleteFailed)),
  );
  const deleting = busy !== undefined;
  const remove = ({ id }: DisplayedComment) =>
    run('delete', async () => {
      await client.db.table<PostComment>('postComments').delete(id);
      onDeleted(id);
      onClose();
      toast.success(noticeText(({ m }) => m.post.comments.deleted));
    });
  return (
    <Dialog
      open
      onOpenChange={(open) => open || deleting || onClose()}
      title={m.post.comments.deleteQuestion}
      description={shorten(comment.content)}
      role="alertdialog"
      fallback={fallback}
    >
      <Button variant="outline" disabled={deleting} onClick={onClose}>
        {m.post.delete.cancel}
      </Button>
      <Button variant="danger" busy={deleting} onClick={() => void remove(comment)}>
        {deleting ? m.post.delete.deleting : m.post.delete.confirm}
      </Button>
    </Dialog>
  );
}

function shorten(text: string): string {
  return text.length > 140 ? `${text.slice(0, 139).trimEnd()}…` : text;
}

import type { RefObject } from 'react';
import type { DisplayedComment } from '../../../project/entities.ts';
import { shorten } from '../../../project/shorten.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import { noticeText } from '../../language/notice-text.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { toast } from '../../ui/toasts.tsx';
import { useActionForm } from '../../ui/use-action-form.ts';
import type { PostFormResult } from '../post-action.ts';

/** Characters of the comment that the question shows. */
const MAX_SHOWN = 140;

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
  const { busy, send } = useActionForm<PostFormResult>(undefined, ({ kind }) => {
    if (kind !== 'deleted') return toast.error(noticeText(({ m }) => m.post.comments.deleteFailed));
    onDeleted(comment.id);
    onClose();
    toast.success(noticeText(({ m }) => m.post.comments.deleted));
  });
  const deleting = busy !== undefined;
  return (
    <ConfirmDialog
      open
      title={m.post.comments.deleteQuestion}
      description={shorten(comment.content, MAX_SHOWN)}
      fallback={fallback}
      cancel={m.post.delete.cancel}
      confirm={deleting ? m.post.delete.deleting : m.post.delete.confirm}
      busy={deleting}
      onConfirm={() => send({ intent: 'delete-comment', comment: comment.id, sure: 'yes' })}
      onCancel={onClose}
    />
  );
}

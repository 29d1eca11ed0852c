import { Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import type { JournalPost } from '../../../project/entities.ts';
import { useClient } from '../../client/client-context.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { noticeText } from '../../language/notice-text.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toasts.tsx';

/** Renders the owner's button that deletes a post, after a confirmation. */
export function DeletePost({ postId }: { postId: string }) {
  const { m } = useLanguage();
  const client = useClient();
  const navigate = useNavigate();
  const [open, setOpen] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const busy = useRef(false);
  const texts = m.post.delete;

  const remove = async () => {
    if (busy.current) return;
    busy.current = true;
    setDeleting(true);
    try {
      await client.db.table<JournalPost>('journalPosts').delete(postId);
    } catch {
      toast.error(noticeText(({ m }) => m.post.delete.failed));
      return;
    } finally {
      busy.current = false;
      setDeleting(false);
    }
    setOpen(false);
    toast.success(noticeText(({ m }) => m.post.delete.succeeded));
    await navigate('/gallery');
  };

  return (
    <>
      <Button variant="quiet" size="small" className="-mx-3" onClick={() => setOpen(true)}>
        <Trash2 aria-hidden="true" className="size-4" />
        {texts.open}
      </Button>
      <Dialog
        open={open}
        onOpenChange={(next) => deleting || setOpen(next)}
        title={texts.title}
        description={`${texts.question} ${texts.consequence}`}
        role="alertdialog"
      >
        <Button variant="outline" disabled={deleting} onClick={() => setOpen(false)}>
          {texts.cancel}
        </Button>
        <Button variant="danger" busy={deleting} onClick={remove}>
          {deleting ? texts.deleting : texts.confirm}
        </Button>
      </Dialog>
    </>
  );
}

import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { JournalPost } from '../../../project/entities.ts';
import { useClient } from '../../client/client-context.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { noticeText } from '../../language/notice-text.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { toast } from '../../ui/toasts.tsx';
import { useBusy } from '../../ui/use-busy.ts';

/** Renders the owner's button that deletes a post, after a confirmation. */
export function DeletePost({ postId }: { postId: string }) {
  const { m } = useLanguage();
  const client = useClient();
  const navigate = useNavigate();
  const [open, setOpen] = useState(false);
  const { busy, run } = useBusy<'delete'>(() => toast.error(noticeText(({ m }) => m.post.delete.failed)));
  const deleting = busy !== undefined;
  const texts = m.post.delete;

  const remove = () =>
    run('delete', async () => {
      await client.db.table<JournalPost>('journalPosts').delete(postId);
      setOpen(false);
      toast.success(noticeText(({ m }) => m.post.delete.succeeded));
      void navigate('/gallery');
    });

  return (
    <>
      <Button variant="quiet" size="small" className="-mx-3" onClick={() => setOpen(true)}>
        <Trash2 aria-hidden="true" className="size-4" />
        {texts.open}
      </Button>
      <ConfirmDialog
        open={open}
        title={texts.title}
        description={`${texts.question} ${texts.consequence}`}
        cancel={texts.cancel}
        confirm={deleting ? texts.deleting : texts.confirm}
        busy={deleting}
        onConfirm={() => void remove()}
        onCancel={() => setOpen(false)}
      />
    </>
  );
}

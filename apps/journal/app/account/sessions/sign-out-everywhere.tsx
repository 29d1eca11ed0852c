import { useState } from 'react';
import { useAuth, useClient } from '../../client/client-context.tsx';
import { hasLocalTexts, removeLocalTexts } from '../../client/local-texts.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import { noticeText } from '../../language/notice-text.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { notify } from '../../ui/toasts.tsx';
import { useAccountCalls } from '../account-session.ts';
import { TaskMessage } from '../task/task-message.tsx';
import { useTask } from '../task/use-task.ts';

/** Ends all sessions of the account, with this one, after a confirmation. */
export function SignOutEverywhere() {
  const { m } = useLanguage();
  const texts = m.account.sessions.everywhere;
  const { auth } = useClient();
  const { user } = useAuth();
  const [hasDraft, setHasDraft] = useState(false);
  const { trackSignOut } = useAccountCalls();
  const [open, setOpen] = useState(false);
  const task = useTask();

  const ask = async () => {
    setHasDraft(user !== null && (await hasLocalTexts(user.id)));
    setOpen(true);
  };
  const signOut = async () => {
    const done = await task.run(async () => {
      await trackSignOut(() => auth.signOutEverywhere());
      if (user) await removeLocalTexts(user.id);
      return undefined;
    });
    if (done) notify({ title: noticeText(({ m }) => m.account.sessions.everywhere.done) });
  };

  return (
    <>
      <Button variant="outline" className="justify-self-start" onClick={() => void ask()}>
        {texts.open}
      </Button>
      <Dialog
        open={open}
        onOpenChange={(next) => task.busy || setOpen(next)}
        title={texts.title}
        description={hasDraft ? `${texts.question} ${texts.removesDraft}` : texts.question}
        role="alertdialog"
      >
        <div className="w-full">
          <TaskMessage result={task.result} />
        </div>
        <Button variant="outline" disabled={task.busy} onClick={() => setOpen(false)}>
          {m.account.cancel}
        </Button>
        <Button variant="danger" busy={task.busy} onClick={() => void signOut()}>
          {task.busy ? texts.busy : texts.confirm}
        </Button>
      </Dialog>
    </>
  );
}

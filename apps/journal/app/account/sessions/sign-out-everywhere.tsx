import { useState } from 'react';
import { useClient } from '../../client/client-context.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { notify } from '../../ui/notify.ts';
import { useAccountCalls } from '../account-session.ts';
import { TaskOutcome } from '../task/task-outcome.tsx';
import { useTask } from '../task/use-task.ts';

/** Ends every session, this one too, after a question. */
export function SignOutEverywhere() {
  const { m } = useLanguage();
  const texts = m.account.sessions.everywhere;
  const { auth } = useClient();
  const { leave } = useAccountCalls();
  const [open, setOpen] = useState(false);
  const task = useTask();

  const signOut = async () => {
    const done = await task.run(async () => {
      await leave(() => auth.signOutEverywhere());
      return undefined;
    });
    if (done) notify({ title: texts.done });
  };

  return (
    <>
      <Button variant="outline" className="justify-self-start" onClick={() => setOpen(true)}>
        {texts.open}
      </Button>
      <Dialog
        open={open}
        onOpenChange={(next) => task.busy || setOpen(next)}
        title={texts.title}
        description={texts.question}
        role="alertdialog"
      >
        <div className="w-full">
          <TaskOutcome outcome={task.outcome} />
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

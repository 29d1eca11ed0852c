import type { User } from '@fabrica/contract';
import { type FormEvent, useState } from 'react';
import { useClient } from '../../client/client-context.tsx';
import { removeLocalTexts } from '../../client/local-texts.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import { noticeText } from '../../language/notice-text.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { notify } from '../../ui/toasts.tsx';
import { useAccountCalls } from '../account-session.ts';
import { ProofFields } from '../proof/proof-fields.tsx';
import { type ProofField, useProof } from '../proof/use-proof.ts';
import { TaskMessage } from '../task/task-message.tsx';
import { fieldError, useFocusInvalidField, useTask } from '../task/use-task.ts';

/** Deletes the account after the owner has confirmed it by typing the e-mail address. */
export function DeleteAccount({ user }: { user: User }) {
  const { m } = useLanguage();
  const texts = m.account.data.delete;
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  return (
    <div className="grid justify-items-start gap-3">
      <Button variant="outline" onClick={() => setOpen(true)}>
        {texts.open}
      </Button>
      <Dialog
        open={open}
        onOpenChange={(next) => busy || setOpen(next)}
        title={texts.title}
        description={texts.consequence}
        role="alertdialog"
      >
        <Confirmation user={user} onBusy={setBusy} onCancel={() => setOpen(false)} />
      </Dialog>
    </div>
  );
}

interface ConfirmationProps {
  user: User;
  onBusy(busy: boolean): void;
  onCancel(): void;
}

function Confirmation({ user, onBusy, onCancel }: ConfirmationProps) {
  const { m } = useLanguage();
  const texts = m.account.data.delete;
  const { auth } = useClient();
  const { trackSignOut } = useAccountCalls();
  const [typed, setTyped] = useState('');
  const proof = useProof();
  const task = useTask<'email' | ProofField>(proof.explain);
  const form = useFocusInvalidField(task.result);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (typed.trim().toLowerCase() !== user.email.toLowerCase()) {
      return task.fail({ field: 'email', text: ({ account }) => account.data.delete.emailWrong });
    }
    const given = proof.read();
    if (given.failure) return task.fail(given.failure);
    onBusy(true);
    const done = await task.run(async () => {
      await trackSignOut(() => auth.deleteAccount(given.proof));
      return undefined;
    });
    onBusy(false);
    if (!done) return;
    void removeLocalTexts(user.id);
    notify({
      title: noticeText(({ m }) => m.account.data.delete.done),
      description: noticeText(({ m }) => m.account.data.delete.doneDescription),
    });
  };

  return (
    <form
      ref={form}
      method="post"
      noValidate
      onSubmit={submit}
      className="grid w-full gap-5 [overflow-wrap:anywhere]"
    >
      <TextField
        label={texts.email(user.email)}
        error={fieldError(task, 'email', m)}
        name="email"
        type="email"
        inputMode="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={typed}
        readOnly={task.busy}
        onChange={(event) => setTyped(event.target.value)}
      />
      <ProofFields email={user.email} proof={proof} task={task} />
      <TaskMessage result={task.result} />
      <div className="flex flex-wrap justify-end gap-3">
        <Button variant="outline" disabled={task.busy} onClick={onCancel}>
          {m.account.cancel}
        </Button>
        <Button type="submit" variant="danger" busy={task.busy}>
          {task.busy ? texts.deleting : texts.confirm}
        </Button>
      </div>
    </form>
  );
}

import type { FreshProof, ProofKind, User } from '@fabrica/contract';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useLanguage } from '../../language/language-provider.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ProofFields } from '../proof/proof-fields.tsx';
import { type ProofField, useProof } from '../proof/use-proof.ts';
import { TaskMessage } from '../task/task-message.tsx';
import { type TaskFailure, useFocusInvalidField, useTask } from '../task/use-task.ts';

export interface ProvenDialogProps {
  open: boolean;
  onClose(): void;
  user: User;
  /** The kinds of proof that the owner can give. */
  proofs: readonly ProofKind[];
  title: string;
  description: string;
  role?: 'dialog' | 'alertdialog';
  /** The label of the button, and the one while it works. */
  confirm: string;
  busy: string;
  /** Makes the calls. An error stays in the dialog. */
  act(proof: FreshProof): Promise<void>;
  /** Returns what to say about an error that is special there. */
  explain?(error: unknown): TaskFailure | undefined;
  children?: ReactNode;
}

/** Asks the owner for a proof before a change, and makes it. */
export function ProvenDialog(props: ProvenDialogProps) {
  const { open, onClose, title, description, role = 'dialog' } = props;
  const [busy, setBusy] = useState(false);
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => next || busy || onClose()}
      title={title}
      description={description}
      role={role}
    >
      <ProvenForm {...props} onBusy={setBusy} />
    </Dialog>
  );
}

function ProvenForm(props: ProvenDialogProps & { onBusy(busy: boolean): void }) {
  const { m } = useLanguage();
  const { user, proofs, role, confirm, busy, act, explain, onBusy, onClose, children } = props;
  const proof = useProof(proofs);
  const task = useTask<ProofField>((error) => proof.explain(error) ?? explain?.(error));
  const form = useFocusInvalidField(task.result);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const given = proof.read();
    if (given.failure) return task.fail(given.failure);
    onBusy(true);
    await task.run(async () => {
      await act(given.proof ?? {});
      return undefined;
    });
    onBusy(false);
  };
  return (
    <form ref={form} method="post" noValidate onSubmit={submit} className="grid w-full gap-5">
      {children}
      <ProofFields email={user.email} proof={proof} task={task} />
      <TaskMessage result={task.result} />
      <div className="flex flex-wrap justify-end gap-3">
        <Button variant="outline" disabled={task.busy} onClick={onClose}>
          {m.account.cancel}
        </Button>
        <Button type="submit" variant={role === 'alertdialog' ? 'danger' : 'primary'} busy={task.busy}>
          {task.busy ? busy : confirm}
        </Button>
      </div>
    </form>
  );
}

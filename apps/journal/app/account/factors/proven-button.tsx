import type { ProofKind } from '@fabrica/contract';
import { useState } from 'react';
import { useLanguage } from '../../language/language-provider.tsx';
import { Button, type ButtonProps } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import type { AccountResult } from '../account-action.ts';
import { FormMessage } from '../form-message.tsx';
import { ProofFields } from '../proof/proof-fields.tsx';
import { useProvenForm } from '../proof/use-proven-form.ts';

interface ProvenQuestionProps {
  /** What the form is for, and the factor that it is about. */
  intent: string;
  factor?: string;
  /** The kinds of proof that the owner can give. */
  proofs: readonly ProofKind[];
  title: string;
  description: string;
  /** For what cannot be undone. */
  role?: 'alertdialog';
  /** The label of the button that makes the change, and the one while it works. */
  confirm: string;
  busy: string;
  /** Called when the change is made; the dialog is closed then. An error stays in it. */
  onDone(result: AccountResult): void;
}

/** Renders a button that asks the owner for a proof before a change, and makes it. */
export function ProvenButton({ button, ...question }: ProvenQuestionProps & { button: ButtonProps }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button {...button} onClick={() => setOpen(true)} />
      {open && <ProvenQuestion {...question} onClose={() => setOpen(false)} />}
    </>
  );
}

function ProvenQuestion({
  intent,
  factor,
  proofs,
  confirm,
  busy,
  onDone,
  onClose,
  ...question
}: ProvenQuestionProps & { onClose(): void }) {
  const { m } = useLanguage();
  const form = useProvenForm(proofs, (result) => {
    if (result.error) return;
    onClose();
    onDone(result);
  });
  const { Form, isBusy } = form;
  return (
    <Dialog open onOpenChange={() => isBusy || onClose()} {...question}>
      <Form {...form.props} className="grid w-full gap-5">
        <input type="hidden" name="intent" value={intent} />
        {factor && <input type="hidden" name="factor" value={factor} />}
        <ProofFields form={form} />
        <FormMessage result={form.result} />
        <div className="flex flex-wrap justify-end gap-3">
          <Button variant="outline" disabled={isBusy} onClick={onClose}>
            {m.account.cancel}
          </Button>
          <Button type="submit" variant={question.role ? 'danger' : 'primary'} busy={isBusy}>
            {isBusy ? busy : confirm}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

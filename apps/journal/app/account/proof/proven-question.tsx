import type { ProofKind } from '@fabrica/contract';
import { useLanguage } from '../../language/language-provider.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import type { AccountResult } from '../account-action.ts';
import { FormMessage } from '../form-message.tsx';
import { ProofFields } from './proof-fields.tsx';
import { useProvenForm } from './use-proven-form.ts';

export interface ProvenQuestionProps {
  /** What the form sends: what it is for, and what it is about. */
  fields: { intent: string } & Record<string, string>;
  /** The kinds of proof that the owner can give, where they are known before the server asks for one. */
  proofs?: readonly ProofKind[];
  title: string;
  description: string;
  /** For what cannot be undone. */
  role?: 'alertdialog';
  /** The label of the button that makes the change, and the one while it works. */
  confirm: string;
  busy: string;
  /** Called when the change is made; the dialog is closed then. An error stays in it. */
  onDone?(result: AccountResult): void;
  /** Writes the error in other words. */
  describe?(result: AccountResult): string | undefined;
  onClose(): void;
}

/** Asks whether a change is to be made, and the owner for a proof. */
export function ProvenQuestion({
  fields,
  proofs,
  confirm,
  busy,
  onDone,
  describe,
  onClose,
  ...question
}: ProvenQuestionProps) {
  const { m } = useLanguage();
  const form = useProvenForm(proofs, (result) => {
    if (result.error) return;
    onClose();
    onDone?.(result);
  });
  const { Form, isBusy, result } = form;
  const words = result?.error && describe?.(result);
  return (
    <Dialog open onOpenChange={() => isBusy || onClose()} {...question}>
      <Form {...form.props} className="grid w-full gap-5">
        {Object.entries(fields).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <ProofFields form={form} />
        <FormMessage result={words ? { ...result, error: () => words } : result} />
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

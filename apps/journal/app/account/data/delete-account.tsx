import { useState } from 'react';
import { useLanguage } from '../../language/language-provider.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { FormMessage } from '../form-message.tsx';
import { ProofFields } from '../proof/proof-fields.tsx';
import { useProvenForm } from '../proof/use-proven-form.ts';

/** Deletes the account after the owner has confirmed it by typing the e-mail address. */
export function DeleteAccount({ email }: { email: string }) {
  const { m } = useLanguage();
  const texts = m.account.data.delete;
  const [open, setOpen] = useState(false);
  return (
    <div className="grid justify-items-start gap-3">
      <Button variant="outline" onClick={() => setOpen(true)}>
        {texts.open}
      </Button>
      {open && <Confirmation email={email} onCancel={() => setOpen(false)} />}
    </div>
  );
}

function Confirmation({ email, onCancel }: { email: string; onCancel(): void }) {
  const { m } = useLanguage();
  const texts = m.account.data.delete;
  const form = useProvenForm();
  const { Form, isBusy, errorOf } = form;
  return (
    <Dialog
      open
      onOpenChange={() => isBusy || onCancel()}
      title={texts.title}
      description={texts.consequence}
      role="alertdialog"
    >
      <Form {...form.props} className="grid w-full gap-5 [overflow-wrap:anywhere]">
        <input type="hidden" name="intent" value="delete" />
        <TextField
          label={texts.email(email)}
          error={errorOf('email')}
          name="email"
          type="email"
          inputMode="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          readOnly={isBusy}
        />
        <ProofFields form={form} />
        <FormMessage result={form.result} />
        <div className="flex flex-wrap justify-end gap-3">
          <Button variant="outline" disabled={isBusy} onClick={onCancel}>
            {m.account.cancel}
          </Button>
          <Button type="submit" variant="danger" busy={isBusy}>
            {isBusy ? texts.deleting : texts.confirm}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

import { Download } from 'lucide-react';
import { useLanguage } from '../../language/language-provider.tsx';
import { Button } from '../../ui/button.tsx';
import { FormMessage } from '../form-message.tsx';
import { ProofFields } from '../proof/proof-fields.tsx';
import { useProvenForm } from '../proof/use-proven-form.ts';

/** Downloads all data of the account. Some time after signing in, the owner has to prove it once more. */
export function ExportData() {
  const { m } = useLanguage();
  const texts = m.account.data;
  const form = useProvenForm();
  const { Form, isBusy } = form;
  return (
    <Form {...form.props} className="grid justify-items-start gap-4">
      <input type="hidden" name="intent" value="export" />
      <ProofFields form={form} />
      <Button type="submit" variant="outline" busy={isBusy}>
        <Download aria-hidden="true" className="size-4 shrink-0" />
        {isBusy ? texts.exporting : texts.export}
      </Button>
      <FormMessage result={form.result} />
    </Form>
  );
}

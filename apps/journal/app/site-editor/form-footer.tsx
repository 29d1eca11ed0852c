import { Check, CircleAlert } from 'lucide-react';
import { SessionEnded } from '../layout/session-ended.tsx';
import { Button } from '../ui/button.tsx';
import type { SiteMessages } from './load-site-messages.ts';
import type { RowForm } from './use-row-form.ts';

interface FormFooterProps {
  form: Pick<RowForm<object>, 'saving' | 'outcome' | 'expired' | 'resume'>;
  texts: SiteMessages;
}

/** Shows the button that saves a form, and how the last try ended. */
export function FormFooter({ form, texts }: FormFooterProps) {
  const { outcome } = form;
  const saved = outcome?.kind === 'saved' ? outcome.text : '';
  if (form.expired) return <SessionEnded description={texts.sessionEnded} onReturn={form.resume} />;
  return (
    <div className="grid justify-items-start gap-3">
      {outcome?.text && !saved && (
        <p role="alert" className="flex items-start gap-1.5 text-[0.9375rem] text-accent">
          <CircleAlert aria-hidden="true" className="mt-1 size-4 shrink-0" />
          <span className="min-w-0 [overflow-wrap:anywhere]">{outcome.text}</span>
        </p>
      )}
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
        <Button type="submit" busy={form.saving}>
          {form.saving ? texts.saving : texts.save}
        </Button>
        <p role="status" className="flex items-start gap-1.5 text-[0.9375rem] text-success empty:sr-only">
          {saved && <Check aria-hidden="true" className="mt-1 size-4 shrink-0" />}
          {saved}
        </p>
      </div>
    </div>
  );
}

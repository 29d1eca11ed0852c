import { Check, CircleAlert } from 'lucide-react';
import { useLanguage } from '../language/language-provider.tsx';
import { useSendsMail } from '../site/site.ts';
import type { AccountResult } from './account-action.ts';

/** Shows the result of a form. An error of a field is left to that field. */
export function FormMessage({ result }: { result: AccountResult | undefined }) {
  const { m } = useLanguage();
  const sendsMail = useSendsMail();
  const { notice, error, field } = result ?? {};
  return (
    <>
      <p role="status" className="flex items-start gap-1.5 text-[0.9375rem] text-success empty:sr-only">
        {notice && (
          <>
            <Check aria-hidden="true" className="mt-1 size-4 shrink-0" />
            <span className="min-w-0 [overflow-wrap:anywhere]">{notice(m, sendsMail)}</span>
          </>
        )}
      </p>
      {error && field === undefined && (
        <p role="alert" className="flex items-start gap-1.5 text-[0.9375rem] text-accent">
          <CircleAlert aria-hidden="true" className="mt-1 size-4 shrink-0" />
          <span className="min-w-0">{error(m, sendsMail)}</span>
        </p>
      )}
    </>
  );
}

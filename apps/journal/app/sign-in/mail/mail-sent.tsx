import type { ReactNode } from 'react';
import { useLanguage } from '../../language/language-provider.tsx';
import { Button } from '../../ui/button.tsx';
import { FormAlert } from '../forms/form-alert.tsx';
import { faultText } from '../forms/form-errors.ts';
import type { MailForm } from './use-mail-form.ts';

export interface MailSentProps {
  form: MailForm;
  /** This page with an empty form. */
  startAddress: string;
  /** The form that takes the mail's code. */
  children: ReactNode;
}

/** What can be done once a mail is on its way: its code, another mail, another address. */
export function MailSent({
  form: { state, busy, submit, changeAddress },
  startAddress,
  children,
}: MailSentProps) {
  const { m } = useLanguage();
  const texts = m.authMail.send;
  return (
    <>
      <FormAlert>{faultText(state.faults.form, m)}</FormAlert>
      {children}
      <div className="mt-10 grid justify-items-start gap-3 border-t border-hairline pt-6 text-[0.9375rem] text-muted">
        <p role="status">{state.again ? texts.sentAgain : texts.spam}</p>
        <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
          <form method="post" noValidate onSubmit={submit}>
            <input type="hidden" name="intent" value="again" />
            <input type="hidden" name="email" value={state.email} />
            <Button type="submit" variant="outline" busy={busy === 'again'}>
              {busy === 'again' ? texts.sending : texts.again}
            </Button>
          </form>
          <a
            href={startAddress}
            onClick={(event) => {
              event.preventDefault();
              changeAddress();
            }}
            className="flex min-h-11 items-center text-ink underline underline-offset-4 hover:text-accent"
          >
            {texts.otherAddress}
          </a>
        </div>
      </div>
    </>
  );
}

import type { ReactNode } from 'react';
import { useLanguage } from '../../language/language-provider.tsx';
import { useSendsMail } from '../../site/site.ts';
import { Button } from '../../ui/button.tsx';
import { FormAlert } from '../forms/auth-page.tsx';
import { formErrorText } from '../forms/form-errors.ts';
import { NoMailOptions } from '../forms/no-mail-options.tsx';
import type { MailForm } from './use-mail-form.ts';

interface MailSentProps {
  form: MailForm;
  /** The path of this page with an empty form. */
  startPath: string;
  /** The form that takes the mail's code. */
  children: ReactNode;
}

/** Shows the form for a mail's code, and below it the ways to another mail. */
export function MailSent({
  form: { state, busy, Form, props, changeEmail },
  startPath,
  children,
}: MailSentProps) {
  const { m } = useLanguage();
  const texts = m.authMail.send;
  const sendsMail = useSendsMail();
  return (
    <>
      <FormAlert>{formErrorText(state.errors.form, m)}</FormAlert>
      {children}
      <NoMailOptions
        status={sendsMail ? (state.again ? texts.sentAgain : texts.spam) : m.authMail.unsent.newest}
        startPath={startPath}
        changeEmail={changeEmail}
      >
        <Form {...props}>
          <input type="hidden" name="intent" value="again" />
          <input type="hidden" name="email" value={state.email} />
          <Button type="submit" variant="outline" busy={busy === 'again'}>
            {busy === 'again' ? texts.sending : texts.again}
          </Button>
        </Form>
      </NoMailOptions>
    </>
  );
}

import { type FormEvent, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useLanguage } from '../../language/language-provider.tsx';
import { useSendsMail } from '../../site/site.ts';
import { Button } from '../../ui/button.tsx';
import { AuthPage, FormAlert } from '../forms/auth-page.tsx';
import { CodeField } from '../forms/code-field.tsx';
import {
  type FormErrors,
  focusFirstError,
  formErrorText,
  hasErrors,
  toFormErrors,
} from '../forms/form-errors.ts';
import { parseCode, readField } from '../forms/form-fields.ts';
import { NoMailOptions } from '../forms/no-mail-options.tsx';
import { PasswordField } from '../forms/password-field.tsx';
import { useOneAtATime } from '../forms/use-one-at-a-time.ts';
import { withTarget } from '../target/target-query.ts';
import type { SignInOutcome } from './sign-in-action.ts';

export interface VerifyStepProps {
  outcome: SignInOutcome;
  /** Verifies the email and goes on; rejects with what the client throws. */
  onVerify(code: string, password: string): Promise<void>;
  /** Sends another mail; undefined while the password is not known. */
  onResend: (() => Promise<void>) | undefined;
  changeEmail(): void;
}

/** Takes the code that verifies the email of an account, without which nobody signs in to it. */
export function VerifyStep({ outcome, onVerify, onResend, changeEmail }: VerifyStepProps) {
  const { m } = useLanguage();
  const texts = m.signIn.verify;
  const { unsent } = m.authMail;
  const sendsMail = useSendsMail();
  const [query] = useSearchParams();
  const [errors, setErrors] = useState(outcome.errors);
  const [isSentAgain, setIsSentAgain] = useState(false);
  const { busy, run } = useOneAtATime<'verify' | 'again'>();

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = new FormData(form);
    const code = parseCode(readField(fields, 'code'));
    const password = readField(fields, 'ownPassword');
    void run('verify', async () => {
      const found = code ? await errorsOf(onVerify(code, password)) : { code: 'CODE_MISSING' as const };
      setErrors(found);
      focusFirstError(form, found);
    });
  };
  const resend = (send: () => Promise<void>) =>
    run('again', async () => {
      const found = await errorsOf(send());
      setErrors(found);
      if (!hasErrors(found)) setIsSentAgain(true);
    });

  return (
    <AuthPage
      title={sendsMail ? texts.title : m.authMail.verify.title}
      lead={sendsMail ? texts.lead(outcome.typed.email) : unsent.requested}
    >
      <FormAlert>{formErrorText(errors.form, m)}</FormAlert>
      <form method="post" noValidate onSubmit={submit} className="grid gap-5">
        <input type="hidden" name="intent" value="verify" />
        <input type="hidden" name="email" value={outcome.typed.email} />
        {/* The button that had the focus is no longer there. */}
        <CodeField error={formErrorText(errors.code, m)} defaultValue={outcome.typed.code} autoFocus />
        {!onResend && (
          <PasswordField
            label={m.authMail.verify.password}
            error={formErrorText(errors.ownPassword, m)}
            name="ownPassword"
            autoComplete="current-password"
            required
          />
        )}
        <Button type="submit" size="large" busy={busy === 'verify'} className="mt-2 w-full">
          {busy === 'verify' ? texts.submitting : texts.submit}
        </Button>
      </form>
      <NoMailOptions
        status={sendsMail ? (isSentAgain ? texts.sentAgain : m.authMail.send.spam) : unsent.newest}
        startPath={withTarget('/auth', query)}
        changeEmail={changeEmail}
      >
        {onResend && (
          <Button variant="outline" busy={busy === 'again'} onClick={() => void resend(onResend)}>
            {texts.again}
          </Button>
        )}
      </NoMailOptions>
    </AuthPage>
  );
}

/** Returns the errors of a call as errors of the form; none when it succeeds. */
function errorsOf(call: Promise<void>): Promise<FormErrors> {
  return call.then(
    () => ({}),
    (error: unknown) => toFormErrors(error, 'code'),
  );
}

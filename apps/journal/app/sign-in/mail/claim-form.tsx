import { useLanguage } from '../../language/language-provider.tsx';
import { Button } from '../../ui/button.tsx';
import { FormAlert } from '../forms/auth-page.tsx';
import { formErrorText } from '../forms/form-errors.ts';
import { PasswordField } from '../forms/password-field.tsx';
import type { MailForm } from './use-mail-form.ts';

interface ClaimFormProps {
  form: MailForm;
  /** The form's intent; that of a code brings email and code along. */
  intent: 'sign-in' | 'confirm' | 'code';
  label: string;
  busyLabel: string;
}

/** Asks for the password of an account that a mail proves, before it ends, and offers a new one. */
export function ClaimForm({ form: { state, busy, Form, props }, intent, label, busyLabel }: ClaimFormProps) {
  const { m } = useLanguage();
  const { claim, reset, verify } = m.authMail;
  return (
    <>
      <FormAlert>{formErrorText(state.errors.form ?? state.errors.code, m)}</FormAlert>
      <Form {...props} className="grid gap-5">
        <input type="hidden" name="intent" value={intent} />
        {intent === 'code' && (
          <>
            <input type="hidden" name="email" value={state.email} />
            <input type="hidden" name="code" value={state.code} />
          </>
        )}
        <PasswordField
          label={verify.password}
          hint={claim.passwordHint}
          error={formErrorText(state.errors.ownPassword, m)}
          name="ownPassword"
          autoComplete="current-password"
        />
        <PasswordField
          label={claim.newPassword}
          hint={`${reset.passwordHint} ${claim.newPasswordHint}`}
          error={formErrorText(state.errors.password, m)}
          name="password"
          autoComplete="new-password"
        />
        <Button type="submit" size="large" busy={busy !== undefined} className="mt-2 w-full">
          {busy ? busyLabel : label}
        </Button>
      </Form>
    </>
  );
}

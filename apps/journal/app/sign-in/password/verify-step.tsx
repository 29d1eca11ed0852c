import { useSearchParams } from 'react-router';
import { useLanguage } from '../../language/language-provider.tsx';
import { useSendsMail } from '../../site/site.ts';
import { Button } from '../../ui/button.tsx';
import type { ActionForm } from '../../ui/use-action-form.ts';
import { AuthPage, FormAlert } from '../forms/auth-page.tsx';
import { CodeField } from '../forms/code-field.tsx';
import { formErrorText } from '../forms/form-errors.ts';
import { NoMailOptions } from '../forms/no-mail-options.tsx';
import { PasswordField } from '../forms/password-field.tsx';
import { withTarget } from '../target/target-query.ts';
import type { SignInOutcome } from './sign-in-action.ts';

interface VerifyStepProps {
  outcome: SignInOutcome;
  form: ActionForm<SignInOutcome>;
  /** The password that was typed on this page; empty where that is not known, as without JavaScript. */
  password: string;
  changeEmail(): void;
}

/** Takes the code that verifies the email of an account, without which nobody signs in to it. */
export function VerifyStep({ outcome, form, password, changeEmail }: VerifyStepProps) {
  const { m } = useLanguage();
  const texts = m.signIn.verify;
  const { unsent } = m.authMail;
  const sendsMail = useSendsMail();
  const [query] = useSearchParams();
  const { Form, props, busy } = form;
  const { errors, typed } = outcome;
  return (
    <AuthPage
      title={sendsMail ? texts.title : m.authMail.verify.title}
      lead={sendsMail ? texts.lead(typed.email) : unsent.requested}
    >
      <FormAlert>{formErrorText(errors.form, m)}</FormAlert>
      <Form {...props} className="grid gap-5">
        <input type="hidden" name="intent" value="verify" />
        <input type="hidden" name="email" value={typed.email} />
        {password && <input type="hidden" name="password" value={password} />}
        {outcome.verified && <input type="hidden" name="verified" value="yes" />}
        {/* The button that had the focus is no longer there. */}
        <CodeField error={formErrorText(errors.code, m)} defaultValue={typed.code} autoFocus />
        {!password && (
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
      </Form>
      <NoMailOptions
        status={sendsMail ? (outcome.again ? texts.sentAgain : m.authMail.send.spam) : unsent.newest}
        startPath={withTarget('/auth', query)}
        changeEmail={changeEmail}
      >
        {password && (
          <Button
            variant="outline"
            busy={busy === 'again'}
            onClick={() => form.send({ intent: 'again', email: typed.email, password })}
          >
            {m.authMail.send.again}
          </Button>
        )}
      </NoMailOptions>
    </AuthPage>
  );
}

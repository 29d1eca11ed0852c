import { type FormEvent, useState } from 'react';
import { useAuth } from '../../client/client-context.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { NeedsScript } from '../../layout/needs-script.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { FormAlert } from '../forms/auth-page.tsx';
import {
  type FormErrors,
  focusFirstError,
  formErrorText,
  hasErrors,
  toFormErrors,
} from '../forms/form-errors.ts';
import { PasswordField } from '../forms/password-field.tsx';
import { useOneAtATime } from '../forms/use-one-at-a-time.ts';
import type { SignInOutcome } from './sign-in-action.ts';
import {
  checkSignInFields,
  MAX_NAME_LENGTH,
  readSignInFields,
  type SignInFields,
  type SignInView,
} from './sign-in-fields.ts';

export interface SignInFormProps {
  view: SignInView;
  /** The server's result for this form, if it was sent without JavaScript. */
  outcome: SignInOutcome | undefined;
  /** Whether only a script can hand the session to another window. */
  needsScript: boolean;
  /** Signs in or up and navigates; rejects with what the client throws. */
  onSignIn(fields: SignInFields): Promise<void>;
}

/** Takes an email and a password, and a name for a new account. Errors are shown beside their fields. */
export function SignInForm({ view, outcome, needsScript, onSignIn }: SignInFormProps) {
  const { m } = useLanguage();
  const texts = m.signIn;
  const { isLoading } = useAuth();
  const { errors, busy, submit } = useSubmit(view, outcome?.errors, onSignIn);
  const newAccount = view === 'sign-up';
  return (
    // With GET, a form that is sent before its script runs would put the password into the URL.
    <form method="post" noValidate onSubmit={submit}>
      <FormAlert>{formErrorText(errors.form, m)}</FormAlert>
      <div className="grid gap-5">
        {newAccount && (
          <TextField
            label={texts.name}
            hint={m.post.comments.nameHint}
            error={formErrorText(errors.name, m)}
            defaultValue={outcome?.typed.displayName}
            name="name"
            autoComplete="name"
            limit={MAX_NAME_LENGTH}
          />
        )}
        <TextField
          label={texts.email}
          error={formErrorText(errors.email, m)}
          defaultValue={outcome?.typed.email}
          name="email"
          type="email"
          inputMode="email"
          // Browsers offer passkeys here.
          autoComplete={newAccount ? 'email' : 'username webauthn'}
          autoCapitalize="none"
          spellCheck={false}
          required
        />
        <PasswordField
          key={view}
          label={texts.password}
          hint={newAccount ? texts.passwordHint : undefined}
          error={formErrorText(errors.password, m)}
          name="password"
          autoComplete={newAccount ? 'new-password' : 'current-password'}
          required
        />
        <Button
          type="submit"
          size="large"
          busy={busy}
          // Without JavaScript it stays unknown who is signed in, and nothing here depends on it.
          disabled={isLoading && needsScript}
          className={`mt-2 w-full ${needsScript ? 'unscripted:hidden' : ''}`}
        >
          {busy ? (newAccount ? texts.signingUp : texts.signingIn) : newAccount ? texts.signUp : texts.signIn}
        </Button>
        {needsScript && <NeedsScript />}
      </div>
    </form>
  );
}

function useSubmit(view: SignInView, initial: FormErrors | undefined, onSignIn: SignInFormProps['onSignIn']) {
  const [found, setFound] = useState(initial && { view, errors: initial });
  const { busy, run } = useOneAtATime<'sign-in'>();

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const showErrors = (errors: FormErrors) => {
      setFound({ view, errors });
      focusFirstError(form, errors);
    };
    const fields = readSignInFields(new FormData(form));
    const errors = checkSignInFields(view, fields);
    if (hasErrors(errors)) return showErrors(errors);
    void run('sign-in', async () => {
      setFound(undefined);
      await onSignIn(fields).catch((error: unknown) => showErrors(toFormErrors(error)));
    });
  };

  // The errors of a sign-in do not apply to a sign-up.
  const errors = found?.view === view ? found.errors : {};
  return { errors, busy: busy !== undefined, submit };
}

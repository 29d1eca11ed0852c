import { useAuth } from '../../client/client-context.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { NeedsScript } from '../../layout/needs-script.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import type { ActionForm } from '../../ui/use-action-form.ts';
import { FormAlert } from '../forms/auth-page.tsx';
import { formErrorText } from '../forms/form-errors.ts';
import { PasswordField } from '../forms/password-field.tsx';
import type { SignInOutcome } from './sign-in-action.ts';
import { MAX_NAME_LENGTH, readSignInFields, type SignInView } from './sign-in-fields.ts';

export interface SignInFormProps {
  view: SignInView;
  /** The result of this form, or of the verification that it led to. */
  outcome: SignInOutcome | undefined;
  form: ActionForm<SignInOutcome>;
  /** Whether only a script can hand the session to another window. */
  needsScript: boolean;
  /** Called with the password that is sent. */
  onPassword(password: string): void;
}

/** Takes an email and a password, and a name for a new account. Errors are shown beside their fields. */
export function SignInForm({ view, outcome, form, needsScript, onPassword }: SignInFormProps) {
  const { m } = useLanguage();
  const texts = m.signIn;
  const { isLoading } = useAuth();
  const { Form, props } = form;
  const errors = outcome?.errors ?? {};
  const busy = form.busy === 'send';
  const newAccount = view === 'sign-up';
  return (
    // With GET, a form that is sent before its script runs would put the password into the URL.
    <Form
      {...props}
      onSubmit={(event) => {
        props.onSubmit?.(event);
        onPassword(readSignInFields(new FormData(event.currentTarget)).password);
      }}
    >
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
    </Form>
  );
}

import { type FormEvent, useRef, useState } from 'react';
import { useAuth } from '../../client/client-context.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { NeedsScript } from '../../layout/needs-script.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { FormAlert } from '../forms/form-alert.tsx';
import { PasswordField } from '../forms/password-field.tsx';
import {
  type Complaints,
  type Credentials,
  checkCredentials,
  complaintsOf,
  MAX_NAME_LENGTH,
  type SignInView,
} from './check-credentials.ts';
import { readCredentials } from './read-credentials.ts';
import type { SignInOutcome } from './sign-in-outcome.ts';

export interface SignInFormProps {
  view: SignInView;
  /** What the server made of this form, when it was sent without a script. */
  outcome: SignInOutcome | undefined;
  /** Only a script can keep the session that this form begins. */
  needsScript: boolean;
  /** Signs in or up and goes on; rejects with what the client throws. */
  onEnter(credentials: Credentials): Promise<void>;
}

/** Address and password, a name as well for a new account; errors stand beside what they speak of. */
export function SignInForm({ view, outcome, needsScript, onEnter }: SignInFormProps) {
  const { m } = useLanguage();
  const texts = m.signIn;
  const { isLoading } = useAuth();
  const { complaints, busy, submit } = useSubmit(view, outcome?.complaints, onEnter);
  const newAccount = view === 'sign-up';
  return (
    // A post: should the form be sent before its script runs, no password stands in an address.
    <form method="post" noValidate onSubmit={submit}>
      <FormAlert>{complaints.form}</FormAlert>
      <div className="grid gap-5">
        {newAccount && (
          <TextField
            label={texts.name}
            hint={texts.nameHint}
            error={complaints.name}
            defaultValue={outcome?.typed.displayName}
            name="name"
            autoComplete="name"
            maxLength={MAX_NAME_LENGTH}
          />
        )}
        <TextField
          label={texts.email}
          error={complaints.email}
          defaultValue={outcome?.typed.email}
          name="email"
          type="email"
          inputMode="email"
          autoComplete={newAccount ? 'email' : 'username'}
          autoCapitalize="none"
          spellCheck={false}
          required
        />
        <PasswordField
          key={view}
          label={texts.password}
          hint={newAccount ? texts.passwordHint : undefined}
          error={complaints.password}
          name="password"
          autoComplete={newAccount ? 'new-password' : 'current-password'}
          required
        />
        <Button
          type="submit"
          size="large"
          busy={busy}
          // Without a script it stays unknown who is signed in, and nothing here depends on it.
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

function useSubmit(view: SignInView, initial: Complaints | undefined, onEnter: SignInFormProps['onEnter']) {
  const { m } = useLanguage();
  const [found, setFound] = useState(initial && { view, complaints: initial });
  const [busy, setBusy] = useState(false);
  const entering = useRef(false);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (entering.current) return;
    const form = event.currentTarget;
    const complain = (complaints: Complaints) => {
      setFound({ view, complaints });
      focusFirst(form, complaints);
    };
    const credentials = readCredentials(new FormData(form));
    const complaints = checkCredentials(view, credentials, m);
    if (Object.keys(complaints).length > 0) return complain(complaints);
    entering.current = true;
    setBusy(true);
    setFound(undefined);
    try {
      await onEnter(credentials);
    } catch (error) {
      complain(complaintsOf(error, m));
    } finally {
      entering.current = false;
      setBusy(false);
    }
  };

  // What was said of a sign-in is not true of a sign-up.
  const complaints = found?.view === view ? found.complaints : {};
  return { complaints, busy, submit };
}

function focusFirst(form: HTMLFormElement, complaints: Complaints): void {
  const name = (['name', 'email', 'password'] as const).find((field) => complaints[field]);
  const field = name && form.elements.namedItem(name);
  if (field instanceof HTMLElement) field.focus();
}

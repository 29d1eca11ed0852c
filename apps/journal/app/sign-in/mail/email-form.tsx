import { useLanguage } from '../../language/language-provider.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { FormAlert } from '../forms/auth-page.tsx';
import { formErrorText } from '../forms/form-errors.ts';
import type { MailForm } from './use-mail-form.ts';

/** Asks for the email that a mail is sent to. */
export function EmailForm({ form: { state, busy, Form, props }, label }: { form: MailForm; label: string }) {
  const { m } = useLanguage();
  return (
    <Form {...props} className="grid gap-5">
      <FormAlert>{formErrorText(state.errors.form, m)}</FormAlert>
      <input type="hidden" name="intent" value="ask" />
      <TextField
        label={m.signIn.email}
        error={formErrorText(state.errors.email, m)}
        defaultValue={state.email}
        name="email"
        type="email"
        inputMode="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
      />
      <Button type="submit" size="large" busy={busy === 'ask'} className="mt-2 w-full">
        {busy === 'ask' ? m.authMail.send.sending : label}
      </Button>
    </Form>
  );
}

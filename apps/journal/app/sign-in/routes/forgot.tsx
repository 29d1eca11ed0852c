import type { FabricaClient } from '@fabrica/client';
import { data, useSearchParams } from 'react-router';
import { backendContext } from '../../backend-context.ts';
import { useClient } from '../../client/client-context.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { type Messages, messagesOf } from '../../language/load-messages.ts';
import { buildMetadata } from '../../layout/metadata.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Button } from '../../ui/button.tsx';
import { AuthPage } from '../forms/auth-page.tsx';
import { CodeField } from '../forms/code-field.tsx';
import { faultText } from '../forms/form-errors.ts';
import { PasswordField } from '../forms/password-field.tsx';
import { readFields } from '../forms/read-fields.ts';
import { SignInAgain } from '../forms/sign-in-again.tsx';
import { AddressForm } from '../mail/email-form.tsx';
import { askForMail, hasFaults, type MailFormState, spendTypedCode } from '../mail/mail-form-state.ts';
import { MailSent } from '../mail/mail-sent.tsx';
import { setPassword } from '../mail/set-password.ts';
import { type MailForm, useMailForm } from '../mail/use-mail-form.ts';
import { carryOn } from '../request/continuation-query.ts';
import { ownPath } from '../request/sign-in-request.ts';
import type { Route } from './+types/forgot.ts';

/** Without a script the server takes the steps. */
export async function action({ context, request, url }: Route.ActionArgs) {
  const { auth } = context.get(backendContext).client;
  const state = await takeStep(auth, await readFields(request), url.searchParams);
  return data(state, { status: hasFaults(state.faults) ? 400 : 200 });
}

export function meta({ matches }: Route.MetaArgs) {
  const { language, publicUrl } = matches[0].loaderData;
  const { title, metaDescription: description } = messagesOf(language).authMail.forgot;
  return buildMetadata({ title, description, path: '/auth/forgot', language, publicUrl, indexed: false });
}

export default function ForgottenPassword({ actionData }: Route.ComponentProps) {
  const { m } = useLanguage();
  const { auth } = useClient();
  const [query] = useSearchParams();
  const form = useMailForm(actionData, (fields) => takeStep(auth, fields, query));
  const { step } = form.state;
  const { title, lead } = wordsOf(form.state, m);
  return (
    <AuthPage title={title} lead={lead}>
      {step === 'begin' && <AddressForm form={form} label={m.authMail.forgot.send} />}
      {step === 'sent' && (
        <MailSent form={form} startAddress={carryOn('/auth/forgot', query)}>
          <NewPasswordForm form={form} />
        </MailSent>
      )}
      {step === 'done' ? (
        <SignInAgain />
      ) : (
        <div className="mt-8">
          <BackLink to={carryOn('/auth', query)}>{m.authMail.forgot.back}</BackLink>
        </div>
      )}
    </AuthPage>
  );
}

function wordsOf({ step, email }: MailFormState, { authMail }: Messages): { title: string; lead: string } {
  const { forgot, reset } = authMail;
  if (step === 'done') return { title: reset.doneTitle, lead: reset.done };
  if (step === 'sent') return { title: forgot.sentTitle, lead: forgot.sent(email) };
  return { title: forgot.title, lead: forgot.lead };
}

/** The mail's code and the new password at once. */
function NewPasswordForm({ form: { state, busy, submit } }: { form: MailForm }) {
  const { m } = useLanguage();
  const texts = m.authMail.reset;
  const onlyPassword = state.faults.password !== undefined && state.faults.code === undefined;
  return (
    <form method="post" noValidate onSubmit={submit} className="grid gap-5">
      <input type="hidden" name="intent" value="code" />
      {/* Not shown, but read by password managers: whose password this is. */}
      <input type="email" name="email" autoComplete="username" value={state.email} readOnly hidden />
      <CodeField
        error={faultText(state.faults.code, m)}
        defaultValue={state.code}
        // The button that had the focus is gone.
        autoFocus={!onlyPassword}
      />
      <PasswordField
        label={texts.newPassword}
        hint={texts.passwordHint}
        error={faultText(state.faults.password, m)}
        name="password"
        autoComplete="new-password"
        // It is what has to be mended.
        autoFocus={onlyPassword}
        required
      />
      <Button type="submit" size="large" busy={busy === 'code'} className="mt-2 w-full">
        {busy === 'code' ? texts.saving : texts.save}
      </Button>
    </form>
  );
}

function takeStep(
  auth: FabricaClient['auth'],
  fields: FormData,
  query: URLSearchParams,
): Promise<MailFormState> {
  if (fields.get('intent') === 'code') {
    return spendTypedCode(fields, (proof, password) => setPassword(auth, proof, password));
  }
  const returnTo = query.has('return_to') ? ownPath(query.get('return_to')) : undefined;
  return askForMail(fields, (email) => auth.sendPasswordReset(email, { returnTo }));
}

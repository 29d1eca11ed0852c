import '../../language/member-messages.ts';
import type { FabricaClient } from '@fabrica/client';
import { useSearchParams } from 'react-router';
import { backendContext } from '../../backend-context.ts';
import { pageClient } from '../../client/page-client.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import type { Messages } from '../../language/load-messages.ts';
import { buildUnlisted } from '../../layout/metadata.ts';
import { useSendsMail } from '../../site/site.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Button } from '../../ui/button.tsx';
import { AuthPage, LargeLink } from '../forms/auth-page.tsx';
import { CodeField } from '../forms/code-field.tsx';
import { formErrorText } from '../forms/form-errors.ts';
import { readFormData } from '../forms/form-fields.ts';
import { PasswordField } from '../forms/password-field.tsx';
import { EmailForm } from '../mail/email-form.tsx';
import { type MailFormState, respondWith, submitCode, submitEmail } from '../mail/mail-form-state.ts';
import { MailSent } from '../mail/mail-sent.tsx';
import { setForgottenPassword } from '../mail/set-forgotten-password.ts';
import { type MailForm, useMailForm } from '../mail/use-mail-form.ts';
import { safeReturnPath } from '../target/sign-in-target.ts';
import { withTarget } from '../target/target-query.ts';
import type { Route } from './+types/forgot.ts';

export async function action({ context, request, url }: Route.ActionArgs) {
  return takeStep(context.get(backendContext).client, await readFormData(request), url);
}

export async function clientAction({ request }: Route.ClientActionArgs) {
  return takeStep(pageClient(), await request.formData(), new URL(request.url));
}

export function meta({ matches }: Route.MetaArgs) {
  return buildUnlisted(matches, '/auth/forgot', ({ authMail }) => authMail.forgot);
}

export default function ForgotPasswordRoute({ actionData }: Route.ComponentProps) {
  const { m } = useLanguage();
  const [query] = useSearchParams();
  const form = useMailForm(actionData);
  const { step } = form.state;
  const sendsMail = useSendsMail();
  const { title, lead } = textsOf(form.state, m, sendsMail);
  const { forgot, send } = m.authMail;
  return (
    <AuthPage title={title} lead={lead}>
      {step === 'begin' && <EmailForm form={form} label={sendsMail ? forgot.send : send.code} />}
      {step === 'sent' && (
        <MailSent form={form} startPath={withTarget('/auth/forgot', query)}>
          <NewPasswordForm form={form} />
        </MailSent>
      )}
      {step === 'done' ? (
        <LargeLink to={withTarget('/auth', query)}>{m.authMail.reset.signIn}</LargeLink>
      ) : (
        <div className="mt-8">
          <BackLink to={withTarget('/auth', query)}>{forgot.back}</BackLink>
        </div>
      )}
    </AuthPage>
  );
}

function textsOf(
  { step, email }: MailFormState,
  { authMail }: Messages,
  sendsMail: boolean,
): { title: string; lead: string } {
  const { forgot, reset, unsent } = authMail;
  if (step === 'done') return { title: reset.doneTitle, lead: reset.done };
  if (!sendsMail) return { title: forgot.title, lead: step === 'sent' ? unsent.requested : unsent.lead };
  if (step === 'sent') return { title: forgot.sentTitle, lead: forgot.sent(email) };
  return { title: forgot.title, lead: forgot.lead };
}

/** Takes the mail's code and the new password in one form. */
function NewPasswordForm({ form: { state, busy, Form, props } }: { form: MailForm }) {
  const { m } = useLanguage();
  const texts = m.authMail.reset;
  const onlyPassword = state.errors.password !== undefined && state.errors.code === undefined;
  return (
    <Form {...props} className="grid gap-5">
      <input type="hidden" name="intent" value="code" />
      {/* Password managers read from this hidden field whose password it is. */}
      <input type="email" name="email" autoComplete="username" value={state.email} readOnly hidden />
      <CodeField
        error={formErrorText(state.errors.code, m)}
        defaultValue={state.code}
        // The button that had the focus is no longer there.
        autoFocus={!onlyPassword}
      />
      <PasswordField
        label={texts.newPassword}
        hint={texts.passwordHint}
        error={formErrorText(state.errors.password, m)}
        name="password"
        autoComplete="new-password"
        // Only the password needs correction.
        autoFocus={onlyPassword}
        required
      />
      <Button type="submit" size="large" busy={busy === 'code'} className="mt-2 w-full">
        {busy === 'code' ? texts.saving : texts.save}
      </Button>
    </Form>
  );
}

async function takeStep({ auth }: FabricaClient, fields: FormData, { searchParams: query }: URL) {
  if (fields.get('intent') === 'code') {
    return respondWith(
      await submitCode(fields, (proof, password) => setForgottenPassword(auth, proof, password)),
    );
  }
  const returnTo = query.has('return_to') ? safeReturnPath(query.get('return_to')) : undefined;
  return respondWith(await submitEmail(fields, (email) => auth.sendPasswordReset(email, { returnTo })));
}

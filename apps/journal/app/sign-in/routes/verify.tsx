import '../../language/member-messages.ts';
import type { FabricaClient } from '@fabrica/client';
import { data, useSearchParams } from 'react-router';
import { backendContext } from '../../backend-context.ts';
import { pageClient } from '../../client/page-client.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import { buildUnlisted } from '../../layout/metadata.ts';
import { Button } from '../../ui/button.tsx';
import { AuthPage, FormAlert, LargeLink } from '../forms/auth-page.tsx';
import { formErrorText } from '../forms/form-errors.ts';
import { readClaim, readFormData } from '../forms/form-fields.ts';
import { IncompleteLink } from '../forms/incomplete-link.tsx';
import { ClaimForm } from '../mail/claim-form.tsx';
import { type MailFormState, respondWith, submitLink } from '../mail/mail-form-state.ts';
import { useMailForm } from '../mail/use-mail-form.ts';
import { safeReturnPath } from '../target/sign-in-target.ts';
import type { Route } from './+types/verify.ts';

export async function action({ context, request, url }: Route.ActionArgs) {
  return confirm(context.get(backendContext).client, await readFormData(request), url);
}

export async function clientAction({ request }: Route.ClientActionArgs) {
  return confirm(pageClient(), await request.formData(), new URL(request.url));
}

/** Verifies the e-mail address by the token of the page's URL. */
async function confirm({ auth }: FabricaClient, fields: FormData, { searchParams }: URL) {
  const token = searchParams.get('token');
  if (!token) return data(undefined, { status: 400 });
  return respondWith(await submitLink(fields, () => auth.verifyEmail({ token }, readClaim(fields))));
}

export function meta({ matches }: Route.MetaArgs) {
  return buildUnlisted(matches, '/auth/verify', ({ authMail }) => authMail.verify);
}

export default function VerifyEmailRoute({ actionData }: Route.ComponentProps) {
  const { m } = useLanguage();
  const [query] = useSearchParams();
  if (!query.get('token')) return <IncompleteLink to="/account" label={m.authMail.verify.toAccount} />;
  return <VerifyForm sent={actionData} />;
}

function VerifyForm({ sent }: { sent: MailFormState | undefined }) {
  const { m } = useLanguage();
  const [query] = useSearchParams();
  const form = useMailForm(sent);
  const { state, busy, Form, props } = form;
  const { claim, verify: texts } = m.authMail;
  if (state.step === 'done') {
    const done = { kept: texts.done, new: texts.doneNewPassword, ended: texts.doneWithoutPassword };
    return (
      <AuthPage title={texts.doneTitle} lead={done[state.password ?? 'kept']}>
        {state.password === 'ended' ? (
          <LargeLink to="/auth/magic">{texts.toSignIn}</LargeLink>
        ) : (
          <LargeLink to={safeReturnPath(query.get('return_to'))}>{texts.goOn}</LargeLink>
        )}
      </AuthPage>
    );
  }
  if (state.errors.form === 'LINK_USED') {
    return (
      <AuthPage title={texts.failedTitle} lead={texts.failed}>
        <LargeLink to="/account">{texts.toAccount}</LargeLink>
      </AuthPage>
    );
  }
  if (state.step === 'claim') {
    return (
      <AuthPage title={claim.title} lead={claim.lead}>
        <ClaimForm form={form} intent="confirm" label={texts.confirm} busyLabel={texts.confirming} />
      </AuthPage>
    );
  }
  return (
    <AuthPage title={texts.title} lead={texts.lead}>
      <FormAlert>{formErrorText(state.errors.form, m)}</FormAlert>
      <Form {...props} className="grid gap-5">
        <input type="hidden" name="intent" value="confirm" />
        <Button type="submit" size="large" busy={busy !== undefined} className="mt-2 w-full">
          {busy ? texts.confirming : texts.confirm}
        </Button>
      </Form>
    </AuthPage>
  );
}

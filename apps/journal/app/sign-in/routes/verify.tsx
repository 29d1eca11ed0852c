import '../../language/member-messages.ts';
import { data, useSearchParams } from 'react-router';
import { backendContext } from '../../backend-context.ts';
import { useClient } from '../../client/client-context.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { buildUnlisted } from '../../layout/metadata.ts';
import { Button } from '../../ui/button.tsx';
import { AuthPage, FormAlert, LargeLink } from '../forms/auth-page.tsx';
import { formErrorText, hasErrors } from '../forms/form-errors.ts';
import { readClaim, readFormData } from '../forms/form-fields.ts';
import { IncompleteLink } from '../forms/incomplete-link.tsx';
import { ClaimForm } from '../mail/claim-form.tsx';
import { type MailFormState, submitLink } from '../mail/mail-form-state.ts';
import { useLinkForm } from '../mail/use-mail-form.ts';
import { safeReturnPath } from '../target/sign-in-target.ts';
import type { Route } from './+types/verify.ts';

/** Submits the token for readers without JavaScript. */
export async function action({ context, request, url }: Route.ActionArgs) {
  const token = url.searchParams.get('token');
  if (!token) return data(undefined, { status: 400 });
  const { auth } = context.get(backendContext).client;
  const state = await submitLink(await readFormData(request), (_, fields) =>
    auth.verifyEmail({ token }, readClaim(fields)),
  );
  return data(state, { status: hasErrors(state.errors) ? 400 : 200 });
}

export function meta({ matches }: Route.MetaArgs) {
  return buildUnlisted(matches, '/auth/verify', ({ authMail }) => authMail.verify);
}

export default function VerifyEmailRoute({ actionData }: Route.ComponentProps) {
  const { m } = useLanguage();
  const [query] = useSearchParams();
  const token = query.get('token');
  if (!token) return <IncompleteLink to="/account" label={m.authMail.verify.toAccount} />;
  return <VerifyForm token={token} initial={actionData} />;
}

function VerifyForm({ token, initial }: { token: string; initial: MailFormState | undefined }) {
  const { m } = useLanguage();
  const { auth } = useClient();
  const [query] = useSearchParams();
  const form = useLinkForm(initial, (_, fields) => auth.verifyEmail({ token }, readClaim(fields)));
  const { state, busy, submit } = form;
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
      <form method="post" noValidate onSubmit={submit} className="grid gap-5">
        <input type="hidden" name="intent" value="confirm" />
        <Button type="submit" size="large" busy={busy !== undefined} className="mt-2 w-full">
          {busy ? texts.confirming : texts.confirm}
        </Button>
      </form>
    </AuthPage>
  );
}

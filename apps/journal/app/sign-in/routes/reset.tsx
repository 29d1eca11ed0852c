import { data, useSearchParams } from 'react-router';
import { backendContext } from '../../backend-context.ts';
import { useClient } from '../../client/client-context.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { messagesOf } from '../../language/load-messages.ts';
import { buildMetadata } from '../../layout/metadata.ts';
import { Button } from '../../ui/button.tsx';
import { AuthFrame, AuthPage } from '../forms/auth-page.tsx';
import { IncompleteLink } from '../forms/broken-link.tsx';
import { FormAlert } from '../forms/form-alert.tsx';
import { faultText } from '../forms/form-errors.ts';
import { MailAgain } from '../forms/mail-again.tsx';
import { PasswordField } from '../forms/password-field.tsx';
import { readFields } from '../forms/read-fields.ts';
import { RefusedRequest } from '../forms/refused-request.tsx';
import { SignInAgain } from '../forms/sign-in-again.tsx';
import { forgetToken } from '../mail/forget-token.ts';
import { OnwardForm, sendOnward } from '../mail/link-redirect.tsx';
import { hasFaults, type MailFormState, spendLink } from '../mail/mail-form-state.ts';
import { setPassword } from '../mail/set-password.ts';
import { useMailForm } from '../mail/use-mail-form.ts';
import { carryOn } from '../request/continuation-query.ts';
import { readLinkRequest } from '../request/read-link-request.ts';
import type { Route } from './+types/reset.ts';

export function loader({ context, url }: Route.LoaderArgs) {
  const request = readLinkRequest(url.searchParams, context.get(backendContext));
  return data(request, { status: request.kind === 'refused' ? 400 : 200 });
}

/** Hands the token on to the page that it was made for; else sets the password, where no script does. */
export async function action({ context, request, url }: Route.ActionArgs) {
  const backend = context.get(backendContext);
  const link = readLinkRequest(url.searchParams, backend);
  const token = url.searchParams.get('token');
  if (!token || link.kind === 'refused') return data(undefined, { status: 400 });
  if (link.kind === 'hand-over') return sendOnward(link.handOver.redirectUrl, 'token', token);
  const { auth } = backend.client;
  const fields = await readFields(request);
  const state = await spendLink(fields, (password) => setPassword(auth, { token }, password));
  return data(state, { status: hasFaults(state.faults) ? 400 : 200 });
}

export function meta({ matches }: Route.MetaArgs) {
  const { language, publicUrl } = matches[0].loaderData;
  const { title, metaDescription: description } = messagesOf(language).authMail.reset;
  return buildMetadata({ title, description, path: '/auth/reset', language, publicUrl, indexed: false });
}

export default function ResetPassword({ loaderData: request, actionData }: Route.ComponentProps) {
  const { m } = useLanguage();
  const [query] = useSearchParams();
  const token = query.get('token');
  const texts = m.authMail.reset;
  if (request.kind === 'refused') {
    return (
      <AuthFrame>
        <RefusedRequest reason={request.reason} />
      </AuthFrame>
    );
  }
  if (!token) return <IncompleteLink to={carryOn('/auth/forgot', query)} label={texts.askAgain} />;
  if (request.kind === 'own') return <NewPassword token={token} initial={actionData} />;
  const site = new URL(request.handOver.redirectUrl).host;
  return (
    <AuthPage title={texts.title} lead={texts.onwardLead(site)}>
      <OnwardForm site={site} />
    </AuthPage>
  );
}

function NewPassword({ token, initial }: { token: string; initial: MailFormState | undefined }) {
  const { m } = useLanguage();
  const { auth } = useClient();
  const [query] = useSearchParams();
  const { state, busy, submit } = useMailForm(initial, async (fields) => {
    const next = await spendLink(fields, (password) => setPassword(auth, { token }, password));
    if (next.step === 'done') forgetToken();
    return next;
  });
  const { link, reset: texts } = m.authMail;
  if (state.step === 'done') {
    return (
      <AuthPage title={texts.doneTitle} lead={texts.done}>
        <SignInAgain />
      </AuthPage>
    );
  }
  if (state.faults.form === 'LINK_USED') {
    return (
      <AuthPage title={link.usedTitle} lead={link.used}>
        <MailAgain to={carryOn('/auth/forgot', query)}>{texts.askAgain}</MailAgain>
      </AuthPage>
    );
  }
  return (
    <AuthPage title={texts.title} lead={texts.lead}>
      <FormAlert>{faultText(state.faults.form, m)}</FormAlert>
      <form method="post" noValidate onSubmit={submit} className="grid gap-5">
        <input type="hidden" name="intent" value="save" />
        <PasswordField
          label={texts.newPassword}
          hint={texts.passwordHint}
          error={faultText(state.faults.password, m)}
          name="password"
          autoComplete="new-password"
          // It is what has to be mended.
          autoFocus={state.faults.password !== undefined}
          required
        />
        <Button type="submit" size="large" busy={busy !== undefined} className="mt-2 w-full">
          {busy ? texts.saving : texts.save}
        </Button>
      </form>
    </AuthPage>
  );
}

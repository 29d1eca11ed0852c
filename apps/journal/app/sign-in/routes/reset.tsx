import '../../language/member-messages.ts';
import type { FabricaClient } from '@fabrica/client';
import { data, useSearchParams } from 'react-router';
import { backendContext } from '../../backend-context.ts';
import { pageClient } from '../../client/page-client.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import { buildUnlisted } from '../../layout/metadata.ts';
import { Button } from '../../ui/button.tsx';
import { AuthPage, FormAlert, LargeLink, RefusedPage } from '../forms/auth-page.tsx';
import { formErrorText } from '../forms/form-errors.ts';
import { readFormData } from '../forms/form-fields.ts';
import { IncompleteLink } from '../forms/incomplete-link.tsx';
import { PasswordField } from '../forms/password-field.tsx';
import { RedirectForm, redirectWithToken } from '../mail/link-redirect.tsx';
import { type MailFormState, respondWith, submitLink } from '../mail/mail-form-state.ts';
import { setForgottenPassword } from '../mail/set-forgotten-password.ts';
import { useMailForm } from '../mail/use-mail-form.ts';
import { readLinkTarget } from '../target/sign-in-target.ts';
import { withTarget } from '../target/target-query.ts';
import type { Route } from './+types/reset.ts';

export function loader({ context, url }: Route.LoaderArgs) {
  const target = readLinkTarget(url.searchParams, context.get(backendContext));
  return data(target, { status: target.kind === 'refused' ? 400 : 200 });
}

/** Redirects to the page that the token was made for, or sets the password. */
export async function action({ context, request, url }: Route.ActionArgs) {
  const backend = context.get(backendContext);
  const target = readLinkTarget(url.searchParams, backend);
  const token = url.searchParams.get('token');
  if (!token || target.kind === 'refused') return data(undefined, { status: 400 });
  if (target.kind === 'redirect') return redirectWithToken(target.redirectUrl, 'token', token);
  return setPassword(backend.client, await readFormData(request), token);
}

export async function clientAction({ request }: Route.ClientActionArgs) {
  const token = new URL(request.url).searchParams.get('token') ?? '';
  return setPassword(pageClient(), await request.formData(), token);
}

async function setPassword({ auth }: FabricaClient, fields: FormData, token: string) {
  return respondWith(await submitLink(fields, (password) => setForgottenPassword(auth, { token }, password)));
}

export function meta({ matches }: Route.MetaArgs) {
  return buildUnlisted(matches, '/auth/reset', ({ authMail }) => authMail.reset);
}

export default function ResetPasswordRoute({ loaderData: target, actionData }: Route.ComponentProps) {
  const { m } = useLanguage();
  const [query] = useSearchParams();
  const token = query.get('token');
  const texts = m.authMail.reset;
  if (target.kind === 'refused') return <RefusedPage target={target} />;
  if (!token) return <IncompleteLink to={withTarget('/auth/forgot', query)} label={texts.requestAgain} />;
  if (target.kind === 'own') return <NewPassword sent={actionData} />;
  const site = new URL(target.redirectUrl).host;
  return (
    <AuthPage title={texts.title} lead={texts.redirectLead(site)}>
      <RedirectForm site={site} />
    </AuthPage>
  );
}

function NewPassword({ sent }: { sent: MailFormState | undefined }) {
  const { m } = useLanguage();
  const [query] = useSearchParams();
  const { state, busy, Form, props } = useMailForm(sent);
  const { link, reset: texts } = m.authMail;
  if (state.step === 'done') {
    return (
      <AuthPage title={texts.doneTitle} lead={texts.done}>
        <LargeLink to={withTarget('/auth', query)}>{texts.signIn}</LargeLink>
      </AuthPage>
    );
  }
  if (state.errors.form === 'LINK_USED') {
    return (
      <AuthPage title={link.usedTitle} lead={link.used}>
        <LargeLink to={withTarget('/auth/forgot', query)}>{texts.requestAgain}</LargeLink>
      </AuthPage>
    );
  }
  return (
    <AuthPage title={texts.title} lead={texts.lead}>
      <FormAlert>{formErrorText(state.errors.form, m)}</FormAlert>
      <Form {...props} className="grid gap-5">
        <input type="hidden" name="intent" value="save" />
        <PasswordField
          label={texts.newPassword}
          hint={texts.passwordHint}
          error={formErrorText(state.errors.password, m)}
          name="password"
          autoComplete="new-password"
          autoFocus={state.errors.password !== undefined}
          required
        />
        <Button type="submit" size="large" busy={busy !== undefined} className="mt-2 w-full">
          {busy ? texts.saving : texts.save}
        </Button>
      </Form>
    </AuthPage>
  );
}

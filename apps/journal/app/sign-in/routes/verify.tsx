import type { FabricaClient } from '@fabrica/client';
import { data, Link, useSearchParams } from 'react-router';
import { backendContext } from '../../backend-context.ts';
import { useClient } from '../../client/client-context.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { messagesOf } from '../../language/load-messages.ts';
import { buildMetadata } from '../../layout/metadata.ts';
import { Button } from '../../ui/button.tsx';
import { buttonClass } from '../../ui/button-class.ts';
import { AuthPage } from '../forms/auth-page.tsx';
import { IncompleteLink } from '../forms/broken-link.tsx';
import { FormAlert } from '../forms/form-alert.tsx';
import { faultText } from '../forms/form-errors.ts';
import { MailAgain } from '../forms/mail-again.tsx';
import { readFields } from '../forms/read-fields.ts';
import { forgetToken } from '../mail/forget-token.ts';
import { hasFaults, type MailFormState, spendLink } from '../mail/mail-form-state.ts';
import { useMailForm } from '../mail/use-mail-form.ts';
import { ownPath } from '../request/sign-in-request.ts';
import type { Route } from './+types/verify.ts';

/** Without a script the server spends the token. */
export async function action({ context, request, url }: Route.ActionArgs) {
  const token = url.searchParams.get('token');
  if (!token) return data(undefined, { status: 400 });
  const { auth } = context.get(backendContext).client;
  const state = await confirm(auth, await readFields(request), token);
  return data(state, { status: hasFaults(state.faults) ? 400 : 200 });
}

export function meta({ matches }: Route.MetaArgs) {
  const { language, publicUrl } = matches[0].loaderData;
  const { title, metaDescription: description } = messagesOf(language).authMail.verify;
  return buildMetadata({ title, description, path: '/auth/verify', language, publicUrl, indexed: false });
}

export default function VerifyAddress({ actionData }: Route.ComponentProps) {
  const { m } = useLanguage();
  const [query] = useSearchParams();
  const token = query.get('token');
  if (!token) return <IncompleteLink to="/account" label={m.authMail.verify.toAccount} />;
  return <Confirmation token={token} initial={actionData} />;
}

function Confirmation({ token, initial }: { token: string; initial: MailFormState | undefined }) {
  const { m } = useLanguage();
  const { auth } = useClient();
  const [query] = useSearchParams();
  const { state, busy, submit } = useMailForm(initial, async (fields) => {
    const next = await confirm(auth, fields, token);
    if (next.step === 'done') forgetToken();
    return next;
  });
  const texts = m.authMail.verify;
  if (state.step === 'done') {
    return (
      <AuthPage title={texts.doneTitle} lead={texts.done}>
        <Link to={ownPath(query.get('return_to'))} className={`${buttonClass({ size: 'large' })} w-full`}>
          {texts.goOn}
        </Link>
      </AuthPage>
    );
  }
  if (state.faults.form === 'LINK_USED') {
    return (
      <AuthPage title={texts.failedTitle} lead={texts.failed}>
        <MailAgain to="/account">{texts.toAccount}</MailAgain>
      </AuthPage>
    );
  }
  return (
    <AuthPage title={texts.title} lead={texts.lead}>
      <FormAlert>{faultText(state.faults.form, m)}</FormAlert>
      <form method="post" onSubmit={submit}>
        <input type="hidden" name="intent" value="confirm" />
        <Button type="submit" size="large" busy={busy !== undefined} className="w-full">
          {busy ? texts.confirming : texts.confirm}
        </Button>
      </form>
    </AuthPage>
  );
}

function confirm(auth: FabricaClient['auth'], fields: FormData, token: string): Promise<MailFormState> {
  return spendLink(fields, () => auth.verifyEmail({ token }));
}

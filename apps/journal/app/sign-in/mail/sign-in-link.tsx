import { useSearchParams } from 'react-router';
import { useAuth } from '../../client/client-context.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { Button } from '../../ui/button.tsx';
import { AuthPage } from '../forms/auth-page.tsx';
import { FormAlert } from '../forms/form-alert.tsx';
import { faultText } from '../forms/form-errors.ts';
import { MailAgain } from '../forms/mail-again.tsx';
import { carryOn } from '../request/continuation-query.ts';
import type { ServedRequest } from '../request/sign-in-request.ts';
import { useFinishSignIn } from '../tokens/use-finish-sign-in.ts';
import { OnwardForm } from './link-redirect.tsx';
import { spendLink } from './mail-form-state.ts';
import { useMailForm } from './use-mail-form.ts';

export interface SignInLinkProps {
  request: ServedRequest;
  token: string;
}

/** What the link of a mail opens: nothing happens before the button is pressed. */
export function SignInLink({ request, token }: SignInLinkProps) {
  const { m } = useLanguage();
  if (request.kind !== 'hand-over') return <SignInHere request={request} token={token} />;
  const site = new URL(request.handOver.redirectUrl).host;
  return (
    <AuthPage title={m.authMail.magic.linkTitle} lead={m.authMail.magic.onwardLead(site)}>
      <OnwardForm site={site} />
    </AuthPage>
  );
}

function SignInHere({ request, token }: SignInLinkProps) {
  const { m } = useLanguage();
  const { isLoading } = useAuth();
  const [query] = useSearchParams();
  const finish = useFinishSignIn(request);
  const { state, busy, submit } = useMailForm(undefined, (fields) =>
    spendLink(fields, () => finish((client) => client.verifyMagicLink(token))),
  );
  const { link, magic: texts } = m.authMail;
  if (state.step === 'done') return <AuthPage title={texts.linkTitle} lead={m.signIn.alreadySignedIn} />;
  if (state.faults.form === 'LINK_USED') {
    return (
      <AuthPage title={link.usedTitle} lead={link.used}>
        <MailAgain to={carryOn('/auth/magic', query)}>{texts.askAgain}</MailAgain>
      </AuthPage>
    );
  }
  return (
    <AuthPage title={texts.linkTitle} lead={texts.linkLead}>
      <FormAlert>{faultText(state.faults.form, m)}</FormAlert>
      <form method="post" onSubmit={submit}>
        <input type="hidden" name="intent" value="enter" />
        <Button
          type="submit"
          size="large"
          busy={busy !== undefined}
          disabled={isLoading}
          className="w-full unscripted:hidden"
        >
          {busy ? texts.signingIn : texts.signIn}
        </Button>
      </form>
      <noscript>
        <p className="text-muted">{texts.needsScript}</p>
      </noscript>
    </AuthPage>
  );
}

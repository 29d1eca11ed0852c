import { useSearchParams } from 'react-router';
import { useLanguage } from '../../language/language-provider.tsx';
import { Button } from '../../ui/button.tsx';
import { AuthPage, FormAlert, LargeLink } from '../forms/auth-page.tsx';
import { formErrorText } from '../forms/form-errors.ts';
import type { SignInTarget } from '../target/sign-in-target.ts';
import { withTarget } from '../target/target-query.ts';
import { ClaimForm } from './claim-form.tsx';
import { RedirectForm } from './link-redirect.tsx';
import type { MailFormState } from './mail-form-state.ts';
import { useMailForm } from './use-mail-form.ts';

interface SignInLinkProps {
  target: SignInTarget;
  /** The server's result, if the form was sent without JavaScript. */
  sent: MailFormState | undefined;
}

/** Signs in by the link of a mail. Nothing happens before the button is pressed. */
export function SignInLink({ target, sent }: SignInLinkProps) {
  const { m } = useLanguage();
  if (target.kind !== 'redirect') return <SignInHere sent={sent} />;
  const site = new URL(target.redirectUrl).host;
  return (
    <AuthPage title={m.authMail.magic.linkTitle} lead={m.authMail.magic.redirectLead(site)}>
      <RedirectForm site={site} />
    </AuthPage>
  );
}

function SignInHere({ sent }: Pick<SignInLinkProps, 'sent'>) {
  const { m } = useLanguage();
  const [query] = useSearchParams();
  const form = useMailForm(sent);
  const { state, busy, Form, props } = form;
  const { claim, link, magic: texts } = m.authMail;
  if (state.errors.form === 'LINK_USED') {
    return (
      <AuthPage title={link.usedTitle} lead={link.used}>
        <LargeLink to={withTarget('/auth/magic', query)}>{texts.requestAgain}</LargeLink>
      </AuthPage>
    );
  }
  if (state.step === 'claim') {
    return (
      <AuthPage title={claim.title} lead={claim.lead}>
        <ClaimForm form={form} intent="sign-in" label={texts.signIn} busyLabel={texts.signingIn} />
      </AuthPage>
    );
  }
  return (
    <AuthPage title={texts.linkTitle} lead={texts.linkLead}>
      <FormAlert>{formErrorText(state.errors.form, m)}</FormAlert>
      <Form {...props}>
        <input type="hidden" name="intent" value="sign-in" />
        <Button type="submit" size="large" busy={busy !== undefined} className="w-full">
          {busy ? texts.signingIn : texts.signIn}
        </Button>
      </Form>
    </AuthPage>
  );
}

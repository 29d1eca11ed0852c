import { useSearchParams } from 'react-router';
import { useAuth } from '../../client/client-context.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { NeedsScript } from '../../layout/needs-script.tsx';
import { useSendsMail } from '../../site/site.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Button } from '../../ui/button.tsx';
import { AppWarning, AuthPage } from '../forms/auth-page.tsx';
import { CodeField } from '../forms/code-field.tsx';
import { formErrorText } from '../forms/form-errors.ts';
import type { SignInTarget } from '../target/sign-in-target.ts';
import { withTarget } from '../target/target-query.ts';
import { worksWithoutScript } from '../tokens/deliver-tokens.ts';
import { ClaimForm } from './claim-form.tsx';
import { EmailForm } from './email-form.tsx';
import type { MailFormState } from './mail-form-state.ts';
import { MailSent } from './mail-sent.tsx';
import { type MailForm, useMailForm } from './use-mail-form.ts';

interface MailSignInProps {
  target: SignInTarget;
  /** The server's result, if the form was sent without JavaScript. */
  sent: MailFormState | undefined;
}

/** Signs in without a password: asks for an email, then for the code of the mail, whose link works elsewhere too. */
export function MailSignIn({ target, sent }: MailSignInProps) {
  const { m } = useLanguage();
  const [query] = useSearchParams();
  const form = useMailForm(sent);
  const { step, email } = form.state;
  const sendsMail = useSendsMail();
  const texts = m.authMail.magic;
  if (step === 'claim') {
    const { claim } = m.authMail;
    return (
      <AuthPage title={claim.title} lead={claim.lead}>
        <ClaimForm form={form} intent="code" label={texts.signIn} busyLabel={texts.signingIn} />
      </AuthPage>
    );
  }
  const isSent = step === 'sent';
  const sentText = target.kind === 'own' ? texts.sent : texts.sentForCode;
  const { unsent } = m.authMail;
  const lead = isSent
    ? sendsMail
      ? sentText(email)
      : unsent.requested
    : sendsMail
      ? texts.lead
      : unsent.lead;
  return (
    <AuthPage title={sendsMail ? (isSent ? texts.sentTitle : texts.title) : unsent.magic} lead={lead}>
      {target.kind === 'mobile-session' && <AppWarning />}
      {isSent ? (
        <MailSent form={form} startPath={withTarget('/auth/magic', query)}>
          <CodeForm form={form} needsScript={!worksWithoutScript(target)} />
        </MailSent>
      ) : (
        <EmailForm form={form} label={sendsMail ? texts.send : m.authMail.send.code} />
      )}
      <div className="mt-8">
        <BackLink to={withTarget('/auth', query)}>{texts.withPassword}</BackLink>
      </div>
    </AuthPage>
  );
}

interface CodeFormProps {
  form: MailForm;
  /** Whether only a script can hand the session to another window. */
  needsScript: boolean;
}

function CodeForm({ form: { state, busy, Form, props }, needsScript }: CodeFormProps) {
  const { m } = useLanguage();
  const { isLoading } = useAuth();
  const texts = m.authMail.magic;
  return (
    <>
      <Form {...props} className={`grid gap-5 ${needsScript ? 'unscripted:hidden' : ''}`}>
        <input type="hidden" name="intent" value="code" />
        <input type="hidden" name="email" value={state.email} />
        <CodeField
          error={formErrorText(state.errors.code, m)}
          defaultValue={state.code}
          // The button that had the focus is no longer there.
          autoFocus
        />
        <Button
          type="submit"
          size="large"
          busy={busy === 'code'}
          disabled={needsScript && isLoading}
          className="mt-2 w-full"
        >
          {busy === 'code' ? texts.signingIn : texts.signIn}
        </Button>
      </Form>
      {needsScript && <NeedsScript />}
    </>
  );
}

import { useSearchParams } from 'react-router';
import { useAuth, useClient } from '../client/client-context.tsx';
import { useLanguage } from '../language/language-provider.tsx';
import { BackLink } from '../ui/back-link.tsx';
import { Button } from '../ui/button.tsx';
import { AddressForm } from './address-form.tsx';
import { askForLink } from './ask-for-link.ts';
import { carryOn } from './asked-query.ts';
import { AuthPage } from './auth-page.tsx';
import { CodeField } from './code-field.tsx';
import { isDeliverable } from './deliver-tokens.ts';
import { faultText } from './fault-text.ts';
import { useFinishSignIn } from './finish-sign-in.ts';
import { ForApp } from './for-app.tsx';
import { type MailFormState, spendTypedCode } from './mail-form-state.ts';
import { MailSent } from './mail-sent.tsx';
import type { ServedRequest } from './read-request.ts';
import { type MailForm, useMailForm } from './use-mail-form.ts';

export interface MailSignInProps {
  request: ServedRequest;
  initial: MailFormState | undefined;
}

/** Signs in without a password: an address, then the code of the mail (or its link, elsewhere). */
export function MailSignIn({ request, initial }: MailSignInProps) {
  const { m } = useLanguage();
  const { auth } = useClient();
  const [query] = useSearchParams();
  const finish = useFinishSignIn(request);
  const form = useMailForm(initial, (fields) =>
    fields.get('intent') === 'code'
      ? spendTypedCode(fields, ({ email, code }) => finish((client) => client.verifyMagicCode(email, code)))
      : askForLink(auth, request, fields),
  );
  const { step, email } = form.state;
  const texts = m.authMail.magic;
  if (step === 'done') return <AuthPage title={texts.title} lead={m.signIn.alreadySignedIn} />;
  const sent = step === 'sent';
  const sentText = request.kind === 'own' ? texts.sent : texts.sentForCode;
  return (
    <AuthPage title={sent ? texts.sentTitle : texts.title} lead={sent ? sentText(email) : texts.lead}>
      {request.kind === 'mobile-session' && <ForApp />}
      {sent ? (
        <MailSent form={form} startAddress={carryOn('/auth/magic', query)}>
          <CodeForm form={form} needsScript={!isDeliverable(request)} />
        </MailSent>
      ) : (
        <AddressForm form={form} label={texts.send} />
      )}
      <div className="mt-8">
        <BackLink to={carryOn('/auth', query)}>{texts.withPassword}</BackLink>
      </div>
    </AuthPage>
  );
}

interface CodeFormProps {
  form: MailForm;
  /** For a session that the browser keeps, or hands to another window. */
  needsScript: boolean;
}

function CodeForm({ form: { state, busy, submit }, needsScript }: CodeFormProps) {
  const { m } = useLanguage();
  const { isLoading } = useAuth();
  const texts = m.authMail.magic;
  return (
    <>
      <form
        method="post"
        noValidate
        onSubmit={submit}
        className={`grid gap-5 ${needsScript ? 'unscripted:hidden' : ''}`}
      >
        <input type="hidden" name="intent" value="code" />
        <input type="hidden" name="email" value={state.email} />
        <CodeField
          error={faultText(state.faults.code, m)}
          defaultValue={state.code}
          // The button that had the focus is gone.
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
      </form>
      {needsScript && (
        <noscript>
          <p className="text-muted">{texts.codeNeedsScript}</p>
        </noscript>
      )}
    </>
  );
}

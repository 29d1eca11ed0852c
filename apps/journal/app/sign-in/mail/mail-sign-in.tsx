import { useSearchParams } from 'react-router';
import { useAuth, useClient } from '../../client/client-context.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { BackLink } from '../../ui/back-link.tsx';
import { Button } from '../../ui/button.tsx';
import { AuthPage } from '../forms/auth-page.tsx';
import { CodeField } from '../forms/code-field.tsx';
import { ForApp } from '../forms/for-app.tsx';
import { faultText } from '../forms/form-errors.ts';
import { carryOn } from '../request/continuation-query.ts';
import type { ServedRequest } from '../request/sign-in-request.ts';
import { isDeliverable } from '../tokens/deliver-tokens.ts';
import { useFinishSignIn } from '../tokens/use-finish-sign-in.ts';
import { AddressForm } from './email-form.tsx';
import { type MailFormState, spendTypedCode } from './mail-form-state.ts';
import { MailSent } from './mail-sent.tsx';
import { askForLink } from './send-sign-in-link.ts';
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

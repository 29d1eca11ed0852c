import { useRef, useState } from 'react';
import { usePasskeySupport } from '../../factors/passkey.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import { CodeField } from '../../sign-in/forms/code-field.tsx';
import { PasswordField } from '../../sign-in/forms/password-field.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { FormMessage } from '../form-message.tsx';
import { useAccountForm } from '../use-account-form.ts';
import type { ProvenForm } from './use-proven-form.ts';

/** Takes the current password, or the code of a mail that a button sends. Shows nothing until a proof is asked for. */
export function ProofFields({ form }: { form: ProvenForm }) {
  const { m } = useLanguage();
  const { send } = m.authMail;
  const { proofKind, proofs, chooseProof, isBusy, errorOf } = form;
  const [sent, setSent] = useState(false);
  const sending = useAccountForm(({ error }) => {
    if (error) return;
    chooseProof('code');
    setSent(true);
  });
  if (!proofKind) return null;
  const kind = <input type="hidden" name="proofKind" value={proofKind} />;
  if (proofKind === 'factor') {
    return (
      <>
        {kind}
        <FactorFields form={form} />
      </>
    );
  }
  return (
    <div className="grid justify-items-start gap-4 [&>*]:w-full">
      {kind}
      {proofKind === 'password' ? (
        <PasswordField
          label={m.account.password.old}
          error={errorOf('proof')}
          name="proof"
          autoComplete="current-password"
          required
          autoFocus
          readOnly={isBusy}
        />
      ) : (
        sent && <CodeField error={errorOf('code')} autoFocus readOnly={isBusy} />
      )}
      <FormMessage result={sending.result} />
      <div className="flex flex-wrap gap-x-5 gap-y-2">
        <Button
          variant="outline"
          size="small"
          busy={sending.isBusy}
          onClick={() => sending.send({ intent: 'send-proof' })}
        >
          {sending.isBusy ? send.sending : sent ? send.again : send.code}
        </Button>
        {proofKind === 'code' && proofs.includes('password') && (
          <Button variant="quiet" size="small" onClick={() => chooseProof('password')}>
            {m.account.proof.usePassword}
          </Button>
        )}
      </div>
    </div>
  );
}

/** Takes a code of the app or a recovery code, or has a passkey shown, which sends the form. */
function FactorFields({ form: { proofs, isBusy, errorOf } }: { form: ProvenForm }) {
  const { m } = useLanguage();
  const isSupported = usePasskeySupport();
  const field = useRef<HTMLInputElement>(null);
  const showing = useAccountForm(({ passkey }) => {
    if (!passkey || !field.current) return;
    // It is the proof of this call alone.
    field.current.value = JSON.stringify(passkey);
    field.current.form?.requestSubmit();
    field.current.value = '';
  });
  return (
    <div className="grid justify-items-start gap-4 [&>*]:w-full">
      <input ref={field} type="hidden" name="passkey" />
      {proofs.includes('passkey') && isSupported && (
        <Button
          variant="outline"
          busy={showing.isBusy}
          disabled={isBusy}
          onClick={() => showing.send({ intent: 'show-passkey' })}
        >
          {showing.isBusy ? m.factors.waiting : m.factors.usePasskey}
        </Button>
      )}
      <FormMessage result={showing.result} />
      <TextField
        label={m.factors.code}
        hint={m.factors.codeHint}
        error={errorOf('code')}
        name="code"
        autoComplete="one-time-code"
        autoCapitalize="characters"
        autoCorrect="off"
        spellCheck={false}
        readOnly={isBusy}
      />
    </div>
  );
}

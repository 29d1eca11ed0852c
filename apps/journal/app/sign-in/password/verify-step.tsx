import { type FormEvent, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useLanguage } from '../../language/language-provider.tsx';
import { Button } from '../../ui/button.tsx';
import { AuthPage } from '../forms/auth-page.tsx';
import { codeComplaintOf } from '../forms/code-complaint.ts';
import { CodeField } from '../forms/code-field.tsx';
import { FormAlert } from '../forms/form-alert.tsx';
import { parseCode } from '../forms/form-fields.ts';
import { carryOn } from '../request/continuation-query.ts';
import type { Complaints } from './check-credentials.ts';

export interface VerifyStepProps {
  email: string;
  /** The code as it was typed, and what the server said to it, when it was sent without a script. */
  code: string;
  complaints: Complaints;
  /** Confirms the address and goes on; rejects with what the client throws. */
  onVerify(code: string): Promise<void>;
  /** Has another mail sent; none while the password is not known. */
  onAgain: (() => Promise<void>) | undefined;
  onOtherAddress(): void;
}

/** There is an account, but nobody signs in before its address is known to be theirs. */
export function VerifyStep({
  email,
  code: typed,
  complaints: initial,
  onVerify,
  onAgain,
  onOtherAddress,
}: VerifyStepProps) {
  const { m } = useLanguage();
  const texts = m.signIn.verify;
  const [query] = useSearchParams();
  const { complaints, busy, sentAgain, run } = useSteps(initial);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const code = parseCode(String(new FormData(form).get('code')));
    run('verify', async () => {
      if (!code) return { code: m.authMail.code.missing };
      await onVerify(code);
      return {};
    }).then((found) => {
      const field = found?.code && form.elements.namedItem('code');
      if (field instanceof HTMLElement) field.focus();
    });
  };

  return (
    <AuthPage title={texts.title} lead={texts.lead(email)}>
      <FormAlert>{complaints.form}</FormAlert>
      <form method="post" noValidate onSubmit={submit} className="grid gap-5">
        <input type="hidden" name="intent" value="verify" />
        <input type="hidden" name="email" value={email} />
        {/* The button that had the focus is gone. */}
        <CodeField error={complaints.code} defaultValue={typed} autoFocus />
        <Button type="submit" size="large" busy={busy === 'verify'} className="mt-2 w-full">
          {busy === 'verify' ? texts.submitting : texts.submit}
        </Button>
      </form>
      <div className="mt-10 grid justify-items-start gap-3 border-t border-hairline pt-6 text-[0.9375rem] text-muted">
        <p role="status">{sentAgain ? texts.sentAgain : m.authMail.send.spam}</p>
        <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
          {onAgain && (
            <Button
              variant="outline"
              busy={busy === 'again'}
              onClick={() => run('again', () => onAgain().then(() => ({})))}
            >
              {texts.again}
            </Button>
          )}
          <a
            href={carryOn('/auth', query)}
            onClick={(event) => {
              event.preventDefault();
              onOtherAddress();
            }}
            className="flex min-h-11 items-center text-ink underline underline-offset-4 hover:text-accent"
          >
            {texts.otherAddress}
          </a>
        </div>
      </div>
    </AuthPage>
  );
}

/** One call at a time; what it is refused with stands beside what it speaks of. */
function useSteps(initial: Complaints) {
  const { m } = useLanguage();
  const [complaints, setComplaints] = useState(initial);
  const [busy, setBusy] = useState<'verify' | 'again'>();
  const [sentAgain, setSentAgain] = useState(false);
  const running = useRef(false);

  const run = async (
    step: 'verify' | 'again',
    act: () => Promise<Complaints>,
  ): Promise<Complaints | undefined> => {
    if (running.current) return undefined;
    running.current = true;
    setBusy(step);
    try {
      const found = await act();
      setComplaints(found);
      if (step === 'again') setSentAgain(true);
      return found;
    } catch (error) {
      const found = codeComplaintOf(error, m);
      setComplaints(found);
      return found;
    } finally {
      running.current = false;
      setBusy(undefined);
    }
  };

  return { complaints, busy, sentAgain, run };
}

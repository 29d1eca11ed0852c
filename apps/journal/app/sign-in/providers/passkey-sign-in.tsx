import type { PasskeyAssertion } from '@fabrica/contract';
import { KeyRound } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { useClient } from '../../client/client-context.tsx';
import { getPasskey, offerPasskeys, PasskeyError, usePasskeySupport } from '../../factors/passkey.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import { Button } from '../../ui/button.tsx';
import type { ActionForm } from '../../ui/use-action-form.ts';
import { useBusy } from '../../ui/use-busy.ts';
import { FormAlert } from '../forms/auth-page.tsx';
import { type FormError, formErrorText, toFormErrors } from '../forms/form-errors.ts';
import type { SignInOutcome } from '../password/sign-in-action.ts';

/**
 * Starts something now, and again when the browser shows the page that it kept for the way back. The signal is aborted when
 * the page is left: no browser keeps a page that waits for a passkey. Returns a function that ends it for good.
 */
function whileShown(start: (signal: AbortSignal) => void): () => void {
  const listening = new AbortController();
  let shown = new AbortController();
  const restart = () => {
    shown = new AbortController();
    start(shown.signal);
  };
  const { signal } = listening;
  window.addEventListener('pagehide', () => shown.abort(), { signal });
  window.addEventListener('pageshow', ({ persisted }) => persisted && restart(), { signal });
  signal.addEventListener('abort', () => shown.abort());
  restart();
  return () => listening.abort();
}

export interface PasskeySignInProps {
  form: Pick<ActionForm<SignInOutcome>, 'send' | 'busy'>;
  /** Says why the last passkey was not taken. */
  error: FormError | undefined;
}

/** Signs in with a passkey: by a button, and among the entries that the browser offers for the e-mail field. */
export function PasskeySignIn({ form, error }: PasskeySignInProps) {
  const { m } = useLanguage();
  const { auth } = useClient();
  const isSupported = usePasskeySupport();
  const [failure, setFailure] = useState<FormError>();
  const asking = useBusy<'passkey'>((thrown) =>
    setFailure(thrown instanceof PasskeyError ? 'PASSKEY_NOT_SHOWN' : toFormErrors(thrown).form),
  );
  const isBusy = asking.busy !== undefined || form.busy === 'passkey';

  const send = (credential: PasskeyAssertion) =>
    form.send({ intent: 'passkey', credential: JSON.stringify(credential) });
  const ask = () =>
    asking.run('passkey', async () => {
      setFailure(undefined);
      send(await getPasskey(await auth.passkeyOptions()));
    });

  const offer = useEffectEvent(async (signal: AbortSignal) => {
    // Without the offer there is still the button.
    const credential = await offerPasskeys(() => auth.passkeyOptions(), signal).catch(() => undefined);
    if (credential) send(credential);
  });
  useEffect(() => whileShown((signal) => void offer(signal)), []);

  if (!isSupported) return null;
  return (
    <>
      <FormAlert>{formErrorText(failure ?? error, m)}</FormAlert>
      <Button
        variant="outline"
        size="large"
        busy={isBusy}
        onClick={() => void ask()}
        className="w-full unscripted:hidden"
      >
        <KeyRound aria-hidden="true" className="size-[1.125rem] shrink-0" />
        {isBusy ? m.factors.waiting : m.factors.passkeySignIn}
      </Button>
    </>
  );
}

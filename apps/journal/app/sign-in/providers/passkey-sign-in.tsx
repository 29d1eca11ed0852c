import { KeyRound } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { useClient } from '../../client/client-context.tsx';
import { getPasskey, offerPasskeys, PasskeyError, usePasskeySupport } from '../../factors/passkey.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import { Button } from '../../ui/button.tsx';
import { FormAlert } from '../forms/auth-page.tsx';
import { type FormError, formErrorText, toFormErrors } from '../forms/form-errors.ts';
import { useOneAtATime } from '../forms/use-one-at-a-time.ts';
import type { SignInCall } from '../tokens/hand-over-tokens.ts';

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

/** Signs in with a passkey: by a button, and among the entries that the browser offers for the e-mail field. */
export function PasskeySignIn({ finish }: { finish(call: SignInCall): Promise<void> }) {
  const { m } = useLanguage();
  const { auth } = useClient();
  const isSupported = usePasskeySupport();
  const [failure, setFailure] = useState<FormError>();
  const { busy, run } = useOneAtATime<'passkey'>();

  const signIn = (ask: () => ReturnType<typeof offerPasskeys>) =>
    run('passkey', async () => {
      setFailure(undefined);
      try {
        const credential = await ask();
        if (credential) await finish((client) => client.signInWithPasskey(credential));
      } catch (error) {
        setFailure(error instanceof PasskeyError ? 'PASSKEY_NOT_SHOWN' : toFormErrors(error).form);
      }
    });

  const offer = useEffectEvent(async (signal: AbortSignal) => {
    // Without the offer there is still the button.
    const credential = await offerPasskeys(() => auth.passkeyOptions(), signal).catch(() => undefined);
    if (credential) await signIn(async () => credential);
  });
  useEffect(() => whileShown((signal) => void offer(signal)), []);

  if (!isSupported) return null;
  return (
    <>
      <FormAlert>{formErrorText(failure, m)}</FormAlert>
      <Button
        variant="outline"
        size="large"
        busy={busy !== undefined}
        onClick={() => void signIn(async () => getPasskey(await auth.passkeyOptions()))}
        className="w-full unscripted:hidden"
      >
        <KeyRound aria-hidden="true" className="size-[1.125rem] shrink-0" />
        {busy ? m.factors.waiting : m.factors.passkeySignIn}
      </Button>
    </>
  );
}

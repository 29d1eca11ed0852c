import { readSecondStep } from '@fabrica/client';
import { useCallback } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { useClient } from '../../client/client-context.tsx';
import type { SignInTarget } from '../target/sign-in-target.ts';
import { STEP_PATH, withTarget } from '../target/target-query.ts';
import { handOverTokens, type SignInCall } from './hand-over-tokens.ts';

/**
 * Returns the function that finishes every sign-in of these pages: by password, by the code of a mail, by a provider.
 *
 * Pass it the call that signs in. For this site the call is made on the page's own client, and the reader goes on to
 * `returnTo`. For another page, a popup's opener or an app it is made on a separate client, whose session is handed
 * over and not stored here. A sign-in that has to take a second step goes on at `/auth/step`. It resolves when the navigation has started, and rejects with what the call throws: then
 * nobody is signed in, and the form shows the error.
 *
 *     const finish = useFinishSignIn(target);
 *     await finish((auth) => auth.verifyMagicCode(email, code));
 */
export function useFinishSignIn(target: SignInTarget): (signIn: SignInCall) => Promise<void> {
  const client = useClient();
  const navigate = useNavigate();
  const [query] = useSearchParams();
  return useCallback(
    async (signIn) => {
      try {
        if (target.kind === 'own') {
          await signIn(client.auth);
          return await navigate(target.returnTo, { replace: true });
        }
        const url = await handOverTokens(client.projectId, target, signIn);
        if (url.startsWith('/')) return await navigate(url, { replace: true });
        window.location.assign(url);
      } catch (error) {
        const step = readSecondStep(error);
        if (!step) throw error;
        // The ticket stays in this tab's history, and out of the URL.
        await navigate(withTarget(STEP_PATH, query), { replace: true, state: { step } });
      }
    },
    [target, client, navigate, query],
  );
}

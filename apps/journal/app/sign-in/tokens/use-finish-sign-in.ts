import { useCallback } from 'react';
import { useNavigate } from 'react-router';
import { useClient } from '../../client/client-context.tsx';
import type { SignInTarget } from '../target/sign-in-target.ts';
import { handOverTokens, type SignInCall } from './hand-over-tokens.ts';

/**
 * Returns the function that finishes every sign-in of these pages: by password, by the code of a mail, by a provider.
 *
 * Pass it the call that signs in. For this site the call is made on the page's own client, and the reader goes on to
 * `returnTo`. For another page, a popup's opener or an app it is made on a separate client, whose session is handed
 * over and not stored here. It resolves when the navigation has started, and rejects with what the call throws: then
 * nobody is signed in, and the form shows the error.
 *
 *     const finish = useFinishSignIn(target);
 *     await finish((auth) => auth.verifyMagicCode(email, code));
 */
export function useFinishSignIn(target: SignInTarget): (signIn: SignInCall) => Promise<void> {
  const client = useClient();
  const navigate = useNavigate();
  return useCallback(
    async (signIn) => {
      if (target.kind === 'own') {
        await signIn(client.auth);
        return navigate(target.returnTo, { replace: true });
      }
      const url = await handOverTokens(client.projectId, target, signIn);
      if (url.startsWith('/')) return navigate(url, { replace: true });
      window.location.assign(url);
    },
    [target, client, navigate],
  );
}

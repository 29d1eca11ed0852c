import { type Auth, AuthError } from '@fabrica/client';
import { useCallback } from 'react';
import { useNavigate } from 'react-router';
import { useClient } from '../../client/client-context.tsx';
import type { SignInRequest } from '../request/sign-in-request.ts';
import { handOverTokens } from './hand-over-tokens.ts';

/** One way of signing in, on whichever client it is to happen: `(auth) => auth.signInWithEmail(email, password)`. */
export type Enter = (auth: Auth) => Promise<unknown>;

/**
 * How every sign-in of these pages ends, whatever it began with: a password, the code of a mail, a provider.
 *
 * Give the answered function the call that signs in. For this site itself it is made on the page's own client, and
 * the reader goes on to `returnTo`. For another page, a popup's opener or an app it is made on a client apart, whose
 * session is handed over and kept nowhere here. It resolves when the reader is on the way, and rejects with what the
 * call throws: then nobody is signed in, and the form says why.
 *
 *     const finish = useFinishSignIn(request);
 *     await finish((auth) => auth.verifyMagicCode(email, code));
 */
export function useFinishSignIn(request: SignInRequest): (enter: Enter) => Promise<void> {
  const client = useClient();
  const navigate = useNavigate();
  return useCallback(
    async (enter) => {
      if (request.kind === 'refused') throw new AuthError('REDIRECT_FAILED');
      if (request.kind === 'own') {
        await enter(client.auth);
        return navigate(request.returnTo, { replace: true });
      }
      const address = await handOverTokens(client.projectId, request, enter);
      if (address.startsWith('/')) return navigate(address, { replace: true });
      window.location.assign(address);
    },
    [request, client, navigate],
  );
}

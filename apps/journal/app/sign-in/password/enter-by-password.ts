import type { Auth } from '@fabrica/client';
import type { Credentials, SignInView } from './check-credentials.ts';

/** Signs in, or makes the account that then is signed in. */
export function enterByPassword(
  view: SignInView,
  { email, password, displayName }: Credentials,
): (auth: Auth) => Promise<unknown> {
  return (auth) =>
    view === 'sign-up'
      ? auth.signUp({ email, password, displayName: displayName || undefined })
      : auth.signInWithEmail(email, password);
}

import type { PageBackend } from '../../backend-context.ts';
import { giveWantedLikes } from '../../post/likes/give-like.ts';
import { readStepCookie, setStepCookie } from '../second-step/step-cookie.ts';
import type { RefusedTarget, SignInTarget } from '../target/sign-in-target.ts';
import { deliverTokens, requireTokens, worksWithoutScript } from './deliver-tokens.ts';
import type { SigningIn } from './signing-in.ts';

/**
 * Returns the sign-in of a form that was sent without JavaScript; undefined for a target that the server does not serve. For this
 * site the server keeps the session; another page or an app receives it.
 */
export function signingInOnServer(
  backend: PageBackend,
  target: SignInTarget | RefusedTarget,
  query: URLSearchParams,
): SigningIn | undefined {
  if (target.kind === 'refused' || !worksWithoutScript(target)) return undefined;
  const { auth } = backend.client;
  const step = readStepCookie(backend);
  /** Whether nobody has signed in since the session that the server keeps, if it keeps one. */
  const isKept = () => auth.getState().tokens?.refresh_token === backend.session.tokens?.refresh_token;
  const keep = async () => {
    if (target.kind !== 'own' || isKept()) return;
    backend.session.keep(requireTokens(auth));
    await giveWantedLikes(backend);
  };
  return {
    target,
    query,
    auth,
    step,
    setStep(next) {
      if (next ?? step) setStepCookie(backend, next);
    },
    keep,
    async deliver() {
      await keep();
      if (target.kind === 'own') return target.returnTo;
      if (isKept()) throw new Error('Others receive a session only by a sign-in that was made for them.');
      return deliverTokens(auth, backend.projectId, target);
    },
    reportFailure: backend.reportFailure,
  };
}

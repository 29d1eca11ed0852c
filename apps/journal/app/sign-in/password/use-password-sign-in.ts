import { type RefObject, useRef, useState } from 'react';
import { useClient } from '../../client/client-context.tsx';
import { errorCode } from '../forms/error-code.ts';
import type { ServedRequest } from '../request/sign-in-request.ts';
import { type Enter, useFinishSignIn } from '../tokens/use-finish-sign-in.ts';
import type { Credentials, SignInView } from './check-credentials.ts';
import { enterByPassword } from './enter-by-password.ts';
import type { SignInOutcome } from './sign-in-outcome.ts';

export interface Entering {
  /** What came of it so far, be it that the server took the step or the browser. */
  outcome: SignInOutcome | undefined;
  /** A sign-in is being made, and goes on by itself. */
  underWay: RefObject<boolean>;
  /** Signs in or up; rejects with what the client throws, but for an address that is yet to be confirmed. */
  enter(credentials: Credentials): Promise<void>;
  /** Spends the six digits of a mail, and signs in with what was typed before if that is known. */
  verify(code: string): Promise<void>;
  /** Has another mail sent; undefined while the password is not known. */
  sendAgain: (() => Promise<void>) | undefined;
  changeAddress(): void;
}

/** Signing in by password, with the confirmation of the address where that is asked for. */
export function useEntering(
  request: ServedRequest,
  view: SignInView,
  initial: SignInOutcome | undefined,
): Entering {
  const { auth } = useClient();
  const finish = useFinishSignIn(request);
  const [outcome, setOutcome] = useState(initial);
  const [password, setPassword] = useState<string>();
  const underWay = useRef(false);
  const verified = useRef(false);
  const email = outcome?.typed.email ?? '';

  const finishWith = async (act: Enter) => {
    underWay.current = true;
    try {
      await finish(act);
    } finally {
      underWay.current = false;
    }
  };
  const signIn = (by: string): Enter => enterByPassword('sign-in', { email, password: by, displayName: '' });

  return {
    outcome,
    underWay,
    async enter(credentials) {
      try {
        await finishWith(enterByPassword(view, credentials));
      } catch (error) {
        if (!isUnverified(error)) throw error;
        verified.current = false;
        setPassword(credentials.password);
        const typed = { email: credentials.email, displayName: credentials.displayName, code: '' };
        setOutcome({ complaints: {}, typed, step: 'verify', verified: false });
      }
    },
    async verify(code) {
      if (password === undefined) {
        await auth.verifyEmail({ email, code });
        return setOutcome(outcome && { ...outcome, complaints: {}, step: 'credentials', verified: true });
      }
      await finishWith(async (entered) => {
        // The code is good once: should the sign-in after it fail, that alone is tried anew.
        if (!verified.current) await entered.verifyEmail({ email, code });
        verified.current = true;
        await signIn(password)(entered);
      });
    },
    sendAgain:
      password === undefined
        ? undefined
        : () =>
            finishWith(signIn(password)).catch((error: unknown) => {
              // Being refused is what sends the mail; if the link in the last one was pressed, this signs in.
              if (!isUnverified(error)) throw error;
            }),
    changeAddress: () =>
      setOutcome(outcome && { ...outcome, complaints: {}, step: 'credentials', verified: false }),
  };
}

function isUnverified(error: unknown): boolean {
  return errorCode(error) === 'EMAIL_NOT_VERIFIED';
}

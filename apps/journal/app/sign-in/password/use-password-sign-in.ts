import { type RefObject, useRef, useState } from 'react';
import { useClient } from '../../client/client-context.tsx';
import { clientErrorCode } from '../forms/form-errors.ts';
import type { SignInTarget } from '../target/sign-in-target.ts';
import type { SignInCall } from '../tokens/hand-over-tokens.ts';
import { useFinishSignIn } from '../tokens/use-finish-sign-in.ts';
import type { SignInOutcome } from './sign-in-action.ts';
import { passwordSignIn, type SignInFields, type SignInView } from './sign-in-fields.ts';

export interface PasswordSignIn {
  /** The result so far, whether the server or the browser took the step. */
  outcome: SignInOutcome | undefined;
  /** Finishes any sign-in of this page. */
  finish(call: SignInCall): Promise<void>;
  /** Whether a sign-in is under way, which navigates by itself. */
  isFinishing: RefObject<boolean>;
  /** Signs in or up. Rejects with what the client throws, except for an email that is not verified yet. */
  signIn(fields: SignInFields): Promise<void>;
  /** Submits the code of a mail with the password, which was typed before or beside it. Signs in if it was typed before. */
  verify(code: string, typedPassword: string): Promise<void>;
  /** Sends another mail; undefined while the password is not known. */
  resend: (() => Promise<void>) | undefined;
  changeEmail(): void;
}

/** Signs in by password, with the verification of the email where it is required. */
export function usePasswordSignIn(
  target: SignInTarget,
  view: SignInView,
  initial: SignInOutcome | undefined,
): PasswordSignIn {
  const { auth } = useClient();
  const finish = useFinishSignIn(target);
  const [outcome, setOutcome] = useState(initial);
  const [password, setPassword] = useState<string>();
  const isFinishing = useRef(false);
  const isVerified = useRef(false);
  const email = outcome?.typed.email ?? '';

  const finishWith = async (call: SignInCall) => {
    isFinishing.current = true;
    try {
      await finish(call);
    } finally {
      isFinishing.current = false;
    }
  };
  const backToForm = (verified: boolean) =>
    setOutcome(outcome && { ...outcome, errors: {}, step: 'credentials', verified });

  return {
    outcome,
    finish: finishWith,
    isFinishing,
    async signIn(fields) {
      try {
        await finishWith(passwordSignIn(view, fields));
      } catch (error) {
        if (!isUnverified(error)) throw error;
        isVerified.current = false;
        setPassword(fields.password);
        const typed = { email: fields.email, displayName: fields.displayName, code: '' };
        setOutcome({ errors: {}, typed, step: 'verify', verified: false });
      }
    },
    async verify(code, typedPassword) {
      if (password === undefined) {
        await auth.verifyEmail({ email, code }, { password: typedPassword || undefined });
        return backToForm(true);
      }
      await finishWith(async (client) => {
        // The code works once: if the sign-in after it fails, only the sign-in is tried again.
        if (!isVerified.current) await client.verifyEmail({ email, code }, { password });
        isVerified.current = true;
        await client.signInWithEmail(email, password);
      });
    },
    resend:
      password === undefined
        ? undefined
        : () =>
            finishWith((client) => client.signInWithEmail(email, password)).catch((error: unknown) => {
              // This error is expected, as it sends the mail. If the email was verified meanwhile, this signs in.
              if (!isUnverified(error)) throw error;
            }),
    changeEmail: () => backToForm(false),
  };
}

function isUnverified(error: unknown): boolean {
  return clientErrorCode(error) === 'EMAIL_NOT_VERIFIED';
}

import { type AuthClient, readSecondStep } from '@fabrica/client';
import type { SecondStepDetails } from '@fabrica/contract';
import { redirect, replace } from 'react-router';
import type { SignInTarget } from '../target/sign-in-target.ts';
import { STEP_PATH, withTarget } from '../target/target-query.ts';
import { hasOpener } from './opener-window.ts';
import { resultPath } from './sign-in-result.tsx';

/**
 * A sign-in in progress, for the action of a form. The server makes it for a browser without a script (`signingInOnServer`), and
 * the browser itself with one (`signingInHere`); the action is the same.
 */
export interface SigningIn {
  target: SignInTarget;
  /** The query of the page, which names the target. */
  query: URLSearchParams;
  /** The client that signs in, anonymous before that. */
  auth: AuthClient;
  /** The second step that an earlier form led to. */
  step: SecondStepDetails | undefined;
  /** Remembers the second step for the page that takes it; `undefined` forgets it. It is in no URL. */
  setStep(step: SecondStepDetails | undefined): void;
  /** Keeps the session beyond this form, on this site alone where the server does. */
  keep(): Promise<void>;
  /** Delivers the session to the target, and returns the URL that the reader goes on to. */
  deliver(): Promise<string>;
  /** Logs an error that is nobody's fault but ours. */
  reportFailure(error: unknown): void;
}

/** Signs in on a given client, as `(auth) => auth.signInWithEmail(email, password)` does. */
export type SignInCall = (auth: AuthClient) => Promise<unknown>;

/**
 * Signs in and leads on: to the target, or to the second step where the account asks for one. Every sign-in of these pages ends
 * here. Rejects with what the call throws: then nobody is signed in, and the form shows the error.
 */
export async function signIn(signingIn: SigningIn, call: SignInCall): Promise<Response> {
  if (signingIn.target.kind === 'popup' && !hasOpener()) return leadTo(resultPath('opener-gone'));
  try {
    await call(signingIn.auth);
  } catch (error) {
    const step = readSecondStep(error);
    if (!step) throw error;
    signingIn.setStep(step);
    return leadTo(withTarget(STEP_PATH, signingIn.query));
  }
  return goOn(signingIn);
}

/** Leads a reader who has signed in to the target. */
export async function goOn(signingIn: SigningIn): Promise<Response> {
  signingIn.setStep(undefined);
  return leadTo(await signingIn.deliver());
}

/** A page of the sign-in is of no use on the way back, so a page of this site takes its place in the history. */
function leadTo(url: string): Response {
  return url.startsWith('/') ? replace(url, 303) : redirect(url, 303);
}

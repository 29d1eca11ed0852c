import type { Complaints } from './check-credentials.ts';

/** What the server made of a form that was sent without a script; the page shows it anew. */
export interface SignInOutcome {
  complaints: Complaints;
  /** As it was typed; never the password. */
  typed: { email: string; displayName: string; code: string };
  /** `verify`: there is an account, and its address waits for the six digits of a mail. */
  step: 'credentials' | 'verify';
  /** The six digits were right: all that is left is to sign in. */
  verified: boolean;
}

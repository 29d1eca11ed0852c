import { codeOfStep, stepAt } from '../../src/services/auth/factors/totp.ts';

/** Returns the code that an authenticator app shows now, or so many steps from now. */
export function codeNow(secret: string, steps = 0): string {
  return codeOfStep(secret, stepAt(Date.now()) + steps);
}

import type { FabricaClient } from '@fabrica/client';
import type { SignInTarget } from '../target/sign-in-target.ts';
import { type MailFormState, submitEmail } from './mail-form-state.ts';

/**
 * Requests a sign-in link that leads to the target. A link cannot reach a window or an app that waits for its session,
 * so those readers type the mail's code where they started.
 */
export function sendSignInLink(
  auth: FabricaClient['auth'],
  target: SignInTarget,
  fields: FormData,
): Promise<MailFormState> {
  return submitEmail(fields, (email) => auth.sendMagicLink(email, destinationOf(target)));
}

function destinationOf(target: SignInTarget): { redirectUrl?: string; returnTo?: string } {
  if (target.kind === 'own') return { returnTo: target.returnTo };
  return target.kind === 'redirect' ? { redirectUrl: target.redirectUrl } : {};
}

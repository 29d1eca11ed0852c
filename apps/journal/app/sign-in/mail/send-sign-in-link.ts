import type { FabricaClient } from '@fabrica/client';
import type { ServedRequest } from '../request/sign-in-request.ts';
import { askForMail, type MailFormState } from './mail-form-state.ts';

/**
 * Has a sign-in link mailed that leads to where the reader came for. A window or an app that waits for its session
 * cannot be reached by a link: there the mail's code is typed where one began.
 */
export function askForLink(
  auth: FabricaClient['auth'],
  request: ServedRequest,
  fields: FormData,
): Promise<MailFormState> {
  return askForMail(fields, (email) => auth.sendMagicLink(email, destination(request)));
}

function destination(request: ServedRequest): { redirectUrl?: string; returnTo?: string } {
  if (request.kind === 'own') return { returnTo: request.returnTo };
  return request.kind === 'hand-over' ? { redirectUrl: request.handOver.redirectUrl } : {};
}

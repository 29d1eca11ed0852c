import type { Auth } from '@fabrica/client';
import type { ServedRequest } from '../request/sign-in-request.ts';
import { endingAddress } from './endings.ts';
import { tokenAddress } from './token-address.ts';

/** What can be answered without a window of the reader's: a form without a script is enough. */
export type DeliverableRequest = Extract<ServedRequest, { kind: 'hand-over' | 'mobile-session' }>;

export function isDeliverable(request: ServedRequest): request is DeliverableRequest {
  return request.kind === 'hand-over' || request.kind === 'mobile-session';
}

/** Gives the session of `auth` to whoever asked for it; answers the address that the reader goes on to. */
export async function deliverTokens(
  auth: Auth,
  projectId: string,
  request: DeliverableRequest,
): Promise<string> {
  if (request.kind === 'hand-over') {
    const { tokens } = auth.getState();
    if (!tokens) throw new Error('Signed in without tokens.');
    return tokenAddress(projectId, request.handOver, tokens);
  }
  try {
    await auth.handToMobileSession(request.sessionId);
  } finally {
    // The app is given a session of its own; this one has done its work.
    await auth.signOut();
  }
  return endingAddress('app');
}

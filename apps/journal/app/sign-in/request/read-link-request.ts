import { type ReadRequestOptions, readSignInRequest, type SignInRequest } from './sign-in-request.ts';

export type LinkRequest = Extract<SignInRequest, { kind: 'own' | 'hand-over' | 'refused' }>;

/**
 * Where the link of a mail leads: it is used here, or handed on to an allowed origin. A window or an app that
 * waits for a session does so elsewhere, and is given the mail's code.
 */
export function readLinkRequest(query: URLSearchParams, options: ReadRequestOptions): LinkRequest {
  const request = readSignInRequest(query, options);
  return request.kind === 'popup' || request.kind === 'mobile-session'
    ? { kind: 'refused', reason: 'mode' }
    : request;
}

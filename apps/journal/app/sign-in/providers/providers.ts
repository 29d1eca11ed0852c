import type { ServedRequest } from '../request/sign-in-request.ts';

const NAMES: Record<string, string> = {
  google: 'Google',
  microsoft: 'Microsoft',
  apple: 'Apple',
  github: 'GitHub',
};

/** Who vouches for readers here. */
export interface ProviderChoice {
  id: string;
  /** As people know it. */
  label: string;
}

/** What people call a provider of which nothing but the id is known. */
export function providerName(id: string): string {
  return NAMES[id] ?? `${id.charAt(0).toUpperCase()}${id.slice(1)}`;
}

/** Where the sign-in at a provider begins; what the page was asked for goes along and comes back. */
export function authorizeAddress(id: string, projectId: string, request: ServedRequest): string {
  const query = new URLSearchParams({ provider: id, project_id: projectId, ...askedOf(request) });
  return `/api/auth/authorize?${query}`;
}

function askedOf(request: ServedRequest): Record<string, string> {
  switch (request.kind) {
    case 'own':
      return { return_to: request.returnTo };
    case 'hand-over': {
      const { redirectUrl, state } = request.handOver;
      return { mode: 'redirect', redirect_url: redirectUrl, ...(state !== null && { state }) };
    }
    case 'popup': {
      const { openerOrigin, state } = request;
      return { mode: 'popup', opener_origin: openerOrigin, ...(state !== null && { state }) };
    }
    case 'mobile-session':
      return { mode: 'mobile-session', session_id: request.sessionId };
  }
}

import type { PageBackend } from '../../backend-context.ts';
import type { SignInTarget } from '../target/sign-in-target.ts';

const NAMES: Record<string, string> = {
  google: 'Google',
  microsoft: 'Microsoft',
  apple: 'Apple',
  github: 'GitHub',
};

/** An identity provider that readers can sign in with. */
export type ProviderChoice = PageBackend['providers'][number];

/** Returns the name of a provider of which only the id is known. */
export function providerName(id: string): string {
  return NAMES[id] ?? `${id.charAt(0).toUpperCase()}${id.slice(1)}`;
}

/** Returns the URL where a sign-in at a provider starts; the target comes back with the result. */
export function authorizeUrl(id: string, projectId: string, target: SignInTarget): string {
  const query = new URLSearchParams({ provider: id, project_id: projectId, ...targetParameters(target) });
  return `/api/auth/authorize?${query}`;
}

function targetParameters(target: SignInTarget): Record<string, string> {
  switch (target.kind) {
    case 'own':
      return { return_to: target.returnTo };
    case 'redirect': {
      const { redirectUrl, state } = target;
      return { mode: 'redirect', redirect_url: redirectUrl, ...(state !== null && { state }) };
    }
    case 'popup': {
      const { openerOrigin, state } = target;
      return { mode: 'popup', opener_origin: openerOrigin, ...(state !== null && { state }) };
    }
    case 'mobile-session':
      return { mode: 'mobile-session', session_id: target.sessionId };
  }
}

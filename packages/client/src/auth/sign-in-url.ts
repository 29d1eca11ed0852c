import type { WindowLike } from '../browser/window.ts';
import { storeSignInState } from './session/url-tokens.ts';

export interface SignInTarget {
  window: WindowLike;
  /** Of the backend; empty for the page's own. */
  origin: string;
  projectId: string;
  /** An identity provider to go on to at once. */
  provider?: string | undefined;
  /** A path of this site, by default the present one. */
  returnTo?: string | undefined;
}

/** The origin that the sign-in page is on, and its messages come from. */
export function signInOrigin(window: WindowLike, origin: string): string {
  return origin ? new URL(origin).origin : window.location.origin;
}

/**
 * On the backend's own origin the sign-in page signs in by itself and goes back to a path; a page of
 * another origin is handed its tokens in the address (wire contract, `/auth`).
 */
export function redirectUrl({ window, origin, projectId, provider, returnTo }: SignInTarget): string {
  const back = findReturn(window, returnTo);
  const chosen = provider ? { provider } : {};
  if (signInOrigin(window, origin) === back.origin) {
    const path = `${back.pathname}${back.search}${back.hash}`;
    return `/auth?${new URLSearchParams({ ...chosen, return_to: path })}`;
  }
  const query = new URLSearchParams({
    ...chosen,
    redirect_url: back.href,
    project_id: projectId,
    mode: 'redirect',
    state: storeSignInState(window, projectId),
  });
  return `${trimEnd(origin)}/auth?${query}`;
}

/** The sign-in page that hands its tokens to the window that opened it, along with `state`. */
export function popupUrl(place: SignInTarget, state: string): string {
  const { window, origin, projectId, provider, returnTo } = place;
  const query = new URLSearchParams({
    ...(provider && { provider }),
    project_id: projectId,
    mode: 'popup',
    state,
    opener_origin: window.location.origin,
    redirect_url: findReturn(window, returnTo).href,
  });
  return `${trimEnd(origin)}/auth?${query}`;
}

function findReturn(window: WindowLike, returnTo: string | undefined): URL {
  const here = new URL(window.location.href);
  const wanted = URL.canParse(returnTo ?? '', here.origin)
    ? new URL(returnTo ?? here.href, here.origin)
    : here;
  return wanted.origin === here.origin ? wanted : new URL('/', here.origin);
}

function trimEnd(origin: string): string {
  return origin.replace(/\/+$/, '');
}

import type { WindowLike } from '../browser/window.ts';
import { storeSignInState } from './session/url-tokens.ts';

export interface SignInPageTarget {
  window: WindowLike;
  /** The backend's origin; empty for the page's own. */
  origin: string;
  projectId: string;
  /** An identity provider to continue with at once. */
  provider?: string | undefined;
  /** A path of this site. Default: the current one. */
  returnTo?: string | undefined;
}

/** Returns the origin of the sign-in page, which is also the origin of its messages. */
export function signInOrigin(window: WindowLike, origin: string): string {
  return origin ? new URL(origin).origin : window.location.origin;
}

/**
 * Returns the URL of the sign-in page for a redirect. On the backend's own origin the sign-in page stores the session
 * and returns to a path; a page of another origin receives its tokens in the URL (wire contract, `/auth`).
 */
export function buildRedirectUrl({
  window,
  origin,
  projectId,
  provider,
  returnTo,
}: SignInPageTarget): string {
  const returnUrl = findReturnUrl(window, returnTo);
  const providerParameter = provider ? { provider } : {};
  if (signInOrigin(window, origin) === returnUrl.origin) {
    const path = `${returnUrl.pathname}${returnUrl.search}${returnUrl.hash}`;
    return `/auth?${new URLSearchParams({ ...providerParameter, return_to: path })}`;
  }
  const query = new URLSearchParams({
    ...providerParameter,
    redirect_url: returnUrl.href,
    project_id: projectId,
    mode: 'redirect',
    state: storeSignInState(window, projectId),
  });
  return `${origin}/auth?${query}`;
}

/**
 * Returns the URL of the sign-in page for a popup, which sends its tokens and `state` to the window that opened it.
 */
export function buildPopupUrl(target: SignInPageTarget, state: string): string {
  const { window, origin, projectId, provider, returnTo } = target;
  const query = new URLSearchParams({
    ...(provider && { provider }),
    project_id: projectId,
    mode: 'popup',
    state,
    opener_origin: window.location.origin,
    redirect_url: findReturnUrl(window, returnTo).href,
  });
  return `${origin}/auth?${query}`;
}

/** Returns the page to return to: a page of this site, even if `returnTo` names another one. */
function findReturnUrl(window: WindowLike, returnTo: string | undefined): URL {
  const current = new URL(window.location.href);
  const requested = URL.canParse(returnTo ?? '', current.origin)
    ? new URL(returnTo ?? current.href, current.origin)
    : current;
  return requested.origin === current.origin ? requested : new URL('/', current.origin);
}

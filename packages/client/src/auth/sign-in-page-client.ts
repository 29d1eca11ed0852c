import type { User } from '@fabrica/contract';
import type { WindowLike } from '../browser/window.ts';
import { AuthError } from '../http/errors.ts';
import type { AuthClientOptions } from './auth-client-options.ts';
import { fetchUser } from './session/tokens.ts';
import { createSignInState } from './session/url-tokens.ts';
import { openSignInPopup, type SignInPopup } from './sign-in-popup.ts';
import { buildPopupUrl, buildRedirectUrl, type SignInPageTarget, signInOrigin } from './sign-in-url.ts';

export interface SignInPageOptions {
  /** A path of this site that a redirect returns to. Default: the current one. */
  returnTo?: string | undefined;
}

/** Signs in through the backend's sign-in page. */
export interface SignInPageClient {
  /** Redirects to the sign-in page. `returnTo` is a path of this site; the default is the current one. */
  login(returnTo?: string): void;
  /**
   * Opens the sign-in page in a popup. Call it in a click handler, before any `await`. Returns null if the page
   * redirects to the sign-in page instead: where popups are blocked, and in an embedded page. A second call focuses
   * the open popup. Throws POPUP_CANCELED, AUTH_TIMEOUT after 300 s, …
   */
  signInWithPopup(options?: SignInPageOptions): Promise<User | null>;
  /**
   * Does the same with an identity provider; `mode: 'redirect'` redirects the page itself. A call for another
   * provider replaces an open popup, and the first call throws POPUP_CANCELED.
   */
  signInWithProvider(
    provider: string,
    options?: SignInPageOptions & { mode?: 'popup' | 'redirect' | undefined },
  ): Promise<User | null>;
  /** Closes an open popup. */
  cancelPopup(): void;
}

interface Attempt {
  provider: string | undefined;
  popup: SignInPopup;
  result: Promise<User>;
}

export function createSignInPageClient({
  session,
  send,
  projectId,
  origin,
  window,
  now,
}: AuthClientOptions): SignInPageClient {
  let current: Attempt | undefined;

  function targetOf(choice: {
    provider?: string | undefined;
    returnTo?: string | undefined;
  }): SignInPageTarget {
    if (!window) throw new AuthError('REDIRECT_FAILED');
    return { window, origin, projectId, ...choice };
  }

  function redirect(target: SignInPageTarget): null {
    target.window.location.assign(buildRedirectUrl(target));
    return null;
  }

  async function finish(popup: SignInPopup): Promise<User> {
    const tokens = await popup.tokens;
    const user = await fetchUser(send, tokens);
    session.signIn(tokens, user);
    return user;
  }

  // Async, but without `await`: everything runs in the caller's click.
  async function openPopup(target: SignInPageTarget): Promise<User | null> {
    const { provider } = target;
    if (current?.popup.isOpen && current.provider === provider) {
      current.popup.focus();
      return current.result;
    }
    current?.popup.cancel();
    if (cannotUsePopup(target.window)) return redirect(target);
    const state = createSignInState();
    const popup = openSignInPopup({
      window: target.window,
      url: buildPopupUrl(target, state),
      origin: signInOrigin(target.window, origin),
      projectId,
      state,
      now,
    });
    if (!popup) return redirect(target);
    const attempt: Attempt = { provider, popup, result: finish(popup) };
    current = attempt;
    return attempt.result.finally(() => {
      if (current === attempt) current = undefined;
    });
  }

  return {
    login: (returnTo) => void redirect(targetOf({ returnTo })),
    signInWithPopup: async ({ returnTo } = {}) => openPopup(targetOf({ returnTo })),
    async signInWithProvider(provider, { returnTo, mode = 'popup' } = {}) {
      const target = targetOf({ provider, returnTo });
      return mode === 'redirect' ? redirect(target) : openPopup(target);
    },
    cancelPopup: () => current?.popup.cancel(),
  };
}

/** Many browsers block popups of an embedded page, and an isolated page receives no messages from its popups. */
function cannotUsePopup(window: WindowLike): boolean {
  return (window.parent as unknown) !== window || window.crossOriginIsolated === true;
}

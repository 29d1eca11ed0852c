import type { User } from '@fabrica/contract';
import type { WindowLike } from '../browser/window.ts';
import { AuthError } from '../http/errors.ts';
import type { AuthClientOptions } from './auth-client-options.ts';
import { fetchUser } from './find-owner.ts';
import { createSignInState } from './session/url-tokens.ts';
import { openSignInPopup, type SignInPopup } from './sign-in-popup.ts';
import { popupUrl, redirectUrl, type SignInTarget, signInOrigin } from './sign-in-url.ts';

export interface SignInPageOptions {
  /** Where a redirect comes back to: a path of this site, by default the present one. */
  returnTo?: string | undefined;
}

/** Ways in through the backend's sign-in page. */
export interface SignInPageClient {
  /** Leaves for the sign-in page; `returnTo` is a path of this site, by default the present one. */
  login(returnTo?: string): void;
  /**
   * Opens the whole sign-in page in a popup, and must be called in a click itself, before anything is awaited. Answers
   * null when the page leaves for the sign-in page instead: where popups are blocked, and where ours is embedded.
   * A second call while the popup is open brings it to the front. Throws POPUP_CANCELED, AUTH_TIMEOUT after 300 s, …
   */
  signInWithPopup(options?: SignInPageOptions): Promise<User | null>;
  /**
   * The same, straight to an identity provider; with `mode: 'redirect'` the page itself goes there. Another provider
   * than that of an open popup takes its place, and the first call throws POPUP_CANCELED.
   */
  signInWithProvider(
    provider: string,
    options?: SignInPageOptions & { mode?: 'popup' | 'redirect' | undefined },
  ): Promise<User | null>;
  /** Closes a popup that is open. */
  cancelPopup(): void;
}

interface Attempt {
  provider: string | undefined;
  popup: SignInPopup;
  outcome: Promise<User>;
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

  function placeOf(choice: { provider?: string | undefined; returnTo?: string | undefined }): SignInTarget {
    if (!window) throw new AuthError('REDIRECT_FAILED');
    return { window, origin, projectId, ...choice };
  }

  function leave(place: SignInTarget): null {
    place.window.location.assign(redirectUrl(place));
    return null;
  }

  async function finish(popup: SignInPopup): Promise<User> {
    const tokens = await popup.tokens;
    const user = await fetchUser(send, tokens);
    session.signIn(tokens, user);
    return user;
  }

  // Async, yet all of it runs in the caller's click: nothing is awaited.
  async function openPopup(place: SignInTarget): Promise<User | null> {
    const { provider } = place;
    if (current?.popup.isOpen && current.provider === provider) {
      current.popup.focus();
      return current.outcome;
    }
    current?.popup.cancel();
    if (isCutOff(place.window)) return leave(place);
    const state = createSignInState();
    const address = popupUrl(place, state);
    const sender = signInOrigin(place.window, origin);
    const popup = openSignInPopup({ window: place.window, address, origin: sender, projectId, state, now });
    if (!popup) return leave(place);
    const attempt: Attempt = { provider, popup, outcome: finish(popup) };
    current = attempt;
    return attempt.outcome.finally(() => {
      if (current === attempt) current = undefined;
    });
  }

  return {
    login: (returnTo) => void leave(placeOf({ returnTo })),
    signInWithPopup: async ({ returnTo } = {}) => openPopup(placeOf({ returnTo })),
    async signInWithProvider(provider, { returnTo, mode = 'popup' } = {}) {
      const place = placeOf({ provider, returnTo });
      return mode === 'redirect' ? leave(place) : openPopup(place);
    },
    cancelPopup: () => current?.popup.cancel(),
  };
}

/** An embedded page may open no popup in many browsers, and an isolated one is not heard by what it opens. */
function isCutOff(window: WindowLike): boolean {
  return (window.parent as unknown) !== window || window.crossOriginIsolated === true;
}

import type { TokenSet, User } from '@fabrica/contract';

/** A token set and when we got it. The refresh token of an access token that was set by hand is empty. */
export interface StoredTokens extends TokenSet {
  /** Epoch seconds, by this machine's clock. */
  issued_at: number;
}

/** What is kept between visits; the user as it was last seen, for when the server cannot be asked. */
export interface StoredSession {
  tokens: StoredTokens;
  user: User | null;
}

/** A stable object until it changes, fit for `useSyncExternalStore`. */
export type AuthState =
  | { readonly status: 'loading'; readonly isLoading: true; readonly user: null; readonly tokens: null }
  | { readonly status: 'anonymous'; readonly isLoading: false; readonly user: null; readonly tokens: null }
  | {
      readonly status: 'authenticated';
      readonly isLoading: false;
      readonly user: User;
      readonly tokens: StoredTokens;
    };

export const loadingState: AuthState = { status: 'loading', isLoading: true, user: null, tokens: null };

export const anonymousState: AuthState = { status: 'anonymous', isLoading: false, user: null, tokens: null };

export function authenticatedState(user: User, tokens: StoredTokens): AuthState {
  return { status: 'authenticated', isLoading: false, user, tokens };
}

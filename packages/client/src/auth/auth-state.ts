import type { TokenSet, User } from '@fabrica/contract';

/** A token set with its time of issue. The refresh token is empty after `setToken`. */
export interface StoredTokens extends TokenSet {
  /** Epoch seconds, from this machine's clock. */
  issued_at: number;
}

/** The session as it is stored between visits. The user is shown when the server cannot be reached. */
export interface StoredSession {
  tokens: StoredTokens;
  user: User | null;
}

/** The state of authentication: the same object until it changes, as `useSyncExternalStore` requires. */
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

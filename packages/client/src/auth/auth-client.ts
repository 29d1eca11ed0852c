import { can, hasRole } from '@fabrica/contract';
import { type AccountClient, createAccountClient } from './account-client.ts';
import type { AuthClientOptions } from './auth-client-options.ts';
import type { AuthState } from './auth-state.ts';
import { type CredentialsClient, createCredentialsClient } from './credentials-client.ts';
import { createSignInClient, type SignInClient } from './sign-in-client.ts';
import { createSignInPageClient, type SignInPageClient } from './sign-in-page-client.ts';

export interface AuthClient extends SignInClient, SignInPageClient, CredentialsClient, AccountClient {
  getState(): AuthState;
  /** Calls at each change; answers what ends that. */
  subscribe(listener: (state: AuthState) => void): () => void;
  /** The state once loading has ended. */
  ready(): Promise<AuthState>;
  /** Is the user's role this one, or one of these? Nobody has none. */
  hasRole(role: string | readonly string[]): boolean;
  /** Does the user's role grant `posts.create`, or `posts`, `create`? By the client's `roles`; the server decides. */
  can(permission: string, action?: string): boolean;
  /** Removes every handler and timer, and closes a popup that is open. */
  destroy(): void;
}

export function createAuthClient(options: AuthClientOptions): AuthClient {
  const { session, roles } = options;
  const signInPage = createSignInPageClient(options);
  return {
    ...createSignInClient(options),
    ...signInPage,
    ...createCredentialsClient(options),
    ...createAccountClient(options),
    getState: () => session.getState(),
    subscribe: (listener) => session.subscribe(listener),
    ready: () => session.ready(),
    hasRole: (role) => hasRole(session.getState().user, role),
    can(permission, action) {
      const { user } = session.getState();
      return user !== null && can(roles, user.role, permission, action);
    },
    destroy() {
      signInPage.cancelPopup();
      session.destroy();
    },
  };
}

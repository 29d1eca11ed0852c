import { can, hasRole } from '@fabrica/contract';
import { type Account, createAccount } from './account.ts';
import type { AuthOptions } from './auth-client-options.ts';
import type { AuthState } from './auth-state.ts';
import { type Credentials, createCredentials } from './credentials.ts';
import { createSignIn, type SignIn } from './sign-in.ts';
import { createSignInPage, type SignInPage } from './sign-in-page.ts';

export interface Auth extends SignIn, SignInPage, Credentials, Account {
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

export function createAuth(options: AuthOptions): Auth {
  const { session, roles } = options;
  const signInPage = createSignInPage(options);
  return {
    ...createSignIn(options),
    ...signInPage,
    ...createCredentials(options),
    ...createAccount(options),
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

import { can, hasRole } from '@fabrica/contract';
import { createLateService } from '../late-service.ts';
import { type AccountClient, createAccountClient } from './account-client.ts';
import type { AuthClientOptions } from './auth-client-options.ts';
import type { AuthState } from './auth-state.ts';
import { type CredentialsClient, createCredentialsClient } from './credentials-client.ts';
import type { FactorClient } from './factor-client.ts';
import { createSignInClient, type SignInClient } from './sign-in-client.ts';
import { createSignInPageClient, type SignInPageClient } from './sign-in-page-client.ts';

export interface AuthClient
  extends SignInClient,
    SignInPageClient,
    CredentialsClient,
    AccountClient,
    FactorClient {
  getState(): AuthState;
  /** Calls the listener at each change. Returns a function that removes it. */
  subscribe(listener: (state: AuthState) => void): () => void;
  /** Resolves with the state when loading has ended. */
  ready(): Promise<AuthState>;
  /** Returns whether the user has this role, or one of these roles. It is false if nobody is signed in. */
  hasRole(role: string | readonly string[]): boolean;
  /**
   * Returns whether the client's `roles` grant the user `posts.create` (or `posts`, `create`). The server decides.
   */
  can(permission: string, action?: string): boolean;
  /** Removes every handler and timer, and closes an open popup. */
  destroy(): void;
}

const FACTOR_METHODS: Record<keyof FactorClient, true> = {
  passkeyOptions: true,
  signInWithPasskey: true,
  secondStepOptions: true,
  takeSecondStep: true,
  factors: true,
  beginTotp: true,
  addTotp: true,
  beginPasskey: true,
  addPasskey: true,
  renameFactor: true,
  removeFactor: true,
  makeRecoveryCodes: true,
  proofOptions: true,
};

export function createAuthClient(options: AuthClientOptions): AuthClient {
  const { session, roles } = options;
  const signInPage = createSignInPageClient(options);
  return {
    ...createSignInClient(options),
    ...signInPage,
    ...createCredentialsClient(options),
    ...createAccountClient(options),
    ...createLateService(FACTOR_METHODS, async () =>
      (await import('./factor-client.ts')).createFactorClient(options),
    ),
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

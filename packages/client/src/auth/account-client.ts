import type { SessionInfo, User } from '@fabrica/contract';
import { AuthError, NetworkError } from '../http/errors.ts';
import { withTimeout } from '../http/timeout.ts';
import type { AuthClientOptions } from './auth-client-options.ts';
import type { StoredTokens } from './auth-state.ts';

/** Milliseconds a sign-out waits for the server before it goes on without it. */
const SIGN_OUT_WAIT_MS = 5_000;

/** Null takes a name or a photo away; what is not named stays. */
export interface ProfileChanges {
  displayName?: string | null | undefined;
  /** An http(s) address. */
  photoURL?: string | null | undefined;
  /** A first password, for an account that signs in by link or provider; to replace one, use `changePassword`. */
  password?: string | undefined;
}

/** The signed-in account and its sessions. Every call throws an AuthError when nobody is signed in. */
export interface AccountClient {
  /** Asks the server who is signed in, and shows it in the state. */
  me(): Promise<User>;
  /** Shows the changed user in the state. Throws a ValidationError, WEAK_PASSWORD, … */
  updateMe(changes: ProfileChanges): Promise<User>;
  /** Everything that is kept about the account, as a JSON file. */
  exportData(): Promise<Blob>;
  /** Deletes the account for good, and ends the session here. */
  deleteAccount(): Promise<void>;
  /** New tokens now. Throws TOKEN_EXPIRED, which ends the session, or NETWORK_ERROR, which does not. */
  refresh(): Promise<StoredTokens>;
  /** The account's open sessions, this one among them. */
  sessions(): Promise<SessionInfo[]>;
  /** Ends one of them; to end this one, sign out. */
  endSession(id: string): Promise<void>;
  /** Tells the server when it can; the session ends here, and in the browser's other tabs, in any case. */
  signOut(): Promise<void>;
  /** Ends all sessions of the account, this one too. When the server cannot be told, nothing ends. */
  signOutEverywhere(): Promise<void>;
  /** Hands a session of this account to the app that polls for this id. */
  handToMobileSession(id: string): Promise<void>;
}

export function createAccountClient({ session, send }: AuthClientOptions): AccountClient {
  async function call(method: 'GET' | 'POST' | 'DELETE', path: string) {
    return session.http.request({ service: 'auth', method, path: `/api/auth/${path}` });
  }

  async function tellSignOut(signal: AbortSignal): Promise<void> {
    const tokens = (await session.held())?.tokens;
    if (!tokens) return;
    // The refresh token also ends a session whose access token is past its time; a token set by hand has none.
    const json = tokens.refresh_token ? { refresh_token: tokens.refresh_token } : {};
    await send(
      { service: 'auth', method: 'POST', path: '/api/auth/logout', json, signal },
      tokens.access_token,
    );
  }

  return {
    me: () => session.me(),
    updateMe: (changes) => session.askUser({ method: 'PATCH', json: changes }),
    async exportData() {
      const { text, body, status } = await call('GET', 'export');
      if (!body) throw new NetworkError({ status });
      return new Blob([text], { type: 'application/json' });
    },
    async deleteAccount() {
      await call('DELETE', 'account');
      session.clear();
    },
    async refresh() {
      const held = await session.held();
      if (!held) throw new AuthError('UNAUTHENTICATED');
      return session.refresh(held.tokens.access_token);
    },
    async sessions() {
      const { body, status } = await call('GET', 'sessions');
      const sessions = (body as { sessions?: SessionInfo[] } | null)?.sessions;
      if (!Array.isArray(sessions)) throw new NetworkError({ status });
      return sessions;
    },
    async endSession(id) {
      await call('DELETE', `sessions/${encodeURIComponent(id)}`);
    },
    async signOut() {
      await withTimeout(tellSignOut, { ms: SIGN_OUT_WAIT_MS, error: () => new NetworkError() }).catch(() => {
        // The session ends here whatever the server could be told.
      });
      session.clear();
    },
    async signOutEverywhere() {
      await call('DELETE', 'sessions');
      session.clear();
    },
    async handToMobileSession(id) {
      await call('POST', `mobile-session/${encodeURIComponent(id)}`);
    },
  };
}

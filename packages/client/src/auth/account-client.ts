import type { FreshProof, SessionInfo, User } from '@fabrica/contract';
import { AuthError, NetworkError } from '../http/errors.ts';
import { withTimeout } from '../http/timeout.ts';
import type { AuthClientOptions } from './auth-client-options.ts';
import type { StoredTokens } from './auth-state.ts';

/** Milliseconds that a sign-out waits for the server. */
const SIGN_OUT_TIMEOUT_MS = 5_000;
/** Milliseconds that it waits for calls that are under way. */
const LAST_CALLS_MS = 1_000;

/** Changes of the profile. Null removes a name or a photo; a missing field does not change. */
export interface ProfileChanges {
  displayName?: string | null | undefined;
  /** An http(s) URL. */
  photoURL?: string | null | undefined;
  /** A new password, which needs a `proof`. */
  password?: string | undefined;
  proof?: FreshProof | undefined;
}

/** Manages the signed-in account and its sessions. Every call throws an AuthError if nobody is signed in. */
export interface AccountClient {
  /** Fetches the user from the server and updates the state. */
  me(): Promise<User>;
  /** Changes the profile and updates the state. Throws a ValidationError, WEAK_PASSWORD, … */
  updateMe(changes: ProfileChanges): Promise<User>;
  /** Mails the owner a code that serves as a proof. */
  sendProofCode(): Promise<void>;
  /**
   * Returns all stored data of the account as a JSON file. Ten minutes after signing in, and always where the account has a
   * second factor, it needs a proof and throws INVALID_CREDENTIALS without a valid one; the error's `details.proofs` are the possible kinds.
   */
  exportData(proof?: FreshProof): Promise<Blob>;
  /** Deletes the account permanently and signs out. It needs a proof as `exportData` does. */
  deleteAccount(proof?: FreshProof): Promise<void>;
  /** Refreshes the tokens now. Throws TOKEN_EXPIRED, which signs out, or NETWORK_ERROR, which does not. */
  refresh(): Promise<StoredTokens>;
  /** Lists the account's active sessions, including this one. */
  sessions(): Promise<SessionInfo[]>;
  /** Ends another session. It needs a proof as `exportData` does. Sign out to end this one. */
  endSession(id: string, proof?: FreshProof): Promise<void>;
  /** Signs out, also in the browser's other tabs, even if the server cannot be reached. */
  signOut(): Promise<void>;
  /**
   * Ends all sessions of the account, this one too. Throws, and ends none, if the server cannot be reached. It needs a proof as
   * `exportData` does.
   */
  signOutEverywhere(proof?: FreshProof): Promise<void>;
  /** Gives a session of this account to the app that polls for this id. */
  handToMobileSession(id: string): Promise<void>;
}

export function createAccountClient({ session, send }: AuthClientOptions): AccountClient {
  async function call(method: 'GET' | 'POST' | 'DELETE', path: string, json?: Record<string, unknown>) {
    return session.http.request({ service: 'auth', method, path: `/api/auth/${path}`, json });
  }

  async function sendSignOut(tokens: StoredTokens, signal: AbortSignal): Promise<void> {
    // The refresh token ends a session even after its access token has expired; tokens from `setToken` have none.
    const json = tokens.refresh_token ? { refresh_token: tokens.refresh_token } : {};
    await send(
      { service: 'auth', method: 'POST', path: '/api/auth/logout', json, signal, keepalive: true },
      tokens.access_token,
    );
  }

  return {
    me: () => session.me(),
    updateMe: (changes) => session.requestUser({ method: 'PATCH', json: changes }),
    async sendProofCode() {
      await call('POST', 'proof/send');
    },
    async exportData(proof) {
      const { text, body, status } = await call('POST', 'export', { proof });
      if (!body) throw new NetworkError({ status });
      return new Blob([text], { type: 'application/json' });
    },
    async deleteAccount(proof) {
      await call('DELETE', 'account', proof && { proof });
      session.clear();
    },
    async refresh() {
      const stored = await session.stored();
      if (!stored) throw new AuthError('UNAUTHENTICATED');
      return session.refresh(stored.tokens.access_token);
    },
    async sessions() {
      const { body, status } = await call('GET', 'sessions');
      const sessions = (body as { sessions?: SessionInfo[] } | null)?.sessions;
      if (!Array.isArray(sessions)) throw new NetworkError({ status });
      return sessions;
    },
    async endSession(id, proof) {
      await call('DELETE', `sessions/${encodeURIComponent(id)}`, proof && { proof });
    },
    async signOut() {
      const tokens = (await session.stored())?.tokens;
      session.clear();
      if (!tokens) return;
      // What was called before is responded to before its session ends.
      const options = { error: () => new NetworkError() };
      await withTimeout(() => session.http.idle(), { ...options, ms: LAST_CALLS_MS }).catch(() => undefined);
      await withTimeout((signal) => sendSignOut(tokens, signal), {
        ...options,
        ms: SIGN_OUT_TIMEOUT_MS,
      }).catch(() => {
        // The session has ended here, even if the server does not know.
      });
    },
    async signOutEverywhere(proof) {
      await call('DELETE', 'sessions', proof && { proof });
      session.clear();
    },
    async handToMobileSession(id) {
      await call('POST', `mobile-session/${encodeURIComponent(id)}`);
    },
  };
}

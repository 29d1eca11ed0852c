import type { User } from '@fabrica/contract';
import { AuthError, NetworkError } from '../errors.ts';
import type { Send } from '../http.ts';
import { withTimeLimit } from '../timeout.ts';
import type { WindowLike } from '../window.ts';
import { keepSignInState } from './address-tokens.ts';
import type { AuthState, StoredTokens } from './auth-state.ts';
import type { Session } from './session.ts';
import { parseTokens, parseUser } from './tokens.ts';

/** Milliseconds a sign-out waits for the server before it goes on without it. */
const SIGN_OUT_WAIT_MS = 5_000;

export interface NewAccount {
  email: string;
  password: string;
  displayName?: string | undefined;
}

export interface Auth {
  getState(): AuthState;
  /** Calls at each change; answers what ends that. */
  subscribe(listener: (state: AuthState) => void): () => void;
  /** The state once loading has ended. */
  ready(): Promise<AuthState>;
  /** Makes an account and signs it in. Throws EMAIL_ALREADY_EXISTS, WEAK_PASSWORD, INVALID_EMAIL, … */
  signUp(account: NewAccount): Promise<User>;
  /** Throws INVALID_CREDENTIALS, EMAIL_NOT_VERIFIED, RATE_LIMITED, … */
  signInWithEmail(email: string, password: string): Promise<User>;
  /** New tokens now. Throws TOKEN_EXPIRED, which ends the session, or NETWORK_ERROR, which does not. */
  refresh(): Promise<StoredTokens>;
  /** Asks the server who is signed in, and shows it in the state. Throws an AuthError when nobody is. */
  me(): Promise<User>;
  /** Tells the server when it can; the session ends here in any case. */
  signOut(): Promise<void>;
  /** Leaves for the sign-in page; `returnTo` is a path of this site, by default the present one. */
  login(returnTo?: string): void;
  /** Removes every handler and timer. */
  destroy(): void;
}

export interface AuthOptions {
  session: Session;
  send: Send;
  projectId: string;
  origin: string;
  window?: WindowLike | undefined;
  now: () => number;
}

export function createAuth({ session, send, projectId, origin, window, now }: AuthOptions): Auth {
  async function enter(path: string, json: Record<string, unknown>): Promise<User> {
    const { body, status } = await send({ service: 'auth', method: 'POST', path, json });
    const tokens = parseTokens(body, now());
    const user = parseUser((body as { user?: unknown } | null)?.user);
    if (!tokens || !user) throw new NetworkError({ status });
    session.signIn(tokens, user);
    return user;
  }

  return {
    getState: () => session.getState(),
    subscribe: (listener) => session.subscribe(listener),
    ready: () => session.ready(),
    signUp: ({ email, password, displayName }) =>
      enter('/api/auth/signup', { email, password, displayName, projectId }),
    signInWithEmail: (email, password) => enter('/api/auth/signin/email', { email, password, projectId }),
    async refresh() {
      const held = await session.held();
      if (!held) throw new AuthError('UNAUTHENTICATED');
      return session.refresh(held.tokens.access_token);
    },
    me: () => session.me(),
    async signOut() {
      const tellServer = async (signal: AbortSignal) => {
        const tokens = (await session.held())?.tokens;
        if (!tokens) return;
        const json = { refresh_token: tokens.refresh_token };
        await send(
          { service: 'auth', method: 'POST', path: '/api/auth/logout', json, signal },
          tokens.access_token,
        );
      };
      await withTimeLimit(tellServer, { ms: SIGN_OUT_WAIT_MS, error: () => new NetworkError() }).catch(() => {
        // The session ends here whatever the server could be told.
      });
      session.clear();
    },
    login(returnTo) {
      if (!window) throw new AuthError('REDIRECT_FAILED');
      window.location.assign(signInAddress(window, { origin, projectId, returnTo }));
    },
    destroy: () => session.destroy(),
  };
}

interface SignInPlace {
  origin: string;
  projectId: string;
  returnTo: string | undefined;
}

/**
 * On the backend's own origin the sign-in page signs in by itself and goes back to a path; a page of
 * another origin is handed its tokens in the address (wire contract, `/auth`).
 */
function signInAddress(window: WindowLike, { origin, projectId, returnTo }: SignInPlace): string {
  const here = new URL(window.location.href);
  const wanted = URL.canParse(returnTo ?? '', here.origin)
    ? new URL(returnTo ?? here.href, here.origin)
    : here;
  const back = wanted.origin === here.origin ? wanted : new URL('/', here.origin);
  if (!origin || new URL(origin).origin === here.origin) {
    return `/auth?${new URLSearchParams({ return_to: `${back.pathname}${back.search}${back.hash}` })}`;
  }
  const state = keepSignInState(window, projectId);
  const query = new URLSearchParams({
    redirect_url: back.href,
    project_id: projectId,
    mode: 'redirect',
    state,
  });
  return `${origin.replace(/\/+$/, '')}/auth?${query}`;
}

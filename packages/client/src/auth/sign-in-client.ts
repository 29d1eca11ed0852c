import type { User } from '@fabrica/contract';
import { AuthError, NetworkError, ValidationError } from '../http/errors.ts';
import type { AuthClientOptions, MailOptions, MailProof } from './auth-client-options.ts';
import { fetchUser } from './find-owner.ts';
import { parseTokens, parseUser } from './session/tokens.ts';
import { takeParameters } from './url-parameters.ts';

/** When the server cannot be asked (docs/spec/product.md section 7). */
const USUAL_PROVIDERS = ['email', 'google'];

export interface SignUpDetails {
  email: string;
  password: string;
  displayName?: string | undefined;
}

/** Ways in that need no page but the one that asks. */
export interface SignInClient {
  /**
   * Makes an account and signs it in. Throws EMAIL_ALREADY_EXISTS, WEAK_PASSWORD, INVALID_EMAIL, …; EMAIL_NOT_VERIFIED
   * when the account is made but its address has to be verified first.
   */
  signUp(account: SignUpDetails): Promise<User>;
  /** In headless mode only, like `signUp`. Throws INVALID_CREDENTIALS, EMAIL_NOT_VERIFIED, RATE_LIMITED, … */
  signInWithEmail(email: string, password: string): Promise<User>;
  /** Mails a link and a code that sign in; answers alike whether or not the address has an account. */
  sendMagicLink(email: string, options?: MailOptions): Promise<void>;
  /**
   * Signs in with a link's token; without one it takes `magic_token` out of the page's address and history. A link may
   * be anybody's: call it when the visitor has pressed a button, not when the page opens. Throws MAGIC_LINK_EXPIRED.
   */
  verifyMagicLink(token?: string): Promise<User>;
  /** Signs in with the six digits that stand beside the link. Throws MAGIC_LINK_EXPIRED. */
  verifyMagicCode(email: string, code: string): Promise<User>;
  /** Ends a sign-in at an identity provider, with the code that `/auth/complete` was called with; once. */
  completeSignIn(code: string): Promise<User>;
  /**
   * Signs in with an access token that came from elsewhere, for this tab and until it is left. It is taken to
   * live 900 s, and ends without a refresh.
   */
  setToken(accessToken: string): Promise<User>;
  /** `email` and the identity providers that are set up; `email` and `google` when the server cannot be asked. */
  providers(): Promise<string[]>;
}

export function createSignInClient({
  session,
  send,
  projectId,
  window,
  authMode,
  now,
}: AuthClientOptions): SignInClient {
  async function enter(path: string, json: Record<string, unknown>): Promise<User> {
    const { body, status } = await send({ service: 'auth', method: 'POST', path, json });
    const tokens = parseTokens(body, now());
    const user = parseUser((body as { user?: unknown } | null)?.user);
    if (!tokens || !user) throw new NetworkError({ status });
    session.signIn(tokens, user);
    return user;
  }
  const requireHeadless = () => {
    if (authMode === 'headless') return;
    throw new ValidationError('Sign-up and sign-in with a password are for headless mode only.');
  };
  const verifyMagic = (proof: MailProof) => enter('/api/auth/signin/magic/verify', { ...proof, projectId });

  return {
    async signUp({ email, password, displayName }) {
      requireHeadless();
      return enter('/api/auth/signup', { email, password, displayName, projectId });
    },
    async signInWithEmail(email, password) {
      requireHeadless();
      return enter('/api/auth/signin/email', { email, password, projectId });
    },
    async sendMagicLink(email, { redirectUrl, returnTo } = {}) {
      const json = { email, projectId, redirectUrl, returnTo };
      await send({ service: 'auth', method: 'POST', path: '/api/auth/signin/magic', json });
    },
    async verifyMagicLink(given) {
      const token = given ?? (window && takeParameters(window, ['magic_token']).magic_token);
      if (!token) throw new AuthError('MAGIC_LINK_EXPIRED');
      return verifyMagic({ token });
    },
    verifyMagicCode: (email, code) => verifyMagic({ email, code }),
    completeSignIn: (code) => enter('/api/auth/complete', { code }),
    async setToken(accessToken) {
      const tokens = parseTokens({ access_token: accessToken, refresh_token: '' }, now());
      if (!tokens) throw new AuthError('UNAUTHENTICATED');
      const user = await fetchUser(send, tokens);
      session.signInHere(tokens, user);
      return user;
    },
    async providers() {
      const query = new URLSearchParams({ projectId });
      try {
        const { body } = await send({ service: 'auth', method: 'GET', path: '/api/auth/providers', query });
        const providers = (body as { providers?: unknown } | null)?.providers;
        return Array.isArray(providers) ? providers.map(String) : USUAL_PROVIDERS;
      } catch {
        return USUAL_PROVIDERS;
      }
    },
  };
}

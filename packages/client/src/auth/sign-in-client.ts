import type { EmailClaim, SignUpDetails, User } from '@fabrica/contract';
import { AuthError, NetworkError, ValidationError } from '../http/errors.ts';
import type { HttpResponse } from '../http/http.ts';
import {
  type AuthClientOptions,
  type MailOptions,
  type MailProof,
  optionalBearer,
} from './auth-client-options.ts';
import { fetchUser, parseTokens, parseUser, parseUserResponse } from './session/tokens.ts';
import { takeParameters } from './url-parameters.ts';

/** The providers to offer when the server cannot be reached (docs/spec/product.md section 7). */
const DEFAULT_PROVIDERS = ['email', 'google'];

/** Signs in without leaving the page. */
export interface SignInClient {
  /**
   * Creates an account and signs in. Throws EMAIL_ALREADY_EXISTS, WEAK_PASSWORD, INVALID_EMAIL, …; EMAIL_NOT_VERIFIED
   * if the account was created but its e-mail address must be verified first.
   */
  signUp(account: SignUpDetails): Promise<User>;
  /** Works in headless mode only, like `signUp`. Throws INVALID_CREDENTIALS, EMAIL_NOT_VERIFIED, RATE_LIMITED, … */
  signInWithEmail(email: string, password: string): Promise<User>;
  /** Sends a mail with a link and a code that sign in. The result is the same if no account has this e-mail. */
  sendMagicLink(email: string, options?: MailOptions): Promise<void>;
  /**
   * Signs in with the token of a link. Without one it takes `magic_token` from the page's URL and removes it there.
   * Call it after a click, not when the page opens: the link may be a stranger's. Throws MAGIC_LINK_EXPIRED,
   * and WEAK_PASSWORD and INVALID_CREDENTIALS as `verifyEmail` does.
   */
  verifyMagicLink(token?: string, claim?: EmailClaim): Promise<User>;
  /** Signs in with the code from the mail, and throws the same. */
  verifyMagicCode(email: string, code: string, claim?: EmailClaim): Promise<User>;
  /** Completes a sign-in at an identity provider with the code that `/auth/complete` received. A code works once. */
  completeSignIn(code: string): Promise<User>;
  /**
   * Signs in with an access token from elsewhere, for this tab until it is left. The token counts as valid for 900 s
   * and is not refreshed.
   */
  setToken(accessToken: string): Promise<User>;
  /**
   * Signs in with a session that the page's server has opened or keeps, without a call. Throws a NetworkError for
   * anything else.
   */
  adoptSession(response: unknown): User;
  /** Lists `email` and the configured identity providers, or `email` and `google` if the server cannot be reached. */
  providers(): Promise<string[]>;
}

/** Signs in with the tokens and the user of a response, and returns the user. Throws a NetworkError without them. */
export function acceptTokens(
  { session, now }: Pick<AuthClientOptions, 'session' | 'now'>,
  response: HttpResponse,
): User {
  const tokens = parseTokens(response.body, now());
  const user = parseUserResponse(response);
  if (!tokens) throw new NetworkError({ status: response.status });
  session.signIn(tokens, user);
  return user;
}

export function createSignInClient({
  session,
  send,
  projectId,
  window,
  authMode,
  now,
}: AuthClientOptions): SignInClient {
  async function signIn(path: string, json: Record<string, unknown>, bearer?: string): Promise<User> {
    const response = await send({ service: 'auth', method: 'POST', path, json }, bearer);
    return acceptTokens({ session, now }, response);
  }
  const requireHeadless = () => {
    if (authMode === 'headless') return;
    throw new ValidationError('Sign-up and sign-in with a password are for headless mode only.');
  };
  const verifyMagic = async (proof: MailProof, claim: EmailClaim | undefined) =>
    signIn('/api/auth/signin/magic/verify', { ...proof, ...claim, projectId }, await optionalBearer(session));

  return {
    async signUp({ email, password, displayName }) {
      requireHeadless();
      return signIn('/api/auth/signup', { email, password, displayName, projectId });
    },
    async signInWithEmail(email, password) {
      requireHeadless();
      return signIn('/api/auth/signin/email', { email, password, projectId });
    },
    async sendMagicLink(email, { redirectUrl, returnTo } = {}) {
      const json = { email, projectId, redirectUrl, returnTo };
      await send({ service: 'auth', method: 'POST', path: '/api/auth/signin/magic', json });
    },
    async verifyMagicLink(linkToken, claim) {
      const token = linkToken ?? (window && takeParameters(window, ['magic_token']).magic_token);
      if (!token) throw new AuthError('MAGIC_LINK_EXPIRED');
      return verifyMagic({ token }, claim);
    },
    verifyMagicCode: (email, code, claim) => verifyMagic({ email, code }, claim),
    completeSignIn: (code) => signIn('/api/auth/complete', { code }),
    async setToken(accessToken) {
      const tokens = parseTokens({ access_token: accessToken, refresh_token: '' }, now());
      if (!tokens) throw new AuthError('UNAUTHENTICATED');
      const user = await fetchUser(send, tokens);
      session.signInThisTab(tokens, user);
      return user;
    },
    adoptSession(response) {
      const tokens = parseTokens(response, now());
      const user = parseUser((response as { user?: unknown } | null)?.user);
      if (!tokens || !user) throw new NetworkError();
      session.signIn(tokens, user);
      return user;
    },
    async providers() {
      const query = new URLSearchParams({ projectId });
      try {
        const { body } = await send({ service: 'auth', method: 'GET', path: '/api/auth/providers', query });
        const providers = (body as { providers?: unknown } | null)?.providers;
        return Array.isArray(providers) ? providers.map(String) : DEFAULT_PROVIDERS;
      } catch {
        return DEFAULT_PROVIDERS;
      }
    },
  };
}

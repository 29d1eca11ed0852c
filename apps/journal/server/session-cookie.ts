import { REFRESH_TOKEN_SECONDS } from '@fabrica/contract';

/**
 * The cookie that keeps a reader's session for pages without JavaScript. It holds the session's refresh token, which
 * the server never spends; no script can read it, and no other site's form is sent with it.
 */
export interface SessionCookie {
  /** Tells whether a Cookie header has a session, be it valid or not. */
  hasSession(cookies: string | undefined): boolean;
  /** Returns the token in a Cookie header. */
  read(cookies: string | undefined): string | undefined;
  /** Returns the Set-Cookie header that keeps the token. */
  keep(token: string): string;
  /** Returns the Set-Cookie header that removes the cookie. */
  remove(): string;
}

const NAME = 'fabrica_session';

/** Creates the cookie of the site at this URL. Over HTTPS its prefix keeps other hosts of the domain from setting it. */
export function createSessionCookie(publicUrl: string): SessionCookie {
  const isSecure = publicUrl.startsWith('https:');
  const name = isSecure ? `__Host-${NAME}` : NAME;
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  const pattern = new RegExp(`(?:^|;\\s*)${name}=([^;\\s]+)`);
  return {
    hasSession: (cookies) => cookies !== undefined && pattern.test(cookies),
    read: (cookies) => pattern.exec(cookies ?? '')?.[1],
    keep: (token) => `${name}=${token}; Max-Age=${REFRESH_TOKEN_SECONDS}; ${attributes}`,
    remove: () => `${name}=; Max-Age=0; ${attributes}`,
  };
}

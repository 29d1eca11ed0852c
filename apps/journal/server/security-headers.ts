import { createHash } from 'node:crypto';

const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)([^>]*)>([\s\S]*?)<\/script>/g;
const DATA_BLOCK = /type="(application\/(ld\+)?json|speculationrules)"/;

/** Returns the CSP sources of all inline scripts. They are hashes rather than nonces, because pages are cached. */
export function inlineScriptHashes(html: string): string[] {
  const hashes = new Set<string>();
  for (const [, attributes = '', script = ''] of html.matchAll(INLINE_SCRIPT)) {
    if (script && !DATA_BLOCK.test(attributes)) {
      hashes.add(`'sha256-${createHash('sha256').update(script).digest('base64')}'`);
    }
  }
  return [...hashes];
}

/** Matches the sign-in pages (wire contract, `/auth`), as documents and as the router's data. */
const SIGN_IN_PAGES = /^\/auth(\/|\.data$|$)/;

export interface PageSecurity {
  /** Path of the page. */
  pathname: string;
  html: string;
  /** The origins whose pages may show this one in a frame and receive tokens. */
  allowedOrigins: readonly string[];
  /** The origin that files are loaded from; empty for the page's own origin. */
  storageOrigin: string;
}

/**
 * Returns the security headers of a page. Inline styles are allowed, because React and the notices write `style`
 * attributes.
 *
 * Sign-in pages differ. Their forms may redirect to an allowed origin (browsers apply `form-action` to the redirect
 * after a POST too). A page that opened one as a popup keeps access to it. Their URLs contain tokens and codes, so no
 * referrer has a path; `no-referrer` is not used, because browsers would then send forms without their origin.
 */
export function securityHeaders({
  pathname,
  html,
  allowedOrigins,
  storageOrigin,
}: PageSecurity): Record<string, string> {
  const signIn = SIGN_IN_PAGES.test(pathname);
  const policy = [
    "default-src 'self'",
    `script-src 'self' ${inlineScriptHashes(html).join(' ')}`.trim(),
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' data: blob: ${storageOrigin}`.trim(),
    "object-src 'none'",
    "base-uri 'self'",
    `form-action ${["'self'", ...(signIn ? allowedOrigins : [])].join(' ')}`,
    `frame-ancestors ${["'self'", ...allowedOrigins].join(' ')}`,
  ];
  return {
    'content-security-policy': policy.join('; '),
    'referrer-policy': signIn ? 'strict-origin' : 'strict-origin-when-cross-origin',
    'x-content-type-options': 'nosniff',
    'permissions-policy': 'camera=(), microphone=(), geolocation=()',
    'cross-origin-opener-policy': signIn ? 'unsafe-none' : 'same-origin-allow-popups',
  };
}

import { createHash } from 'node:crypto';

const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)([^>]*)>([\s\S]*?)<\/script>/g;
const DATA_BLOCK = /type="(application\/(ld\+)?json|speculationrules)"/;

/** The CSP sources of every inline script that the browser would run: pages are kept, so hashes, not nonces. */
export function inlineScriptHashes(html: string): string[] {
  const hashes = new Set<string>();
  for (const [, attributes = '', script = ''] of html.matchAll(INLINE_SCRIPT)) {
    if (script && !DATA_BLOCK.test(attributes)) {
      hashes.add(`'sha256-${createHash('sha256').update(script).digest('base64')}'`);
    }
  }
  return [...hashes];
}

/** The pages that signing in goes through (wire contract, `/auth`), as documents and as the router's data. */
const SIGN_IN_PAGES = /^\/auth(\/|\.data$|$)/;

export interface PageSecurity {
  /** Path of the page. */
  pathname: string;
  html: string;
  /** The origins whose pages may show ours in a frame, and be handed tokens. */
  allowedOrigins: readonly string[];
  /** Where files are loaded from; empty for the page's own origin. */
  storageOrigin: string;
}

/**
 * The headers that keep a page to itself. Styles may stand inline: React and the notices write them as attributes.
 *
 * The sign-in pages differ: their forms may lead on to an allowed origin (browsers hold the redirect after a post to
 * `form-action` too), a window that opened one as a popup stays in reach, and their addresses, which carry tokens and
 * codes, are named to nobody. Not `no-referrer`, with which browsers no longer say whose form it is that is sent.
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

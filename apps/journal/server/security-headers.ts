import { hash } from 'node:crypto';

/** The security headers of a response that is no page: it is nothing but what it says, and in no frame of any site. */
export const PLAIN_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "frame-ancestors 'none'",
} as const;

/** A page without the nonce of its rendering, and what its policy allows. */
interface MarkedPage {
  html: string;
  /** The CSP sources of the inline scripts that had the nonce. */
  scripts: string[];
}

/**
 * Returns the CSP sources of the inline scripts that React, the router and we have put into a page, which all have the
 * nonce of its rendering. A script that got into the page otherwise does not know it, has no source and does not run.
 * The nonce itself is taken out: pages are cached, and one that many readers get would be known to everybody.
 */
export function takeScripts(page: string, nonce: string): MarkedPage {
  const mark = ` nonce="${nonce}"`;
  const scripts = new Set<string>();
  for (let at = page.indexOf(mark); at >= 0; at = page.indexOf(mark, at + mark.length)) {
    if (!page.startsWith('<script', page.lastIndexOf('<', at))) continue;
    const start = page.indexOf('>', at) + 1;
    const script = page.slice(start, page.indexOf('</script>', start));
    scripts.add(`'sha256-${hash('sha256', script, 'base64')}'`);
  }
  return { html: page.replaceAll(mark, ''), scripts: [...scripts] };
}

/** Matches the sign-in pages (wire contract, `/auth`), as documents and as the router's data. */
const SIGN_IN_PAGES = /^\/auth(\/|\.data$|$)/;

interface PageSecurity {
  /** Path of the page. */
  pathname: string;
  /** The CSP sources of its inline scripts. */
  scripts: readonly string[];
  /** The origins whose pages may show this one in a frame and receive tokens. */
  allowedOrigins: readonly string[];
  /** The origin that files are loaded from; empty for the page's own origin. */
  storageOrigin: string;
}

/**
 * Returns the security headers of a page. `style` attributes are allowed, because React, the editor and the notices write
 * some; they cannot select what a person types, as `<style>` elements could, of which none is allowed.
 *
 * Sign-in pages differ. Their forms may redirect to an allowed origin (browsers apply `form-action` to the redirect
 * after a POST too). A page that opened one as a popup keeps access to it. Their URLs contain tokens and codes, so no
 * referrer has a path; `no-referrer` is not used, because browsers would then send forms without their origin.
 */
export function securityHeaders({
  pathname,
  scripts,
  allowedOrigins,
  storageOrigin,
}: PageSecurity): Record<string, string> {
  const signIn = SIGN_IN_PAGES.test(pathname);
  const policy = [
    "default-src 'self'",
    ["script-src 'self'", ...scripts].join(' '),
    "style-src-elem 'self'",
    "style-src-attr 'unsafe-inline'",
    `img-src 'self' data: blob: ${storageOrigin}`.trim(),
    "object-src 'none'",
    "base-uri 'none'",
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

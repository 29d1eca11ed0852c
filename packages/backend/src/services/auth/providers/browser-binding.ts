import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { CookieOptions } from 'hono/utils/cookie';
import { z } from 'zod';

/** The name and hash of a cookie that only one browser has. */
export const browserBinding = z.object({ cookie: z.string(), hash: z.string() });
type BrowserBinding = z.infer<typeof browserBinding>;

interface BindingOptions {
  /**
   * The cookie's name before its random ending. With the ending, sign-ins in several tabs do not overwrite
   * each other's cookie.
   */
  name: string;
  path: string;
  /** Seconds. */
  maxAge: number;
  /** Whether the browser returns with a POST from another site. */
  crossSite?: boolean;
  /** This site's URL as browsers know it. */
  publicUrl: string;
}

/**
 * Sets a cookie whose hash is stored with the sign-in that begins here. Without it, an attacker could have
 * another person's browser finish the attacker's sign-in, and so sign that person in to the attacker's
 * account.
 */
export function bindBrowser(
  c: Context,
  { name, path, maxAge, crossSite = false, publicUrl }: BindingOptions,
): BrowserBinding {
  const cookie = `${name}_${randomBytes(6).toString('base64url')}`;
  const value = randomBytes(32).toString('base64url');
  setCookie(c, cookie, value, {
    ...cookieOptions(path),
    maxAge,
    secure: crossSite || publicUrl.startsWith('https:'),
    sameSite: crossSite ? 'None' : 'Lax',
  });
  return { cookie, hash: hashValue(value) };
}

/** Returns whether this is the bound browser, and deletes its cookie. */
export function releaseBrowser(c: Context, binding: BrowserBinding, path: string): boolean {
  const value = getCookie(c, binding.cookie);
  if (value === undefined) return false;
  deleteCookie(c, binding.cookie, cookieOptions(path));
  return timingSafeEqual(Buffer.from(hashValue(value)), Buffer.from(binding.hash));
}

function cookieOptions(path: string): CookieOptions {
  return { path, httpOnly: true };
}

function hashValue(value: string): string {
  return hash('sha256', value, 'base64url');
}

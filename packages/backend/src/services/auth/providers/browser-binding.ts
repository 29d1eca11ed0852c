import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { CookieOptions } from 'hono/utils/cookie';
import { z } from 'zod';

/** What is kept of a cookie that only one browser has. */
export const browserBinding = z.object({ cookie: z.string(), hash: z.string() });
export type BrowserBinding = z.infer<typeof browserBinding>;

export interface BindingOptions {
  /** Of the cookie, before a random ending: sign-ins in several tabs do not take each other's cookie. */
  name: string;
  path: string;
  /** Seconds. */
  maxAge: number;
  /** The browser comes back with a POST from another site. */
  crossSite?: boolean;
  /** The address that the browser knows us by. */
  publicUrl: string;
}

/**
 * Gives the browser a cookie whose hash is kept with what it began: nobody can have another person's browser end what
 * was begun in one's own, and sign that person in as somebody else.
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

/** Whether this is the browser that was bound; its cookie is taken away again. */
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

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { Keys } from '../../../core/keys.ts';
import type { AppEnvironment } from '../../../http/environment.ts';

/** Seconds: as long as browsers keep a cookie. */
const MAX_AGE = 400 * 24 * 3_600;
const NONCE_BYTES = 16;

/** Says whose account is meant: the e-mail address is trimmed and in lower case. */
interface DeviceOwner {
  projectId: string;
  email: string;
}

/**
 * Recognises browsers in which somebody has signed in to an account before (OWASP's device cookies). Their attempts are
 * counted by themselves: whatever strangers do elsewhere, the owner is not kept out. The cookie signs nobody in.
 */
export interface DeviceCookies {
  /** Returns the browser's own id, or `undefined` when nobody has signed in to this account in it. */
  read(c: Context<AppEnvironment>, owner: DeviceOwner): string | undefined;
  /** Marks the browser after a sign-in. */
  keep(c: Context<AppEnvironment>, owner: DeviceOwner): void;
}

interface DeviceCookiesOptions {
  keys: Pick<Keys, 'refreshKeys'>;
  publicUrl: string;
  /** The paths whose requests carry the cookie: of the calls, and of pages whose forms make them. */
  paths: readonly string[];
}

export function createDeviceCookies({ keys, publicUrl, paths }: DeviceCookiesOptions): DeviceCookies {
  const sign = (key: Buffer, purpose: string, { projectId, email }: DeviceOwner, nonce = '') =>
    createHmac('sha256', key)
      .update(`device-cookie\0${purpose}\0${projectId}\0${email}\0${nonce}`)
      .digest('base64url');
  // The name differs by account, so that people who share a browser keep a cookie each.
  const nameOf = (key: Buffer, owner: DeviceOwner) =>
    `fabrica_device_${sign(key, 'name', owner).slice(0, 10)}`;

  function readBy(key: Buffer, c: Context<AppEnvironment>, owner: DeviceOwner): string | undefined {
    const [nonce = '', signature = ''] = getCookie(c, nameOf(key, owner))?.split('.') ?? [];
    return nonce && isEqual(signature, sign(key, 'value', owner, nonce)) ? nonce : undefined;
  }

  function read(c: Context<AppEnvironment>, owner: DeviceOwner): string | undefined {
    for (const key of keys.refreshKeys.all) {
      const nonce = readBy(key, c, owner);
      if (nonce) return nonce;
    }
    return undefined;
  }

  return {
    read,
    keep(c, owner) {
      const key = keys.refreshKeys.current;
      if (readBy(key, c, owner)) return;
      // A browser that is known by a former key stays known by the same id.
      const nonce = read(c, owner) ?? randomBytes(NONCE_BYTES).toString('base64url');
      for (const path of paths) {
        setCookie(c, nameOf(key, owner), `${nonce}.${sign(key, 'value', owner, nonce)}`, {
          path,
          httpOnly: true,
          maxAge: MAX_AGE,
          sameSite: 'Lax',
          secure: publicUrl.startsWith('https:'),
        });
      }
    },
  };
}

function isEqual(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

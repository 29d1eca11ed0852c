import type { RequestListener } from 'node:http';
import type { Config } from '@fabrica/backend';

/** A year; other hosts of the domain are not spoken for. */
const POLICY = 'max-age=31536000';

/** Returns the listener so that each response tells browsers to use HTTPS alone, where the public URL does. */
export function withHsts(
  listener: RequestListener,
  { publicUrl }: Pick<Config, 'publicUrl'>,
): RequestListener {
  const headers = Object.entries(hstsHeaders({ publicUrl }));
  if (headers.length === 0) return listener;
  return (incoming, response) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    return listener(incoming, response);
  };
}

/** Returns the headers that do so. */
export function hstsHeaders({ publicUrl }: Pick<Config, 'publicUrl'>): Readonly<Record<string, string>> {
  return publicUrl.startsWith('https:') ? { 'Strict-Transport-Security': POLICY } : {};
}

/** Returns the Set-Cookie header so that browsers send the cookie over HTTPS alone, where the public URL is. */
export function secureCookie(cookie: string, publicUrl: string): string {
  return publicUrl.startsWith('https:') && !/; *Secure\b/i.test(cookie) ? `${cookie}; Secure` : cookie;
}

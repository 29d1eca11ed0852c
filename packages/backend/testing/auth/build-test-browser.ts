import { Hono } from 'hono';
import type { AppEnvironment } from '../../src/http/environment.ts';
import { presentError } from '../../src/http/present-error.ts';
import type { TestAuth } from './build-test-auth.ts';

/** The URL that the auth routes of a test are known by. */
export const HOME = 'https://journal.example';

export interface TestBrowser {
  /** Sends one request without following redirects; cookies are sent as a browser sends them. */
  send(url: string | URL, options?: BrowserRequest): Promise<Response>;
  /**
   * Follows redirects until there is a page, or until the URL of a page of the product, which these tests do
   * not have.
   */
  open(url: string | URL, options?: BrowserRequest): Promise<OpenedPage>;
  /** Returns the names of this site's cookies. */
  cookies(): string[];
}

interface BrowserRequest {
  /** Sent by POST, as a form. */
  form?: Record<string, string>;
  /** Sent by POST, as JSON. */
  json?: unknown;
  headers?: Record<string, string>;
  /** Whether another site's page sends this. */
  crossSite?: boolean;
}

export interface OpenedPage {
  url: URL;
  status: number;
  text: string;
}

interface Cookie {
  origin: string;
  name: string;
  value: string;
  path: string;
  sameSite: string;
}

/**
 * Builds a browser with a cookie jar. `https://journal.example` is served by the routes of `test`; all other
 * URLs go to the network.
 */
export function buildTestBrowser(test: Pick<TestAuth, 'auth'>, url = '203.0.113.1'): TestBrowser {
  const app = new Hono<AppEnvironment>();
  app.onError((error) => presentError(error));
  app.use(async (c, next) => {
    c.set('clientIp', url);
    await next();
  });
  app.route('/api/auth', test.auth.routes);
  let jar: Cookie[] = [];

  async function send(to: string | URL, options: BrowserRequest = {}): Promise<Response> {
    const url = new URL(to, HOME);
    const { form, json, headers = {}, crossSite = false } = options;
    const body = form ? new URLSearchParams(form) : json === undefined ? undefined : JSON.stringify(json);
    const request = new Request(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        cookie: jar
          .filter(({ origin, path }) => origin === url.origin && url.pathname.startsWith(path))
          .filter(({ sameSite }) => !(crossSite && body !== undefined) || sameSite === 'none')
          .map(({ name, value }) => `${name}=${value}`)
          .join('; '),
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      redirect: 'manual',
      ...(body !== undefined && { body }),
    });
    const response = url.origin === HOME ? await app.request(request) : await fetch(request);
    for (const line of response.headers.getSetCookie()) {
      const cookie = readCookie(url.origin, line);
      jar = jar.filter(
        (one) => !(['origin', 'name', 'path'] as const).every((part) => one[part] === cookie[part]),
      );
      if (!/;\s*max-age=0\b/i.test(line) && !/;\s*expires=thu, 01 jan 1970/i.test(line)) jar.push(cookie);
    }
    return response;
  }

  return {
    send,
    cookies: () => jar.filter(({ origin }) => origin === HOME).map(({ name }) => name),
    async open(to, options) {
      let url = new URL(to, HOME);
      let response = await send(url, options);
      for (let hops = 0; hops < 10; hops += 1) {
        const location = response.headers.get('location');
        if (!location) return { url: url, status: response.status, text: await response.text() };
        url = new URL(location, url);
        if (url.origin === HOME && !url.pathname.startsWith('/api/')) {
          return { url: url, status: 200, text: '' };
        }
        response = await send(url);
      }
      throw new Error(`Led round and round, at last to ${url.origin}${url.pathname}.`);
    },
  };
}

function readCookie(origin: string, line: string): Cookie {
  const [pair = '', ...attributes] = line.split(/;\s*/);
  const [name = '', value = ''] = pair.split('=');
  const read = (wanted: string) =>
    attributes.map((one) => one.split('=')).find(([key]) => key?.toLowerCase() === wanted)?.[1];
  return {
    origin,
    name,
    value,
    path: read('path') ?? '/',
    sameSite: (read('samesite') ?? 'lax').toLowerCase(),
  };
}

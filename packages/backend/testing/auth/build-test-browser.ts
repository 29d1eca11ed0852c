import { Hono } from 'hono';
import type { AppEnvironment } from '../../src/http/environment.ts';
import { presentError } from '../../src/http/present-error.ts';
import type { TestAuth } from './build-test-auth.ts';

/** The address that the auth routes of a test are known by. */
export const HOME = 'https://journal.example';

export interface TestBrowser {
  /** One request, redirects not followed; the jar's cookies are sent as a browser sends them. */
  send(address: string | URL, options?: BrowserRequest): Promise<Response>;
  /** Follows redirects until there is a page, or one of our own pages that are not there in these tests. */
  open(address: string | URL, options?: BrowserRequest): Promise<OpenedPage>;
  /** Cookies of our own, by name. */
  cookies(): string[];
}

export interface BrowserRequest {
  /** Sent by POST, as a form. */
  form?: Record<string, string>;
  /** Sent by POST, as JSON. */
  json?: unknown;
  headers?: Record<string, string>;
  /** The page that sends this is another site's. */
  fromElsewhere?: boolean;
}

export interface OpenedPage {
  address: URL;
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

/** A browser with a cookie jar, to which the routes of `test` are `https://journal.example`; all else is the network. */
export function buildTestBrowser(test: Pick<TestAuth, 'auth'>, address = '203.0.113.1'): TestBrowser {
  const app = new Hono<AppEnvironment>();
  app.onError((error) => presentError(error));
  app.use(async (c, next) => {
    c.set('clientIp', address);
    await next();
  });
  app.route('/api/auth', test.auth.routes);
  let jar: Cookie[] = [];

  async function send(to: string | URL, options: BrowserRequest = {}): Promise<Response> {
    const url = new URL(to, HOME);
    const { form, json, headers = {}, fromElsewhere = false } = options;
    const body = form ? new URLSearchParams(form) : json === undefined ? undefined : JSON.stringify(json);
    const request = new Request(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        cookie: jar
          .filter(({ origin, path }) => origin === url.origin && url.pathname.startsWith(path))
          .filter(({ sameSite }) => !(fromElsewhere && body !== undefined) || sameSite === 'none')
          .map(({ name, value }) => `${name}=${value}`)
          .join('; '),
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      redirect: 'manual',
      ...(body !== undefined && { body }),
    });
    const answer = url.origin === HOME ? await app.request(request) : await fetch(request);
    for (const line of answer.headers.getSetCookie()) {
      const cookie = readCookie(url.origin, line);
      jar = jar.filter(({ origin, name }) => origin !== cookie.origin || name !== cookie.name);
      if (!/;\s*max-age=0\b/i.test(line) && !/;\s*expires=thu, 01 jan 1970/i.test(line)) jar.push(cookie);
    }
    return answer;
  }

  return {
    send,
    cookies: () => jar.filter(({ origin }) => origin === HOME).map(({ name }) => name),
    async open(to, options) {
      let url = new URL(to, HOME);
      let answer = await send(url, options);
      for (let hops = 0; hops < 10; hops += 1) {
        const location = answer.headers.get('location');
        if (!location) return { address: url, status: answer.status, text: await answer.text() };
        url = new URL(location, url);
        if (url.origin === HOME && !url.pathname.startsWith('/api/')) {
          return { address: url, status: 200, text: '' };
        }
        answer = await send(url);
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

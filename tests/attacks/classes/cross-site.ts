import { type AttackClass, type Attempt, pairs } from '../attack.ts';
import { faultOf, type Received, type Sent } from '../exchange.ts';
import type { Target } from '../target.ts';

/** Origins of pages that are not ours, some of which look like it. */
function foreignOrigins({ url }: Target): string[] {
  const { host, port } = new URL(url);
  return [
    'https://evil.example',
    'http://evil.example',
    'null',
    `ftp://${host}`,
    `http://${host}.evil.example`,
    `http://evil.example/${host}`,
    `http://localhost.evil.example:${port}`,
    `http://evillocalhost:${port}`,
    `http://localhost:${port}0`,
    'http://localhost:1',
    'http://localhost',
    'file://',
    'chrome-extension://x',
    `http://${host}@evil.example`,
    `http://user@${host}.evil.example`,
    `http://[::1]:${port}`,
    '*',
    'http://*',
    `http://${host}\u00a0.evil.example`,
    `http://LOCALHOST.evil.example`,
  ];
}

/** Calls of the API, which a page of another origin must not read in a reader's name. */
const CALLS = [
  '/api/auth/me',
  '/api/auth/sessions',
  '/api/auth/export',
  '/api/db/journal/rest/v1/journal_posts?select=id',
  '/api/storage/journal/download?path=x',
  '/api/realtime/journal/messages?channel=gallery',
  '/api/analytics/journal/insights',
  '/api/notifications/journal/settings',
  '/gallery',
  '/account',
  '/gallery.data',
];

/** Forms of pages that work without a script, with the session in a cookie. */
const FORMS = [
  '/auth',
  '/auth/magic',
  '/auth/session',
  '/account',
  '/contact',
  '/post/none',
  '/auth.data',
  '/account.data',
];

/** URLs that no reader may be redirected to, with or without tokens. */
const HOSTILE_URLS = ({ url }: Target) => {
  const { host } = new URL(url);
  return [
    'https://evil.example/',
    '//evil.example/',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/%2f/evil.example',
    '/%5cevil.example',
    'https:evil.example',
    'https:/evil.example',
    'http:///evil.example',
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    ' https://evil.example',
    '\thttps://evil.example',
    `https://${host}@evil.example`,
    `https://${host}.evil.example`,
    `https://evil.example#${host}`,
    `https://evil.example?${host}`,
    `https://evil.example\\@${host}`,
    `https://evil.example%00.${host}`,
    `http://${host}:x@evil.example/`,
    'https://evil.example%2f@x',
    '/.evil.example',
    '//evil%E3%80%82example',
    'https://ｅｖｉｌ.example',
    '/gallery/../..//evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    'https://[::1]@evil.example',
    'ftp://evil.example/',
    'file:///etc/passwd',
    'blob:https://evil.example/x',
    'about:blank',
  ];
};
const encode = encodeURIComponent;
const LEADING: ((place: string) => Sent)[] = [
  (place) => ({ path: `/auth?redirect_url=${encode(place)}` }),
  (place) => ({ path: `/auth?redirect_url=${encode(place)}&project_id=journal&mode=redirect` }),
  (place) => ({ path: `/auth?mode=popup&opener_origin=${encode(place)}` }),
  (place) => ({ path: `/auth?returnTo=${encode(place)}&return_to=${encode(place)}&next=${encode(place)}` }),
  (place) => ({ path: `/auth/complete?redirect_url=${encode(place)}&done=${encode(place)}` }),
  (place) => ({ path: `/auth/magic?token=x&redirect_url=${encode(place)}` }),
  (place) => ({ path: `/auth/reset?token=x&redirect_url=${encode(place)}` }),
  (place) => ({
    path: `/api/auth/authorize?provider=google&project_id=journal&redirect_url=${encode(place)}`,
  }),
  (place) => ({ path: `/api/auth/callback/google?state=${encode(place)}&code=x` }),
  (place) => ({ path: `/${place.replace(/^[\\/]+/, '')}`.replace(/[^!-~]/g, '') }),
  (place) => ({ path: `/?next=${encode(place)}&lang=${encode(place)}` }),
  (place) => ({
    method: 'POST',
    path: '/api/auth/signin/magic',
    body: { projectId: 'journal', email: 'nobody@example.org', redirectUrl: place },
  }),
  (place) => ({
    method: 'POST',
    path: '/api/auth/password/reset',
    body: { projectId: 'journal', email: 'nobody@example.org', returnTo: place },
  }),
];

/** Attempts to act or read in a reader's name from a page of another site, and to lead a reader away. */
export function crossSite(target: Target): AttackClass {
  const origins = foreignOrigins(target);
  const { victim } = target;
  const cookie = `fabrica_session=${victim.session.refresh_token}; __Host-fabrica_session=${victim.session.refresh_token}`;
  const latin = (text: string) => /^[ -~\u00a0-\u00ff]*$/.test(text);

  const reads = pairs(origins.filter(latin), CALLS).map(
    ([origin, path]): Attempt => ({
      what: `${path} from ${origin}`,
      run: async () => judgeRead(await target.send(undefined, { path, headers: { origin, cookie } }), path),
    }),
  );
  const preflights = pairs(
    origins.filter(latin),
    CALLS.filter((path) => path.startsWith('/api/')),
  ).map(
    ([origin, path]): Attempt => ({
      what: `a preflight of ${path} from ${origin}`,
      run: async () =>
        judgeRead(
          await target.send(undefined, {
            method: 'OPTIONS',
            path,
            headers: {
              origin,
              'access-control-request-method': 'DELETE',
              'access-control-request-headers': 'authorization,x-evil',
            },
          }),
          path,
        ),
    }),
  );
  const senders: Record<string, string>[] = [
    {},
    ...origins.filter(latin).map((origin) => ({ origin })),
    ...['cross-site', 'same-site', 'none', 'Same-Origin', ''].map((site) => ({ 'sec-fetch-site': site })),
    { origin: target.url, 'sec-fetch-site': 'cross-site' },
    { referer: target.url },
  ];
  const forms = pairs(FORMS, senders).map(
    ([path, sender]): Attempt => ({
      what: `a form to ${path} of ${JSON.stringify(sender)}`,
      async run() {
        const received = await target.send(undefined, {
          method: 'POST',
          path,
          headers: { ...sender, cookie, 'content-type': 'application/x-www-form-urlencoded' },
          body: 'intent=sign-out&email=eve%40example.org&password=x',
        });
        return received.status === 403 ? faultOf(received) : `${received.status}`;
      },
    }),
  );
  const types = pairs(CALLS.slice(0, 1), [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
  ]).map(
    ([path, type]): Attempt => ({
      what: `${path} changed by ${type} with the cookie alone`,
      async run() {
        const received = await target.send(undefined, {
          method: 'PATCH',
          path,
          headers: { cookie, 'content-type': type },
          body: '{"displayName":"Eve"}',
        });
        return received.status === 401 ? undefined : `${received.status}`;
      },
    }),
  );
  const leads = pairs(LEADING, HOSTILE_URLS(target)).map(
    ([lead, place]): Attempt => ({
      what: `${lead('…').path} with ${JSON.stringify(place)}`,
      run: async () => judgeLead(await target.send(undefined, lead(place)), new URL(target.url)),
    }),
  );
  return {
    name: 'other sites',
    attempts: [...reads, ...preflights, ...forms, ...types, ...leads],
    concurrency: 8,
  };
}

function judgeRead(received: Received, path: string): string | undefined {
  const allowed = received.headers['access-control-allow-origin'];
  const credentials = received.headers['access-control-allow-credentials'];
  if (credentials !== undefined) return `cookies are allowed to ${allowed}`;
  if (allowed !== undefined && !path.startsWith('/api/auth')) return `it may be read by ${allowed}`;
  // A cookie alone is nobody: of the API, only what every visitor may see comes back.
  if (/^\/api\/auth\/(?:me|sessions|export)/.test(path) && received.status === 200)
    return 'the cookie is a token here';
  return faultOf(received);
}

function judgeLead(received: Received, own: URL): string | undefined {
  const { location } = received.headers;
  if (typeof location === 'string') {
    const base = new URL(own);
    if (!URL.canParse(location, base)) return `it leads to ${location}`;
    const { origin, protocol } = new URL(location, base);
    if (origin !== own.origin || !/^https?:$/.test(protocol)) return `it leads to ${location}`;
  }
  const links = [...received.text.matchAll(/(?:href|action|formaction)="([^"]*)"/g)].map(
    ([, link = '']) => link,
  );
  const foreign = links.find((link) =>
    /evil\.example|^\s*(?:javascript|data|vbscript):/i.test(link.split('?')[0] ?? ''),
  );
  if (foreign !== undefined) return `the page links to ${foreign}`;
  return faultOf(received);
}

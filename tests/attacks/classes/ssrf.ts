import { PRIVATE_HOSTS, PRIVATE_NAMES } from '@fabrica/backend/testing/fetcher/build-test-hosts.ts';
import { type AttackClass, type Attempt, pairs } from '../attack.ts';
import { faultOf, type Received, type Sent } from '../exchange.ts';
import { SECRET, type Target } from '../target.ts';

/** Names would be asked of the machine's own resolver; the data service's own tests bring one. */
const LITERALS = PRIVATE_HOSTS.filter((host) => !(host in PRIVATE_NAMES) && !host.startsWith('trailing'));

/** Everything that fetches what a user names, with the request that makes it do so. */
const FETCHING: Record<string, (url: string, target: Target) => Sent> = {
  fetch: (url) => ({ path: '/api/data/journal/fetch', body: { url } }),
  'fetch by POST': (url) => ({
    path: '/api/data/journal/fetch',
    body: { url, method: 'POST', body: 'x', headers: { 'x-a': 'b' } },
  }),
  scrape: (url) => ({ path: '/api/data/journal/scrape', body: { url } }),
  extract: (url) => ({ path: '/api/data/journal/extract-from-url', body: { url } }),
  transcribe: (url) => ({ path: '/api/ai/journal/transcribe', body: { audio: url } }),
  // An account may mail itself alone, once its e-mail is verified: the secret key comes further.
  attachment: (url, { secretKey }) => ({
    path: '/api/notifications/journal/email',
    headers: { authorization: `Bearer ${secretKey}` },
    body: {
      to: 'nobody@example.org',
      subject: 'x',
      text: 'x',
      attachments: [{ filename: 'a.txt', url }],
    },
  }),
};
/** These judge the host before they do anything; only images by HTTPS are accepted. */
const FETCHING_DIRECTLY: typeof FETCHING = {
  ...FETCHING,
  screenshot: (url) => ({ path: '/api/data/journal/screenshot', body: { url } }),
  image: (url) => ({
    path: '/api/ai/journal/image',
    body: { prompt: 'x', images: [`${url.replace('http:', 'https:')}a.png`] },
  }),
  'image in a chat': (url) => ({
    path: '/api/ai/journal/text',
    body: {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'x' },
            { type: 'image', image: `${url.replace('http:', 'https:')}a.png` },
          ],
        },
      ],
    },
  }),
};

const METADATA = '/latest/meta-data/';

/** Forms of a URL that is none of the web, or names this machine in a way that parsers read differently. */
const FORMS = (port: number) => [
  'file:///etc/passwd',
  'file://localhost/etc/passwd',
  'FILE:///etc/passwd',
  `gopher://127.0.0.1:${port}/_GET%20/`,
  `dict://127.0.0.1:${port}/info`,
  `ftp://127.0.0.1:${port}/x`,
  `ws://127.0.0.1:${port}/`,
  'data:text/html,x',
  'javascript:alert(1)',
  'blob:http://127.0.0.1/x',
  'view-source:http://127.0.0.1/',
  `jar:http://127.0.0.1:${port}!/`,
  `http://user:word@127.0.0.1:${port}/`,
  `http://example.org@127.0.0.1:${port}/`,
  `http://example.org:80@127.0.0.1:${port}/`,
  `http://127.0.0.1:${port}#@example.org/`,
  `http://127.0.0.1:${port}?@example.org/`,
  `http://127.0.0.1:${port}\\@example.org/`,
  `http:\\\\127.0.0.1:${port}\\`,
  `http:127.0.0.1:${port}/`,
  `http:/127.0.0.1:${port}/`,
  `http:///127.0.0.1:${port}/`,
  `http:////127.0.0.1:${port}/`,
  `//127.0.0.1:${port}/`,
  `/\\127.0.0.1:${port}/`,
  ` http://127.0.0.1:${port}/`,
  `ht\ntp://127.0.0.1:${port}/`,
  `http://127.0.0.1:${port}\t/`,
  `http://127.0.0.1\u0000.example.org:${port}/`,
  `http://127.0.0.1%00.example.org:${port}/`,
  `http://127.0.0.1%2f@example.org:${port}/`,
  `http://[::1]:${port}/`,
  `http://[::1%25lo]:${port}/`,
  `http://[::1%lo]:${port}/`,
  `http://[fe80::1%25eth0]:${port}/`,
  `HTTP://LOCALHOST:${port}/`,
  `http://localhost:${port}/`,
  `http://localhost.:${port}/`,
  `http://LOCALHOST.:${port}/`,
  `https://localhost:${port}/`,
  'http://127.0.0.1:22/',
  'http://127.0.0.1:25/',
  'http://127.0.0.1:6379/',
  'http://127.0.0.1:0/',
  'http://127.0.0.1:65536/',
  'http://127.0.0.1:-1/',
  'http://',
  'http://:80/',
  'http://%',
  'http://[',
  'http://..',
  `http://${'1'.repeat(3_000)}/`,
];

/** Attempts to have the server fetch something that only it can reach. */
export function ssrf(target: Target): AttackClass {
  const { canaryPort, attackers, touched } = target;
  const attempt = (what: string, sent: Sent): Attempt => ({
    what,
    run: async () => judge(await target.send(attackers.author, { method: 'POST', ...sent })),
  });
  const canary = (host: string) => `http://${host}:${canaryPort}${METADATA}`;
  const direct = pairs(Object.entries(FETCHING_DIRECTLY), LITERALS).map(([[what, sent], host]) =>
    attempt(`${what} of ${host}`, sent(canary(host), target)),
  );
  const forms = pairs(Object.entries(FETCHING_DIRECTLY), FORMS(canaryPort)).map(([[what, sent], url]) =>
    attempt(`${what} of ${JSON.stringify(url.slice(0, 60))}`, sent(url, target)),
  );
  const redirected = pairs(Object.entries(FETCHING), LITERALS.filter(isLatin)).map(
    ([[what, sent], host], index) => {
      const status = [301, 302, 303, 307, 308][index % 5];
      return attempt(`${what} redirected to ${host}`, sent(target.redirectTo(canary(host), status), target));
    },
  );
  // Some are read as a path, and lead to the host that may be fetched.
  const leading = FORMS(canaryPort).filter((form) => isLatin(form) && !staysOnHost(form));
  const redirectedForms = pairs(Object.entries(FETCHING), leading).map(([[what, sent], url]) =>
    attempt(
      `${what} redirected to ${JSON.stringify(url.slice(0, 60))}`,
      sent(target.redirectTo(url), target),
    ),
  );
  return {
    name: 'requests to private hosts',
    attempts: [...direct, ...forms, ...redirected, ...redirectedForms],
    concurrency: 8,
    async findHarm() {
      const harm = touched.map((from) => `the canary was connected to from ${from}`);
      // A service that fetches nothing at all would withstand everything.
      const allowed = FETCHING.fetch?.(target.redirectTo('/allowed'), target) ?? { path: '/' };
      const { status } = await target.send(attackers.author, { method: 'POST', ...allowed });
      return status === 200 ? harm : [...harm, `a host that may be fetched is not: ${status}`];
    },
  };
}

/** Returns whether a redirect to this leads to a path of the host that redirects. */
function staysOnHost(location: string): boolean {
  const base = 'http://site.example/';
  return URL.canParse(location, base) && new URL(location, base).host === 'site.example';
}

/** The location of a redirect is a header, which has one byte a character and no line break. */
function isLatin(text: string): boolean {
  return /^[\t -~]*$/.test(text);
}

function judge(received: Received): string | undefined {
  if (received.text.includes(SECRET)) return 'the canary was read';
  if (received.status < 400) return `${received.status} ${received.text.slice(0, 120)}`;
  return faultOf(received);
}

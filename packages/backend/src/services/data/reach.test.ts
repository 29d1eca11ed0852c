import { buildTestData, type TestData } from '@fabrica/backend/testing/data/build-test-data.ts';
import { PRIVATE_HOSTS, PRIVATE_NAMES } from '@fabrica/backend/testing/fetcher/build-test-hosts.ts';
import { startDnsStandIn } from '@fabrica/backend/testing/fetcher/dns-stand-in.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createNameResolver } from '../../fetcher/name-resolver.ts';

/** Calls that fetch what somebody names. */
const CALLS = ['extract-from-url', 'scrape', 'fetch'] as const;

const PAGE =
  '<!doctype html><html><head><title>The site</title></head><body><p>Its own page.</p></body></html>';

let data: TestData;
const inTheBeginning: Record<string, string[]> = {};

beforeAll(async () => {
  data = await buildTestData();
  Object.assign(inTheBeginning, data.names);
});
afterAll(() => data.close());
beforeEach(() => {
  for (const name of Object.keys(data.names)) delete data.names[name];
  Object.assign(data.names, inTheBeginning, PRIVATE_NAMES);
  data.touched.length = 0;
  data.lookedUp.length = 0;
});

/** Calls as the service role, which need not wait for its turn. */
const ask = (call: string, url: string) => data.post(call, { url }, 'service');

const canary = (host: string) => `http://${host}:${data.canaryPort}/latest/meta-data/`;

/** Leads from the site on to where each path's last part says. */
function leadTo(status: number, locations: Readonly<Record<string, string>>): void {
  data.site.handler = ({ url = '' }, response) => {
    const location = locations[url];
    if (location === undefined) response.end(PAGE);
    else response.writeHead(status, { location: Buffer.from(location).toString('latin1') }).end();
  };
}

describe.each(CALLS)('%s', (call) => {
  test.each([301, 302, 303, 307, 308].map((status, turn) => ({ status, turn })))(
    'is led to none by a $status',
    async ({ status, turn }) => {
      // Each is led to by one of them here, and by all of them in the fetcher's own test.
      const places = PRIVATE_HOSTS.filter((host, index) => index % 5 === turn && /^[ -~]+$/.test(host));
      leadTo(status, Object.fromEntries(places.map((host, index) => [`/${index}`, canary(host)])));
      const responses = await Promise.all(
        places.map(async (host, index) => {
          const response = await ask(call, data.at(`/${index}`));
          return [host, response.status, response.body.code];
        }),
      );
      expect(responses).toEqual(places.map((host) => [host, 403, 'ADDRESS_REFUSED']));
      expect(data.touched).toEqual([]);
    },
  );

  test('no form or chain of redirects leads to a private IP address', async () => {
    const port = data.canaryPort;
    const locations: Record<string, [location: string, status: number, code: string]> = {
      '/file': ['file:///etc/passwd', 400, 'INVALID_URL'],
      '/gopher': [`gopher://127.0.0.1:${port}/_GET`, 400, 'INVALID_URL'],
      '/data': ['data:text/html,x', 400, 'INVALID_URL'],
      '/user': [`http://a:b@127.0.0.1:${port}/`, 400, 'INVALID_URL'],
      '/slashes': [`//127.0.0.1:${port}/`, 403, 'ADDRESS_REFUSED'],
      '/backslashes': [`\\\\127.0.0.1:${port}\\`, 403, 'ADDRESS_REFUSED'],
      '/mixed': [`/\\[::1]:${port}/`, 403, 'ADDRESS_REFUSED'],
      '/upper': [`HTTP://LOCALHOST:${port}/`, 403, 'ADDRESS_REFUSED'],
      '/chain/1': ['/chain/2', 403, 'ADDRESS_REFUSED'],
      '/chain/2': [data.at('/chain/3', 'api.test'), 403, 'ADDRESS_REFUSED'],
      '/chain/3': [`//other.test:${data.sitePort}/slashes`, 403, 'ADDRESS_REFUSED'],
      '/round': ['/round', 502, 'FETCH_FAILED'],
      '/ssh': ['http://public.test:22/', 403, 'ADDRESS_REFUSED'],
    };
    leadTo(302, Object.fromEntries(Object.entries(locations).map(([path, [location]]) => [path, location])));
    for (const [path, [, status, code]] of Object.entries(locations)) {
      const response = await ask(call, data.at(path));
      expect([path, response.status, response.body.code]).toEqual([path, status, code]);
    }
    expect(data.touched).toEqual([]);
  });

  test('the IP address that was judged is connected to, although DNS returns another a moment later', async () => {
    const answers = [['127.0.0.1'], ['::1'], ['10.0.0.1']];
    Object.defineProperty(data.names, 'api.test', { get: () => answers.shift(), configurable: true });
    leadTo(302, {});
    const response = await ask(call, data.at('/', 'api.test'));
    expect([response.status, data.lookedUp]).toEqual([200, ['api.test']]);
    expect(JSON.stringify(response.body)).toContain('Its own page.');
    // A name that is public at first has to be so at each hop.
    const turns = [['127.0.0.1'], ['127.0.0.1', '169.254.169.254']];
    Object.defineProperty(data.names, 'turns.test', { get: () => turns.shift(), configurable: true });
    const turned = await ask(call, canary('turns.test'));
    expect([turned.status, turned.body.code]).toEqual([403, 'ADDRESS_REFUSED']);
    expect(data.touched).toEqual([]);
  });

  test.each([
    'file:///etc/passwd',
    'gopher://127.0.0.1/',
    'javascript:1',
    'http://user:word@example.org/',
    'http://127.0.0.1@example.org/',
    'example.org',
    'http://[::1',
  ])('a call refuses %j as a URL', async (url) => {
    const { status, body } = await ask(call, url);
    expect([status, body.code]).toEqual([400, 'INVALID_URL']);
    expect(data.lookedUp).toEqual([]);
  });
});

test('24 names of one account that never resolve do not delay another account', async () => {
  const dns = await startDnsStandIn({
    names: { 'api.test': ['127.0.0.1'] },
    isSilent: (name) => name.endsWith('.dead.test'),
  });
  const resolver = createNameResolver({ queryMs: 3_000, servers: [dns.server], hostsFile: async () => [] });
  const own = await buildTestData({ resolver });
  onTestFinished(async () => {
    await own.close();
    dns.close();
  });
  own.site.handler = (_, response) => response.setHeader('content-type', 'text/html').end(PAGE);
  const caller = new AbortController();
  const dead = Array.from({ length: 24 }, (_, index) =>
    own.send(
      CALLS[index % CALLS.length] ?? 'fetch',
      {
        body: JSON.stringify({ url: `http://n${index}.dead.test/` }),
        headers: { 'content-type': 'application/json' },
        signal: caller.signal,
      },
      'ana',
    ),
  );
  let ended = 0;
  for (const call of dead) {
    void call
      .finally(() => {
        ended += 1;
      })
      .catch(() => undefined);
  }
  await dns.askedFor('n3.dead.test');
  for (const call of CALLS) {
    const { status } = await own.post(call, { url: own.at('/', 'api.test') }, 'ben');
    expect([call, status]).toEqual([call, 200]);
  }
  // Eight are looked up at a time, for three seconds each: the others were not waited for.
  expect(ended).toBeLessThan(16);
  caller.abort();
  await Promise.allSettled(dead);
});

test.each([...CALLS, 'screenshot'])('%s reaches no public address of this machine', async (call) => {
  const own = await buildTestData({
    interfaces: () => ({ eth0: [{ address: '93.184.216.34' }, { address: '2606:4700::1' }] }),
  });
  onTestFinished(() => own.close());
  own.names['own.test'] = ['93.184.216.34'];
  own.site.handler = (_, response) =>
    response.writeHead(302, { location: 'http://[2606:4700::1]:8080/' }).end();
  const urls = ['http://93.184.216.34:6379/', 'https://[2606:4700::1]/', 'http://own.test:8080/'];
  for (const url of call === 'screenshot' ? urls : [...urls, own.at('/')]) {
    const { status, body } = await own.post(call, { url });
    expect([url, status, body.code]).toEqual([url, 403, 'ADDRESS_REFUSED']);
  }
});

test('reading a page fetches no refresh, frame, image, style or entity', async () => {
  const there = canary('127.0.0.1');
  data.site.handler = (_, response) =>
    response.setHeader('content-type', 'text/html').end(`<!doctype html>
      <html><head><meta http-equiv="refresh" content="0;url=${there}"><base href="${there}">
      <link rel="stylesheet" href="${there}"><script src="${there}"></script></head>
      <body><p>What the page itself says.</p><img src="${there}" srcset="${there} 2x"><iframe src="${there}"></iframe>
      <object data="${there}"></object><video src="${there}" poster="${there}"></video></body></html>`);
  for (const call of ['extract-from-url', 'scrape'] as const) {
    const { status, body } = await ask(call, data.at());
    expect([status, JSON.stringify(body)]).toEqual([
      200,
      expect.stringContaining('What the page itself says.'),
    ]);
  }
  expect(data.touched).toEqual([]);
});

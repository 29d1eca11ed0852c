import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { PRIVATE_HOSTS, PRIVATE_NAMES } from '@fabrica/backend/testing/fetcher/build-test-hosts.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createGate } from './gate.ts';
import { createGuardedFetcher, type GuardedFetcher } from './guarded-fetcher.ts';
import { isPublicIpAddress } from './is-public-ip-address.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Listens where nothing of ours may ever connect to. */
let canary: Server;
/** A place that an operator has allowed. */
let site: Server;
let touched: string[] = [];
let handler: Handler;
let fetcher: GuardedFetcher;
let names: Record<string, string[]>;
let lookedUp: string[];

const portOf = (server: Server) => (server.address() as AddressInfo).port;
const listening = (server: Server, host: string) =>
  new Promise<Server>((resolve) => server.listen(0, host, () => resolve(server)));

beforeAll(async () => {
  canary = createServer((request, response) => response.end(`secret of ${request.url}`));
  canary.on('connection', () => touched.push('canary'));
  await listening(canary, '::');
  site = await listening(
    createServer((request, response) => handler(request, response)),
    '127.0.0.1',
  );
});

afterAll(() => {
  for (const server of [canary, site]) {
    server.closeAllConnections();
    server.close();
  }
});

beforeEach(() => {
  touched = [];
  lookedUp = [];
  names = { 'allowed.example': ['127.0.0.1'] };
  const gate = createGate({
    allowHosts: [`127.0.0.1:${portOf(site)}`, `allowed.example:${portOf(site)}`],
    resolver: async (host) => {
      lookedUp.push(host);
      const found = names[host];
      if (!found) throw new Error(`getaddrinfo ENOTFOUND ${host}`);
      return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    },
  });
  fetcher = createGuardedFetcher({ gate, userAgent: 'Fabrica' });
});

afterEach(() => fetcher.close());

const here = (path = '/') => `http://127.0.0.1:${portOf(site)}${path}`;
const appError = (code: string) => expect.objectContaining({ code });

describe('private addresses', () => {
  beforeEach(() => Object.assign(names, PRIVATE_NAMES));

  test('the tests have at least 150 forms of private addresses', () => {
    expect(new Set(PRIVATE_HOSTS).size).toBeGreaterThanOrEqual(150);
  });

  test.each(PRIVATE_HOSTS)('the private host %s is refused', async (host) => {
    await expect(fetcher.fetch(`http://${host}:${portOf(canary)}/`)).rejects.toEqual(
      appError('ADDRESS_REFUSED'),
    );
    expect(touched).toEqual([]);
  });

  test.each([301, 302, 303, 307, 308])(
    'a private address is refused when a %i redirects to it',
    async (status) => {
      for (const host of PRIVATE_HOSTS) {
        // As its bytes: a header takes no other signs.
        const location = Buffer.from(`http://${host}:${portOf(canary)}/`).toString('latin1');
        handler = (_, response) => response.writeHead(status, { location }).end();
        await expect(fetcher.fetch(here())).rejects.toEqual(appError('ADDRESS_REFUSED'));
      }
      expect(touched).toEqual([]);
    },
  );

  test.each([
    '//127.0.0.1:PORT/',
    '//[::1]:PORT/',
    'http:127.0.0.1:PORT',
    '\\\\127.0.0.1:PORT\\',
    '/\\127.0.0.1:PORT',
    'HTTP://LOCALHOST:PORT',
    ' http://127.0.0.1:PORT/',
    'ht\ttp://127.0.0.1:PORT/',
  ])('a private address is refused when a redirect writes it as %j', async (location) => {
    handler = (request, response) => {
      const to = location.replace('PORT', String(portOf(canary))).replace('\t', '');
      if (request.url === '/') response.writeHead(302, { location: to }).end();
      else response.end('here');
    };
    // As a path of the site it may be one that is there.
    await fetcher.fetch(here()).then(
      ({ url }) => expect(new URL(url).host).toBe(`127.0.0.1:${portOf(site)}`),
      (error) => expect(error).toEqual(appError('ADDRESS_REFUSED')),
    );
    expect(touched).toEqual([]);
  });

  test('all IP addresses of a host are refused when one of them is private', async () => {
    let asked = 0;
    const answers = [['127.0.0.1'], ['::1'], ['10.0.0.1'], ['0.0.0.0']];
    names = new Proxy(names, {
      get: () => answers[asked++ % answers.length],
    });
    for (const _ of answers) {
      await expect(fetcher.fetch(`http://rebound.example:${portOf(canary)}/`)).rejects.toEqual(
        appError('ADDRESS_REFUSED'),
      );
    }
    expect(touched).toEqual([]);
  });

  test('a private IP address is not connected to when a second look-up returns it', async () => {
    // The first answer is allowed by its name, and is what is connected to: there is no second look-up.
    const answers = [['127.0.0.1'], ['::1']];
    names = new Proxy(names, { get: () => answers.shift() });
    handler = (_, response) => response.end('the site');
    const { body } = await fetcher.fetch(`http://allowed.example:${portOf(site)}/`);
    expect(Buffer.from(body).toString()).toBe('the site');
    expect(lookedUp).toEqual(['allowed.example']);
  });

  test('a private host is refused when the allowed pair names another port', async () => {
    await expect(fetcher.fetch(`http://127.0.0.1:${portOf(canary)}/`)).rejects.toEqual(
      appError('ADDRESS_REFUSED'),
    );
    names['allowed.example'] = ['127.0.0.1'];
    await expect(fetcher.fetch(`http://allowed.example:${portOf(canary)}/`)).rejects.toEqual(
      appError('ADDRESS_REFUSED'),
    );
    expect(touched).toEqual([]);
  });
});

test.each([
  ['[::1]:PORT', '[::1]'],
  ['[0:0:0:0:0:0:0:1]:PORT', '[::1]'],
  ['LOCALHOST:PORT', 'localhost'],
  ['wiki.intern.:PORT', 'WIKI.intern'],
  ['bücher.intern:PORT', 'xn--bcher-kva.intern'],
])('the allowed pair %s allows %s, however it is written', async (pair, host) => {
  const server = await listening(
    createServer((_, response) => response.end('within')),
    '::1',
  );
  const port = String(portOf(server));
  const gate = createGate({
    allowHosts: [pair.replace('PORT', port)],
    resolver: async () => [{ address: '::1', family: 6 }],
  });
  const own = createGuardedFetcher({ gate, userAgent: 'Fabrica' });
  const { body } = await own.fetch(`http://${host}:${port}/`);
  expect(Buffer.from(body).toString()).toBe('within');
  await own.close();
  server.close();
});

test.each([
  'ftp://example.org/',
  'file:///etc/passwd',
  'gopher://127.0.0.1/',
  'data:text/plain,x',
  'javascript:1',
  'ws://example.org/',
  'blob:http://example.org/x',
  'about:blank',
  '//example.org',
  'example.org',
  '',
  'http://',
  'http://[::1',
  'http://exa mple.org/',
  'http://user@example.org/',
  'http://user:word@example.org/',
  'http://:word@example.org/',
  'http://127.0.0.1@example.org/',
  'http://example.org:99999/',
  'unix:/var/run/docker.sock',
  'http+unix://%2Fvar%2Frun%2Fdocker.sock/',
  'http://1.2.3.4.5/',
  'http://256.1.1.1/',
  'http://0x100000000/',
])('%j is refused as a URL to fetch', async (url) => {
  await expect(fetcher.fetch(url)).rejects.toEqual(appError('INVALID_URL'));
  expect(lookedUp).toEqual([]);
});

test.each([21, 22, 25, 53, 110, 139, 445, 993])('a URL with port %i is refused', async (port) => {
  names['public.example'] = ['93.184.216.34'];
  await expect(fetcher.fetch(`http://public.example:${port}/`)).rejects.toEqual(appError('ADDRESS_REFUSED'));
});

test.each([
  '8.8.8.8',
  '93.184.216.34',
  '1.1.1.1',
  '172.15.255.255',
  '172.32.0.1',
  '100.63.255.255',
  '100.128.0.1',
  '2606:4700::1111',
  '2a00:1450:4001::1',
])('the IP address %s is public', (address) => expect(isPublicIpAddress(address)).toBe(true));

describe('responses', () => {
  test('a response has its status, headers, URL and bytes', async () => {
    handler = (request, response) =>
      response.writeHead(404, { 'x-seen': String(request.headers['user-agent']) }).end('nö');
    const { status, headers, url, body } = await fetcher.fetch(here('/a?b=c'));
    expect({ status, seen: headers['x-seen'], url, body: Buffer.from(body).toString() }).toEqual({
      status: 404,
      seen: 'Fabrica',
      url: here('/a?b=c'),
      body: 'nö',
    });
  });

  test.each([
    ['gzip', gzipSync('hello')],
    ['br', brotliCompressSync('hello')],
  ])('a response is decompressed from %s', async (coding, bytes) => {
    handler = (_, response) => response.writeHead(200, { 'content-encoding': coding }).end(bytes);
    expect(Buffer.from((await fetcher.fetch(here())).body).toString()).toBe('hello');
  });

  test('a response without a body is not decompressed', async () => {
    handler = ({ method }, response) => {
      response.writeHead(method === 'HEAD' ? 200 : 204, { 'content-encoding': 'gzip' }).end();
    };
    for (const method of ['HEAD', 'GET']) {
      expect((await fetcher.fetch(here(), { method })).body).toHaveLength(0);
    }
  });

  test('a slow look-up of a host is not awaited beyond the timeout, nor after the caller has disconnected', async () => {
    const { promise, resolve } = Promise.withResolvers<{ address: string; family: number }[]>();
    const slow = createGuardedFetcher({
      gate: createGate({ allowHosts: [], resolver: () => promise }),
      userAgent: 'Fabrica',
    });
    const late = slow.fetch('http://slow.example/', { timeout: 20 });
    await expect(late).rejects.toEqual(appError('FETCH_TIMEOUT'));
    const leaving = new AbortController();
    const left = slow.fetch('http://slow.example/', { signal: leaving.signal });
    leaving.abort(new Error('Gone.'));
    await expect(left).rejects.toThrow('Gone.');
    resolve([]);
    await slow.close();
  });

  test('a response that is declared too large is 413 before its body is read, unless it has none', async () => {
    handler = ({ method }, response) => {
      response.writeHead(200, { 'content-length': String(2 * 1024 ** 3) });
      if (method === 'HEAD') response.end();
      else response.flushHeaders();
    };
    await expect(fetcher.fetch(here())).rejects.toEqual(appError('PAYLOAD_TOO_LARGE'));
    expect((await fetcher.fetch(here(), { method: 'HEAD' })).headers['content-length']).toBe('2147483648');
  });

  test('a host that does not respond is 502', async () => {
    await expect(fetcher.fetch('http://nobody.example/')).rejects.toEqual(appError('FETCH_FAILED'));
  });
});

test('credentials for one origin are not sent to another by a redirect', async () => {
  const seen: [string, unknown, string][] = [];
  handler = (request, response) => {
    seen.push([request.headers.host ?? '', request.headers.authorization, request.method ?? '']);
    if (request.url !== '/') response.end();
    else response.writeHead(302, { location: `http://allowed.example:${portOf(site)}/next` }).end();
  };
  await fetcher.fetch(here(), { method: 'POST', body: 'x', headers: { Authorization: 'Bearer x' } });
  expect(seen).toEqual([
    [`127.0.0.1:${portOf(site)}`, 'Bearer x', 'POST'],
    [`allowed.example:${portOf(site)}`, undefined, 'GET'],
  ]);
});

test('a file of this server is read without a connection, and nothing else of it is', async () => {
  const port = portOf(canary);
  const own = createGuardedFetcher({
    gate: createGate({ allowHosts: [here('').slice('http://'.length)] }),
    userAgent: 'Fabrica',
    readOwnFile: ({ pathname }) =>
      pathname.startsWith('/storage/')
        ? Promise.resolve(new Response('a file', { headers: { 'content-type': 'text/plain' } }))
        : undefined,
  });
  const file = `http://127.0.0.1:${port}/storage/a.txt`;
  handler = (_, response) => response.writeHead(302, { location: file }).end();
  for (const url of [file, here()]) {
    const { status, headers, body, url: end } = await own.fetch(url);
    expect([status, headers['content-type'], Buffer.from(body).toString(), end]).toEqual([
      200,
      'text/plain',
      'a file',
      file,
    ]);
  }
  await expect(own.fetch(file, { maxBytes: 5 })).rejects.toEqual(appError('PAYLOAD_TOO_LARGE'));
  for (const path of ['/', '/storage', '/storage/../api', '/storage/%2e%2e/api']) {
    await expect(own.fetch(`http://127.0.0.1:${port}${path}`)).rejects.toEqual(appError('ADDRESS_REFUSED'));
  }
  await expect(own.fetch(file, { method: 'POST' })).rejects.toEqual(appError('ADDRESS_REFUSED'));
  expect(touched).toEqual([]);
  await own.close();
});

test('the caller can refuse each redirect', async () => {
  const hops: string[] = [];
  handler = (_, response) => response.writeHead(307, { location: '/next' }).end();
  const onHop = ({ pathname }: URL) => {
    hops.push(pathname);
    if (pathname === '/next') throw new Error('not there');
  };
  await expect(fetcher.fetch(here(), { onHop })).rejects.toEqual(appError('FETCH_FAILED'));
  expect(hops).toEqual(['/', '/next']);
});

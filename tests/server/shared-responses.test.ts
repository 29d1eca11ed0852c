import { readdirSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { halves } from '@fabrica/backend/testing/storage/build-test-images.ts';
import { type Author, buildPost, serviceRest, signUp } from '@fabrica/test-peers/author.ts';
import { randomFrom } from '@fabrica/test-peers/random.ts';
import { runFabrica } from '@fabrica/test-peers/run-fabrica.ts';
import { type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ORIGIN = 'https://reader.example';
const TABLE = '/api/db/journal/rest/v1/journal_posts';
const ASSETS = fileURLToPath(new URL('../../apps/journal/build/client/assets', import.meta.url));

let server: RunningServer;
let author: Author;
/** The path of an uploaded picture. */
let picture: string;
/** An address of each kind of response that is kept. */
let addresses: Readonly<Record<string, string>>;

beforeAll(async () => {
  server = await startServer({
    DEMO: 'off',
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'info',
    ALLOWED_ORIGINS: ORIGIN,
  });
  author = await signUp(server, 'Dr Mara Lind');
  picture = await upload('kept.jpg');
  const posts = Array.from({ length: 20 }, (_, index) =>
    buildPost(author, { id: `post_${index}`, image_url: picture }),
  );
  expect((await serviceRest(server)('POST', 'journal_posts', posts)).status).toBe(201);
  const asset = (pattern: RegExp) => `/assets/${readdirSync(ASSETS).find((name) => pattern.test(name))}`;
  addresses = {
    'a page': '/gallery',
    'a page in a language that its address names': '/gallery?lang=de',
    'a page with a parameter that changes nothing': '/about-me?utm_source=letter',
    'the page of a post': '/post/post_1',
    'the data of a page': '/post/post_1.data?_routes=post%2Froute',
    'a feed': '/feed.xml?lang=fr',
    'a site map': '/sitemap.xml',
    'the manifest': '/manifest.webmanifest',
    'a list': `${TABLE}?select=id,title,content&order=id&limit=20`,
    'a row': `${TABLE}?id=eq.post_1`,
    'no row': `${TABLE}?id=eq.nobody`,
    'an image': `${picture}&w=320`,
    'an image in a format': `${picture}&w=320&format=webp`,
    'a script': asset(/\.js$/),
    'a font': asset(/\.woff2$/),
    'the icon': '/favicon.svg',
    'the service worker': '/service-worker.js',
    'the state of the process': '/healthz',
    'a search': '/gallery?search=heart',
    'a missing page': '/nothing',
    'a missing file': '/assets/nothing.js',
    'a table that there is none': '/api/db/journal/rest/v1/nothing',
  };
});
afterAll(() => server.close());

/** Uploads a picture in place of one of the same name, and returns its path with its version. */
async function upload(path: string, height = 640): Promise<string> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(await halves(640, height).jpeg().toBuffer())]), path);
  form.append('path', path);
  form.append('upsert', 'true');
  const response = await fetch(`${server.url}/api/storage/journal/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${author.token}` },
    body: form,
  });
  const { publicUrl } = (await response.json()) as { publicUrl: string };
  return publicUrl.slice(server.url.length);
}

interface Received {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

type Sent = { method?: string; headers?: Record<string, string> };

function send(path: string, { method = 'GET', headers = {} }: Sent = {}): Promise<Received> {
  const { port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) });
    });
    sent.once('error', reject).end();
  });
}

/** Sends a request that only the router responds to: it announces a body. */
const sendToRouter = (path: string, { method = 'GET', headers = {} }: Sent = {}) =>
  send(path, { method, headers: { ...headers, 'content-length': '0' } });

/** Returns a response without what differs each time. A page may be compressed better than it was, so its text counts. */
function comparable({ status, headers, body }: Received) {
  const { date, 'x-request-id': id, 'content-length': length, ...same } = headers;
  const encoding = headers['content-encoding'];
  const decode = { br: brotliDecompressSync, gzip: gunzipSync }[encoding ?? ''];
  const text = decode && body.length > 0 ? decode(body) : body;
  return {
    status,
    headers: { ...same, ...(encoding === undefined && { length }) },
    hasId: id !== undefined,
    text: text.toString('latin1'),
  };
}

/** Headers that clients and proxies send, with values of each kind. */
const HEADERS: Readonly<Record<string, readonly string[]>> = {
  accept: [
    '*/*',
    'text/html,application/xhtml+xml,*/*;q=0.8',
    'application/json',
    'application/vnd.pgrst.object+json',
    'text/csv',
    'text/csv;q=0.5, application/json;q=0.4',
    'image/avif,image/webp,*/*',
    'image/webp',
    'image/avif;q=0, image/webp',
    'image/png',
  ],
  'accept-encoding': ['br', 'gzip, deflate', 'br;q=1.0, gzip', 'br;q=0, gzip', 'zstd', 'identity', 'BR'],
  'accept-language': ['de', 'fr-CH, en;q=0.5'],
  'accept-profile': ['public', 'private'],
  'access-control-request-method': ['GET'],
  'access-control-request-headers': ['authorization'],
  authorization: ['Bearer nonsense', ''],
  'cache-control': ['no-cache'],
  'content-profile': ['private'],
  'content-type': ['application/json'],
  cookie: [
    'fabrica_language=de',
    'fabrica_language=xx',
    'fabrica_language=fr; other=1',
    'fabrica_link_language=fr; fabrica_language=de',
    'other=1',
    'fabrica_session=journal.nonsense',
    'fabrica_session=journal.nonsense; fabrica_language=es',
  ],
  dnt: ['1'],
  forwarded: ['for=192.0.2.1;host=elsewhere.example;proto=https'],
  host: ['elsewhere.example', 'ELSEWHERE.example:81', '[::1]:3000'],
  'if-match': ['"other"'],
  'if-modified-since': ['Tue, 01 Dec 2065 00:00:00 GMT'],
  'if-none-match': ['"other"', '*', 'W/"other", "another"'],
  'if-range': ['"other"'],
  origin: [ORIGIN, 'https://stranger.example', 'null'],
  pragma: ['no-cache'],
  prefer: [
    'count=exact',
    'count=planned',
    'count=exact, return=representation',
    'handling=strict, what=ever',
  ],
  purpose: ['prefetch'],
  range: ['bytes=0-9', 'bytes=99999999-'],
  referer: ['https://elsewhere.example/'],
  'save-data': ['on'],
  'sec-fetch-mode': ['cors'],
  te: ['trailers'],
  traceparent: ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'],
  upgrade: ['h2c'],
  'user-agent': ['Mozilla/5.0 (iPhone)', 'curl/8'],
  via: ['1.1 proxy'],
  'x-forwarded-for': ['192.0.2.1'],
  'x-forwarded-host': ['elsewhere.example'],
  'x-forwarded-proto': ['https'],
  'x-http-method-override': ['DELETE'],
  'x-request-id': ['edge-7f3a/00000042'],
};

/** Pages, and parameters of which some change them. */
const PAGES = [
  ...['/gallery', '/about-me', '/privacy', '/imprint', '/admin', '/post/post_1', '/post/post_2'],
  ...['/post/post_1.data', '/gallery.data', '/feed.xml', '/sitemap.xml', '/robots.txt', '/nothing'],
];
const PARAMETERS = [
  ...['lang=de', 'lang=fr', 'lang=xx', 'lang=DE-at', '%6cang=es', 'utm_source=letter', 'fbclid=x1', 'ref'],
  ...['cursor=x', 'comments=2', 'report=sent', 'search=heart', 'search=', '_routes=post%2Froute', 'a=%23de'],
];

/** What no response depends on is sent together. */
const IDLE: readonly string[] = [
  ...[
    'cache-control',
    'dnt',
    'forwarded',
    'pragma',
    'purpose',
    'referer',
    'save-data',
    'sec-fetch-mode',
    'te',
  ],
  ...['traceparent', 'user-agent', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'],
];

/** Returns a request's headers for each value of each header. */
const rows = (): Record<string, string>[] => [
  Object.fromEntries(IDLE.map((name) => [name, HEADERS[name]?.[0] ?? ''])),
  ...Object.entries(HEADERS)
    .filter(([name]) => !IDLE.includes(name))
    .flatMap(([name, values]) => values.map((value) => ({ [name]: value }))),
];

/** Expects the router's response to a request so many times. */
async function expectAlike(path: string, sent: Sent, times: number): Promise<void> {
  const routed = comparable(await sendToRouter(path, sent));
  for (let time = 1; time <= times; time += 1) {
    expect(comparable(await send(path, sent)), `${path} ${JSON.stringify(sent)}, time ${time}`).toEqual(
      routed,
    );
  }
}

describe('a response that may be kept', () => {
  it.each([
    'a page',
    'a page in a language that its address names',
    'a page with a parameter that changes nothing',
    'the page of a post',
    'the data of a page',
    'a feed',
    'a site map',
    'the manifest',
    'a list',
    'a row',
    'no row',
    'an image',
    'an image in a format',
    'a script',
    'a font',
    'the icon',
    'the service worker',
    'the state of the process',
  ])('%s is that of the router for each header, the first time and later', async (name) => {
    const path = addresses[name] ?? '';
    const { etag } = (await send(path)).headers;
    const own = etag === undefined ? [] : [{ 'if-none-match': etag }, { 'if-none-match': `W/${etag}` }];
    const together = { 'accept-encoding': 'br', origin: ORIGIN, prefer: 'count=exact' };
    // Whoever came before has had the response kept, with no header and with a browser's.
    for (let time = 0; time < 2; time += 1) {
      await send(path);
      await send(path, { headers: { 'accept-encoding': 'gzip, deflate, br' } });
    }
    for (const headers of [{}, ...own, ...rows(), together]) {
      await expectAlike(path, { headers }, 3);
      await expectAlike(path, { method: 'HEAD', headers }, 1);
    }
  });

  it.each(['a search', 'a missing page', 'a missing file', 'a table that there is none'])(
    '%s, which is not kept, is that of the router as well',
    async (name) => {
      const path = addresses[name] ?? '';
      for (const headers of [{}, ...rows()]) await expectAlike(path, { headers }, 1);
    },
  );

  it('an address is never sent what is kept for another one', async () => {
    const random = randomFrom(7);
    const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
    const tried = Array.from({ length: 120 }, () => {
      const parameters = Array.from({ length: random() * 4 }, () => pick(PARAMETERS));
      const language = pick(['', 'fabrica_language=de', 'fabrica_language=es']);
      return {
        path: pick(PAGES) + (parameters.length > 0 ? `?${parameters.join('&')}` : ''),
        headers: language ? { cookie: language } : ({} as Record<string, string>),
      };
    });
    // The second time a response is kept, and the third time it is sent.
    for (const { path, headers } of [...tried, ...tried, ...tried]) await send(path, { headers });
    for (const { path, headers } of tried) await expectAlike(path, { headers }, 1);
  });

  it('its requests are logged alike, with ids of their own', async () => {
    const lines = () =>
      server
        .output()
        .split('\n')
        .filter((line) => line.includes('"path":"/contact"'))
        .map((line) => JSON.parse(line));
    for (let time = 0; time < 4; time += 1) await send('/contact?from=letter');
    await sendToRouter('/contact?from=letter');
    await expect.poll(lines).toHaveLength(5);
    const [first, ...others] = lines().map(({ time, ms, requestId, ...line }) => line);
    expect(others).toEqual([first, first, first, first]);
    expect(first).toMatchObject({ level: expect.anything(), method: 'GET', path: '/contact', status: 200 });
    expect(new Set(lines().map(({ requestId }) => requestId)).size).toBe(5);
  });
});

describe('a response that is kept', () => {
  it('no response is older than the last commit', async () => {
    const post = buildPost(author, { id: 'kept', title_en: 'Commit 0' });
    expect((await author.rest('POST', 'journal_posts', post)).status).toBe(201);
    const paths = [
      '/gallery?lang=en',
      '/post/kept',
      '/post/kept?lang=en',
      '/feed.xml?lang=en',
      `${TABLE}?id=eq.kept`,
      `${TABLE}?select=id,title_en&title_en=like.Commit*`,
      '/post/kept.data?lang=en',
    ];
    const read = async (path: string, headers: Record<string, string>) => {
      const { text } = comparable(await send(path, { headers }));
      return text;
    };
    const stale: string[] = [];
    for (let commit = 1; commit <= 12; commit += 1) {
      const headers: Record<string, string> = commit % 2 ? { 'accept-encoding': 'br' } : {};
      for (const path of [...paths, ...paths, ...paths]) await read(path, headers);
      const title = `Commit ${commit}.`;
      await author.rest('PATCH', 'journal_posts?id=eq.kept', { title_en: title });
      for (const path of paths)
        if (!(await read(path, headers)).includes(title)) stale.push(`${path} ${commit}`);
    }
    expect(stale).toEqual([]);
  });

  it('what another process writes is shown', async () => {
    const paths = ['/gallery', '/post/kept?lang=en', '/feed.xml'];
    for (let time = 0; time < 3; time += 1) for (const path of paths) await send(path);
    const { exitCode } = await runFabrica(['site', 'set', 'name', 'The Kept Journal'], server.settings);
    expect(exitCode).toBe(0);
    for (const path of paths) {
      await expect.poll(async () => (await send(path)).body.toString()).toContain('The Kept Journal');
    }
  });

  it('a picture that is replaced or removed is gone at once, and no other one', async () => {
    const [replaced, removed] = [await upload('replaced.jpg'), await upload('removed.jpg')];
    const paths = [picture, replaced, removed].map((path) => `${path}&w=320`);
    const read = async () => Promise.all(paths.map(async (path) => (await send(path)).headers.etag));
    const before = [await read(), await read(), await read()];
    expect(before).toEqual([before[0], before[0], before[0]]);
    await upload('replaced.jpg', 400);
    await fetch(`${server.url}/api/storage/journal/remove`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${author.token}` },
      body: JSON.stringify({ paths: ['removed.jpg'] }),
    });
    expect((await read()).map((etag, index) => etag === before[0]?.[index])).toEqual([true, false, false]);
    expect((await send(`${removed}&w=320`)).status).toBe(404);
  });
});

import { brotliCompressSync, gzipSync } from 'node:zlib';
import { buildTestData, type Handler, type TestData } from '@fabrica/backend/testing/data/build-test-data.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

const MB = 1024 * 1024;
/** Bytes that may be on their way when a connection is ended: buffers of both sides. */
const IN_FLIGHT = 24 * MB;

const CALLS = ['extract-from-url', 'scrape', 'fetch'] as const;

let data: TestData;
/** Waits for a shorter time. */
let shortTimeout: TestData;

beforeAll(async () => {
  [data, shortTimeout] = await Promise.all([buildTestData(), buildTestData({ timeout: 200 })]);
});
afterAll(() => Promise.all([data.close(), shortTimeout.close()]));
beforeEach(() => {
  data.site.written.length = 0;
});

const html = { 'content-type': 'text/html; charset=utf-8' };
const respondWith = (body: string | Buffer, headers: Record<string, string> = html): Handler => {
  return (_, response) => response.writeHead(200, headers).end(body);
};

/** Writes for as long as somebody reads. */
const pour: (chunk: Buffer) => Handler = (chunk) => (_, response) => {
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', more);
  more();
};

/** Sends these bytes in place of a response. */
const raw: (text: string, end?: 'reset') => Handler = (text, end) => (request) => {
  request.socket.write(text, () =>
    end === 'reset' ? request.socket.resetAndDestroy() : request.socket.end(),
  );
};

const declared: Handler = (request, response) => {
  response.writeHead(200, { ...html, 'content-length': String(2 * 1024 * MB) });
  pour(Buffer.alloc(256 * 1024, 'x'))(request, response);
};
const endless: Handler = (request, response) => {
  response.writeHead(200, html);
  pour(Buffer.alloc(256 * 1024, 'x'))(request, response);
};
/** 50 MB, and once more packed: a hundred bytes for each MB. */
const zeros = Buffer.alloc(50 * MB);
const gzipped = gzipSync(zeros);

const ATTACKS: [string, Handler, number, string][] = [
  ['of 2 GB, as it says', declared, 413, 'PAYLOAD_TOO_LARGE'],
  ['without an end', endless, 413, 'PAYLOAD_TOO_LARGE'],
  [
    'that is a bomb of gzip',
    respondWith(gzipped, { ...html, 'content-encoding': 'gzip' }),
    413,
    'PAYLOAD_TOO_LARGE',
  ],
  [
    'that is a bomb of brotli',
    respondWith(brotliCompressSync(zeros), { ...html, 'content-encoding': 'br' }),
    413,
    'PAYLOAD_TOO_LARGE',
  ],
  ['with a header of 1 MB', respondWith('x', { ...html, 'x-large': 'x'.repeat(MB) }), 502, 'FETCH_FAILED'],
  ['with 35,000 headers', raw(`HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(35_000)}\r\nx`), 502, 'FETCH_FAILED'],
  ['that drips', (_, response) => void response.writeHead(200, html).write('x'), 504, 'FETCH_TIMEOUT'],
  [
    'whose head drips',
    (request) => void request.socket.write('HTTP/1.1 200 OK\r\nx: '),
    504,
    'FETCH_TIMEOUT',
  ],
  ['that does not come', () => undefined, 504, 'FETCH_TIMEOUT'],
  [
    'that is shorter than it says',
    raw('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort'),
    502,
    'FETCH_FAILED',
  ],
  [
    'that says two lengths',
    raw('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nxy'),
    502,
    'FETCH_FAILED',
  ],
  ['that says no length', raw('HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\nx'), 502, 'FETCH_FAILED'],
  [
    'whose pieces have no size',
    raw('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nx'),
    502,
    'FETCH_FAILED',
  ],
  [
    'whose connection is reset',
    raw('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx', 'reset'),
    502,
    'FETCH_FAILED',
  ],
  ['that is no HTTP', raw('220 mail.example ESMTP\r\n'), 502, 'FETCH_FAILED'],
  [
    'that is packed as what it is not',
    respondWith('plain', { ...html, 'content-encoding': 'gzip' }),
    502,
    'FETCH_FAILED',
  ],
  [
    'that is cut off in its packing',
    respondWith(gzipped.subarray(0, 500), { ...html, 'content-encoding': 'gzip' }),
    502,
    'FETCH_FAILED',
  ],
];

describe('hostile responses', () => {
  test.each(ATTACKS)(
    'a response %s is refused, and no more of it is read',
    async (_, handler, status, code) => {
      const { site, post, at } = code === 'FETCH_TIMEOUT' ? shortTimeout : data;
      site.handler = handler;
      site.written.length = 0;
      const responses = await Promise.all(CALLS.map((call) => post(call, { url: at() })));
      for (const response of responses) {
        expect(response).toMatchObject({ status, body: { code, error: expect.stringMatching(/\.$/) } });
      }
      // The time may be up before the site has heard of it.
      if (code !== 'FETCH_TIMEOUT') expect(site.written).toHaveLength(CALLS.length);
      for (const written of site.written) expect(written()).toBeLessThan(IN_FLIGHT);
    },
  );

  test('a response that is longer than its content length is cut there', async () => {
    data.site.handler = raw('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nshort and long');
    const { status, body } = await data.post('fetch', { url: data.at() });
    expect([status, body.body ?? body.code]).toEqual([200, 'sh']);
  });

  test('a response is not awaited when the caller has disconnected', async () => {
    for (const call of CALLS) {
      const caller = new AbortController();
      const ended = new Promise<string>((resolve) => {
        data.site.handler = (_, response) => {
          response.on('close', () => resolve('closed'));
          caller.abort();
        };
      });
      const body = JSON.stringify({ url: data.at() });
      await data.send(call, { body, signal: caller.signal });
      expect(await ended, call).toBe('closed');
    }
  });

  test('responses are fetched four at a time for one caller, so that other callers are served', async () => {
    const held: (() => void)[] = [];
    data.site.handler = ({ url }, response) => {
      if (url === '/quick') response.end('quick');
      else held.push(() => response.end('slow'));
    };
    const caller = new AbortController();
    const ask = (call: string, as: string) =>
      data.send(call, { body: JSON.stringify({ url: data.at('/slow') }), signal: caller.signal }, as);
    const first = Array.from({ length: 24 }, (_, index) => ask(CALLS[index % 3] ?? 'fetch', 'user_ana'));
    await expect.poll(() => held).toHaveLength(4);
    const refused = await data.post('fetch', { url: data.at('/quick') }, 'user_ana');
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([
      429,
      'RATE_LIMITED',
      '5',
    ]);
    const inBackground = await data.post('fetch', { url: data.at('/quick'), async: true }, 'user_ana');
    expect(inBackground.status).toBe(429);
    for (const other of ['user_bo', 'service']) {
      expect((await data.post('fetch', { url: data.at('/quick') }, other)).body.body).toBe('quick');
    }
    // Those who wait may leave; those who are answered make room.
    held[0]?.();
    await expect.poll(() => held).toHaveLength(5);
    caller.abort();
    await Promise.allSettled(first);
    expect((await data.post('fetch', { url: data.at('/quick') }, 'user_ana')).status).toBe(200);
    expect(held).toHaveLength(5);
  });
});

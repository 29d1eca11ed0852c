import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { buildTestData, type Handler, type TestData } from '@fabrica/backend/testing/data/build-test-data.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

const MB = 1024 * 1024;

const CALLS = ['extract-from-url', 'scrape', 'fetch'] as const;

let data: TestData;

beforeAll(async () => {
  data = await buildTestData();
});
afterAll(() => data.close());
beforeEach(() => {
  data.site.written.length = 0;
});

const html = { 'content-type': 'text/html; charset=utf-8' };
const respondWith = (body: string | Buffer, headers: Record<string, string> = html): Handler => {
  return (_, response) => response.writeHead(200, headers).end(body);
};

const form = (fields: Record<string, string | Blob>): RequestInit => {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  return { body };
};
const blob = (text: string, type = 'text/plain') => new File([text], 'a.txt', { type });

describe('callers', () => {
  test.each([...CALLS, 'extract-from-blob', 'screenshot', 'search'])(
    '%s has to be signed in',
    async (call) => {
      expect(await data.post(call, { url: data.at(), q: 'x' }, '')).toMatchObject({
        status: 401,
        body: { code: 'UNAUTHENTICATED', error: 'Please sign in first.' },
      });
      expect(data.site.written).toEqual([]);
    },
  );

  test('a user is refused after 60 calls or 10 screenshots in a minute, and the service role is not', async () => {
    const limited = await buildTestData({ rateLimit: true });
    const statuses = async (call: string, times: number, as: string) =>
      (await Promise.all(Array.from({ length: times }, () => limited.post(call, {}, as)))).map(
        ({ status }) => status,
      );
    expect(await statuses('scrape', 60, 'user_ana')).toEqual(Array(60).fill(400));
    const refused = await limited.post('fetch', {}, 'user_ana');
    expect([refused.status, refused.body.code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await statuses('screenshot', 11, 'user_bo')).toEqual([...Array(10).fill(400), 429]);
    expect(await statuses('scrape', 1, 'user_bo')).toEqual([400]);
    expect(await statuses('scrape', 70, 'service')).toEqual(Array(70).fill(400));
    await limited.close();
  });
});

describe('bodies', () => {
  const url = 'https://example.org/';
  test.each<[string, string, unknown]>([
    ['extract-from-url', 'url', {}],
    ['extract-from-url', 'url', { url: 'x'.repeat(5_000) }],
    ['extract-from-url', 'chunking', { url, chunking: 'yes' }],
    ['extract-from-url', 'chunkSize', { url, chunking: true, chunkSize: 0 }],
    ['extract-from-url', 'chunkSize', { url, chunkSize: 10_000_000 }],
    ['scrape', 'formats', { url, formats: 'html' }],
    ['scrape', 'formats.0', { url, formats: ['pdf'] }],
    ['screenshot', 'width', { url, width: 100_000 }],
    ['fetch', 'method', { url, method: 'TRACE' }],
    ['fetch', 'method', { url, method: 'GET / HTTP/1.1\r\nx: y' }],
    ['fetch', 'headers.a', { url, headers: { a: {} } }],
    [
      'fetch',
      'headers',
      { url, headers: Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`h${n}`, ''])) },
    ],
    ['fetch', 'query.a', { url, query: { a: ['b'] } }],
    ['fetch', 'query.a', { url, query: { a: 'x'.repeat(20_000) } }],
    ['search', 'q', { q: '  ' }],
    ['search', 'hl', { q: 'x', hl: 'not a language' }],
    ['search', 'hl', { q: 'x', hl: 'en&format=html' }],
    ['search', 'tbm', { q: 'x', tbm: 'all' }],
    ['search', 'num', { q: 'x', num: 1_000 }],
  ])('the call %s reports a fault of %s (%#)', async (call, field, body) => {
    const response = await data.post(call, body);
    expect(response).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', details: [{ field, message: expect.any(String) }] },
    });
    expect(response.body.error).toMatch(/^The request is not valid\. /);
  });

  test.each(['[]', '"text"', 'null', '1'])('the body %s is refused as no request', async (body) => {
    for (const call of CALLS) {
      expect(await data.post(call, body)).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    }
  });

  test.each(['{', '', 'url=x'])('a body that is no JSON is refused: %j', async (body) => {
    for (const call of CALLS) {
      expect(await data.post(call, body)).toMatchObject({ status: 400, body: { code: 'INVALID_JSON' } });
    }
  });

  test('a body of more than 1 MB is not read', async () => {
    const response = await data.post('fetch', { url, body: 'x'.repeat(MB) });
    expect(response).toMatchObject({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } });
  });

  test.each<[string, RequestInit, number, string]>([
    ['without a file', form({ chunking: 'true' }), 400, 'VALIDATION_FAILED'],
    ['with text in its place', form({ file: 'text' }), 400, 'VALIDATION_FAILED'],
    ['with another kind of switch', form({ file: blob('x'), chunking: 'yes' }), 400, 'VALIDATION_FAILED'],
    ['with a size that is none', form({ file: blob('x'), chunkSize: 'many' }), 400, 'VALIDATION_FAILED'],
    ['with a size of nothing', form({ file: blob('x'), chunkSize: '0' }), 400, 'VALIDATION_FAILED'],
    [
      'that is cut off',
      {
        body: '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nx',
        headers: { 'content-type': 'multipart/form-data; boundary=b' },
      },
      400,
      'VALIDATION_FAILED',
    ],
    [
      'without a boundary',
      { body: 'x', headers: { 'content-type': 'multipart/form-data' } },
      400,
      'VALIDATION_FAILED',
    ],
    [
      'that is JSON',
      { body: '{}', headers: { 'content-type': 'application/json' } },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    ['of 11 MB', form({ file: blob('x'.repeat(11 * MB)) }), 413, 'PAYLOAD_TOO_LARGE'],
  ])('a form %s is refused with its fault', async (_, init, status, code) => {
    const response = await data.send('extract-from-blob', init);
    expect([response.status, response.body.code, response.body.error]).toEqual([
      status,
      code,
      expect.stringMatching(/^[A-Z].{10,}/),
    ]);
  });
});

describe('documents', () => {
  test.each([
    ['that is not there', (_, response) => response.writeHead(404).end('no'), 502, 'FETCH_FAILED'],
    ['whose host fails', (_, response) => response.writeHead(500).end('no'), 502, 'FETCH_FAILED'],
    [
      'that is a picture',
      respondWith('\x89PNG\r\n\x1a\n\0\0', { 'content-type': 'image/png' }),
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
  ] satisfies [string, Handler, number, string][])(
    'a document %s is reported to the caller',
    async (_, handler, status, code) => {
      data.site.handler = handler;
      for (const call of ['extract-from-url', 'scrape'] as const) {
        expect(await data.post(call, { url: data.at() })).toMatchObject({
          status,
          body: { code, error: expect.stringMatching(/\.$/) },
        });
      }
    },
  );
});

describe('fetches', () => {
  /** The requests that came to the site. */
  let seen: { method: string; url: string; headers: IncomingHttpHeaders; body: string }[];
  /** The response of the site. */
  let reply: { status?: number; headers?: Record<string, string>; body?: string };

  beforeEach(() => {
    seen = [];
    reply = { body: 'ok' };
    data.site.handler = async (request, response) => {
      const { method = '', url = '', headers } = request;
      seen.push({ method, url, headers, body: await text(request) });
      response.writeHead(reply.status ?? 200, reply.headers ?? {}).end(reply.body);
    };
  });

  test('a fetch returns status, headers, the parsed body and its duration', async () => {
    reply = {
      status: 418,
      headers: { 'content-type': 'application/json', 'x-one': '1', 'set-cookie': 'a=b' },
      body: '{"a":[1]}',
    };
    const { status, body } = await data.post('fetch', { url: data.at('/tea') });
    expect([status, body]).toEqual([
      200,
      {
        status: 418,
        headers: expect.objectContaining({ 'x-one': '1', 'content-type': 'application/json' }),
        body: { a: [1] },
        durationMs: expect.any(Number),
      },
    ]);
    for (const name of ['set-cookie', 'connection', 'transfer-encoding']) {
      expect(body.headers).not.toHaveProperty(name);
    }
    expect(seen).toMatchObject([{ method: 'GET', url: '/tea', body: '' }]);
  });

  test.each([
    ['text/plain', '{"a":1}', '{"a":1}'],
    ['application/json', 'not json', 'not json'],
    ['application/problem+json; charset=utf-8', '{"a":1}', { a: 1 }],
    ['application/json', 'null', null],
    ['application/json', '"text"', 'text'],
    ['application/json', '', ''],
    [
      'application/json',
      `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
      expect.stringMatching(/^\[{5000}\]{5000}$/),
    ],
  ])('a fetch parses a body of %s: %j', async (type, body, expected) => {
    reply = { headers: { 'content-type': type }, body };
    expect((await data.post('fetch', { url: data.at() })).body.body).toEqual(expected);
  });

  test('a fetch sends method, query, headers and body as they are given', async () => {
    await data.post('fetch', {
      url: data.at('/a%20b?x=1%20+2&flag#part'),
      method: 'put',
      query: { q: 'ü & co', page: 2, deep: true },
      headers: {
        'X-Own': 'yes',
        'Content-Type': 'application/vnd.x+json',
        Host: 'evil.test',
        'Transfer-Encoding': 'x',
      },
      body: { a: [{ b: null }], c: 'text' },
    });
    expect(seen).toEqual([
      {
        method: 'PUT',
        // What was written in the address is left as it was.
        url: '/a%20b?x=1%20+2&flag&q=%C3%BC+%26+co&page=2&deep=true',
        headers: expect.objectContaining({
          'x-own': 'yes',
          'content-type': 'application/vnd.x+json',
          host: `127.0.0.1:${data.sitePort}`,
          'user-agent': 'Fabrica',
        }),
        body: '{"a":[{"b":null}],"c":"text"}',
      },
    ]);
    await data.post('fetch', { url: data.at(), method: 'POST', body: 'plain text' });
    expect(seen[1]).toMatchObject({ method: 'POST', body: 'plain text' });
    expect(seen[1]?.headers).not.toHaveProperty('content-type');
    await data.post('fetch', { url: data.at(), method: 'DELETE', body: ['a'] });
    expect(seen[2]).toMatchObject({ body: '["a"]', headers: { 'content-type': 'application/json' } });
  });

  test.each([
    [{ 'x y': '1' }],
    [{ 'x\n': '1' }],
    [{ x: 'a\r\nx-evil: 1' }],
    [{ x: 'a\0' }],
    [{ x: '☃' }],
    [{ 'x:': '1' }],
  ])('a fetch does not send the header %j', async (headers) => {
    const { status, body } = await data.post('fetch', { url: data.at(), headers });
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(seen).toEqual([]);
  });

  test('a fetch refuses a body that is nested too deeply', async () => {
    const body = `{"url":"${data.at()}","method":"POST","body":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
    const { status, body: returned } = await data.post('fetch', body);
    expect([status, returned.code, returned.error]).toEqual([
      400,
      'VALIDATION_FAILED',
      'The body is nested more than 100 levels deep.',
    ]);
  });
});

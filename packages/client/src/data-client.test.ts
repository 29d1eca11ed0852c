import { ScriptedServer } from '@fabrica/client/testing/scripted-server.ts';
import { scriptedError } from '@fabrica/client/testing/session-script.ts';
import { MAX_DOCUMENT_BYTES } from '@fabrica/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createClient } from './client.ts';
import type { DataClient } from './data-client.ts';

const URL = 'https://example.org/page';
const BASE = 'POST /api/data/journal/';

let backend: ScriptedServer;
let data: DataClient;

beforeEach(async () => {
  backend = await ScriptedServer.start();
  data = createClient({ projectId: 'journal', origin: backend.origin, secretKey: 'sk_server' }).data;
});

afterEach(() => backend.close());

/** Returns the JSON bodies of all requests. */
const sent = () => backend.requests.map(({ json }) => json);

describe('a document', () => {
  it('a file is sent as a form and returned as text or in chunks', async () => {
    backend.on(`${BASE}extract-from-blob`, ({ text }) =>
      text.includes('name="chunking"\r\n\r\ntrue') ? { body: { chunks: ['a'] } } : { body: { text: 'a' } },
    );
    const file = new File(['bytes'], 'paper.pdf', { type: 'application/pdf' });
    expect(await data.extractFromBlob(file)).toBe('a');
    expect(await data.extractFromBlob(new Blob(['x']), { chunking: true, chunkSize: 200 })).toEqual(['a']);
    const [first, second] = backend.requests;
    expect(first?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(first?.text).toMatch(
      /name="file"; filename="paper\.pdf"\r\nContent-Type: application\/pdf\r\n\r\nbytes\r\n/,
    );
    expect(first?.text).not.toContain('chunk');
    expect(second?.text).toMatch(/name="chunkSize"\r\n\r\n200\r\n/);
  });

  it.each([
    ['no file', undefined, {}, 'VALIDATION_FAILED', 'A file is required.'],
    ['text', 'text', {}, 'VALIDATION_FAILED', 'A file is required.'],
    [
      '10 MB and a byte',
      new Blob([new Uint8Array(MAX_DOCUMENT_BYTES + 1)]),
      {},
      'PAYLOAD_TOO_LARGE',
      'The file is larger than 10 MB.',
    ],
    [
      'chunks of 49',
      new Blob(['x']),
      { chunkSize: 49 },
      'VALIDATION_FAILED',
      'The size of a chunk must be a number from 50 to 100000.',
    ],
  ])('a file is rejected before it is sent: %s', async (_, file, options, code, message) => {
    await expect(data.extractFromBlob(file as Blob, options)).rejects.toMatchObject({
      name: 'DataError',
      code,
      message,
    });
    expect(backend.requests).toEqual([]);
  });

  it.each([0, 1.5, Number.NaN, 1e9])(
    'a chunk size of %s is rejected before it is sent',
    async (chunkSize) => {
      await expect(data.extractFromUrl(URL, { chunking: true, chunkSize })).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
      });
      expect(backend.requests).toEqual([]);
    },
  );
});

it('a page is scraped in all formats or in some', async () => {
  const metadata = { title: 'T', description: '', url: URL, domain: 'example.org', keywords: [] };
  backend.on(`${BASE}scrape`, ({ json }) => ({
    body: json?.formats ? { links: [] } : { metadata, markdown: '', html: '', links: [], extract: {} },
  }));
  expect((await data.scrape(URL)).metadata.title).toBe('T');
  expect(await data.scrape(URL, { formats: ['links'] })).toEqual({ links: [] });
  expect(sent()).toEqual([{ url: URL }, { url: URL, formats: ['links'] }]);
  await expect(data.scrape(URL, { formats: [] })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
});

describe('a search', () => {
  const found = { search_parameters: { q: 'heart', hl: 'en' }, organic_results: [], related_searches: [] };

  it.each([
    [{}, { hl: 'en' }],
    [
      { type: 'news', language: 'de' },
      { tbm: 'nws', hl: 'de' },
    ],
    [
      { type: 'images', limit: 100 },
      { tbm: 'isch', hl: 'en', num: 100 },
    ],
    [{ type: 'videos' }, { tbm: 'vid', hl: 'en' }],
    [
      { type: 'shopping', location: 'Vienna' },
      { tbm: 'shop', hl: 'en', location: 'Vienna' },
    ],
  ] as const)('a search with the options %j is sent as %j', async (options, json) => {
    backend.on(`${BASE}search`, { body: found });
    expect(await data.search('heart', options)).toEqual(found);
    expect(sent()).toEqual([{ q: 'heart', ...json }]);
  });

  it.each([
    ['', {}],
    ['  ', {}],
    [undefined, {}],
    ['x', { limit: 0 }],
    ['x', { limit: 101 }],
    ['x', { limit: 2.5 }],
  ])('a search for %j with the options %j is rejected before it is sent', async (query, options) => {
    await expect(data.search(query as string, options)).rejects.toMatchObject({
      name: 'DataError',
      code: 'VALIDATION_FAILED',
    });
    expect(backend.requests).toEqual([]);
  });
});

it.each([
  '',
  'example.org',
  '/page',
  'ftp://example.org',
  'javascript:1',
  'http://',
  'http://[',
  undefined,
  7,
])('the URL %j is rejected before it is sent', async (value) => {
  const url = value as string;
  const calls = [
    data.extractFromUrl(url),
    data.scrape(url),
    data.screenshot(url),
    data.fetch({ url }),
    data.fetchAsync({ url }),
  ];
  for (const call of calls) {
    await expect(call).rejects.toMatchObject({ name: 'DataError', code: 'INVALID_URL', status: null });
  }
  expect(backend.requests).toEqual([]);
});

describe('an error', () => {
  it.each([
    [
      scriptedError(403, 'ADDRESS_REFUSED', 'As the server put it.'),
      { name: 'DataError', code: 'ADDRESS_REFUSED', message: 'As the server put it.' },
    ],
    [
      scriptedError(504, 'FETCH_TIMEOUT', 'As the server put it.'),
      { name: 'DataError', code: 'FETCH_TIMEOUT', status: 504 },
    ],
    [scriptedError(429, 'RATE_LIMITED'), { name: 'NetworkError', code: 'RATE_LIMITED', retryable: true }],
    [
      { status: 502, body: '<h1>Bad gateway</h1>' },
      { name: 'NetworkError', code: 'NETWORK_ERROR' },
    ],
    [{ body: { hello: 'world' } }, { name: 'NetworkError', code: 'NETWORK_ERROR', status: 200 }],
    [{ body: [] }, { name: 'NetworkError' }],
  ])('the response %j makes each call fail with its error', async (response, expected) => {
    const calls: [string, () => Promise<unknown>][] = [
      ['extract-from-url', () => data.extractFromUrl(URL)],
      ['extract-from-blob', () => data.extractFromBlob(new Blob(['x']))],
      ['scrape', () => data.scrape(URL)],
      ['screenshot', () => data.screenshot(URL)],
      ['fetch', () => data.fetch({ url: URL })],
      ['search', () => data.search('heart')],
    ];
    for (const [name, call] of calls) {
      backend.on(`${BASE}${name}`, response);
      await expect(call()).rejects.toMatchObject(expected);
    }
  });

  it('an aborted call throws the reason of its signal', async () => {
    const reason = new Error('left');
    const caller = new AbortController();
    backend.on(`${BASE}fetch`, () => {
      caller.abort(reason);
      return new Promise(() => {});
    });
    await expect(data.fetch({ url: URL, signal: caller.signal })).rejects.toBe(reason);
  });
});

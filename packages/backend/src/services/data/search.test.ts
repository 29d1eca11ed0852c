import type { ServerResponse } from 'node:http';
import { buildTestData, type TestData } from '@fabrica/backend/testing/data/build-test-data.ts';
import { type SearxngStandIn, startSearxngStandIn } from '@fabrica/test-peers/searxng-stand-in.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

let searxng: SearxngStandIn;
let data: TestData;

beforeAll(async () => {
  searxng = await startSearxngStandIn();
  data = await buildTestData({ searchUrl: `${searxng.url}/`, searchTimeout: 300 });
});
afterAll(async () => {
  await data.close();
  await searxng.close();
});
beforeEach(() => {
  searxng.searches.length = 0;
  searxng.respondWith();
});

const search = async (request: Record<string, unknown>) => data.post('search', { q: 'heart', ...request });

describe('searches', () => {
  test('a search returns ten results, in English unless another language is requested', async () => {
    const { status, body } = await search({ location: 'Vienna' });
    expect([status, body]).toEqual([
      200,
      {
        search_parameters: { q: 'heart', hl: 'en' },
        organic_results: Array.from({ length: 10 }, (_, index) => ({
          position: index + 1,
          title: `heart ${index + 1}`,
          link: `https://site-${index + 1}.example/general`,
          snippet: 'About heart, general.',
        })),
        related_searches: ['heart explained'],
      },
    ]);
    expect(searxng.searches).toMatchObject([
      {
        query: { q: 'heart', format: 'json', language: 'en', categories: 'general', pageno: '1' },
        headers: { 'user-agent': 'Fabrica', accept: 'application/json' },
      },
    ]);
    await search({ q: ' corazón & <más> ', hl: 'es-MX' });
    expect(searxng.searches[1]?.query).toMatchObject({ q: 'corazón & <más>', language: 'es-MX' });
    await search({ hl: null, num: null, tbm: null });
    expect(searxng.searches[2]?.query).toMatchObject({ language: 'en', categories: 'general' });
  });

  test('a search reads pages until it has the requested results or there are no more', async () => {
    expect((await search({ num: 45 })).body.organic_results).toHaveLength(45);
    expect(searxng.searches.map(({ query }) => query.pageno)).toEqual(['1', '2', '3']);
    const { organic_results: all } = (await search({ num: 100 })).body;
    expect(all.map(({ position }: { position: number }) => position)).toEqual(
      Array.from({ length: 60 }, (_, index) => index + 1),
    );
    // An engine that repeats itself has no more.
    searxng.respondWith((_, response) => sendResults(response, [{ url: 'https://a.example/', title: 'A' }]));
    searxng.searches.length = 0;
    expect((await search({ num: 30 })).body.organic_results).toHaveLength(1);
    expect(searxng.searches).toHaveLength(2);
  });

  test.each([
    ['nws', 'news', 'news_results', { date: '2026-11-20T08:00:00', source: 'The Paper' }],
    [
      'isch',
      'images',
      'image_results',
      { original: 'https://site-1.example/images.png', thumbnail: 'https://site-1.example/images-small.png' },
    ],
    ['vid', 'videos', 'video_results', { thumbnail: 'https://site-1.example/videos.jpg' }],
    ['shop', 'shopping', 'shopping_results', { price: '12.50 EUR', source: 'site-1.example' }],
  ])(
    'a search of the kind %s asks for %s and repeats its results as %s',
    async (tbm, category, field, own) => {
      const { body } = await search({ tbm, num: 3 });
      expect(searxng.searches).toMatchObject([{ query: { categories: category } }]);
      expect(body.organic_results).toHaveLength(3);
      expect(body[field]).toHaveLength(3);
      expect(body[field][0]).toEqual({ ...body.organic_results[0], ...own });
    },
  );

  test('a search skips entries that are no results', async () => {
    searxng.respondWith((_, response) =>
      sendResults(response, [
        null,
        'text',
        {},
        { url: 7 },
        { url: 'javascript:alert(1)', title: 'A script' },
        { url: 'magnet:?xt=1', title: 'A file' },
        { url: 'https://b.example/', title: null, content: 5, publishedDate: {} },
      ]),
    );
    const { status, body } = await search({ tbm: 'nws' });
    expect([status, body.news_results]).toEqual([
      200,
      [{ position: 1, title: '', link: 'https://b.example/', snippet: '', date: '', source: 'b.example' }],
    ]);
  });

  test('a search returns what was found when a later page fails', async () => {
    searxng.respondWith(({ url }, response) => {
      if (url?.includes('pageno=1')) sendResults(response, [{ url: 'https://a.example/', title: 'A' }]);
      else response.writeHead(500).end();
    });
    expect(await search({})).toMatchObject({ status: 200, body: { organic_results: [{ title: 'A' }] } });
  });
});

describe('search engines', () => {
  test('without a search engine the response is 503 and names the setting', async () => {
    const without = await buildTestData();
    expect(await without.post('search', { q: 'heart' })).toMatchObject({
      status: 503,
      body: { code: 'SEARCH_NOT_CONFIGURED', error: expect.stringContaining('SEARCH_URL') },
    });
    await without.close();
  });

  const html = { 'content-type': 'text/html' };
  test.each<[string, (response: ServerResponse) => void, RegExp]>([
    [
      'that does not allow JSON',
      (response) => response.writeHead(403, html).end('Forbidden'),
      /search\.formats/,
    ],
    ['that wants fewer calls', (response) => response.writeHead(429).end(), /status 429/],
    ['that fails', (response) => response.writeHead(500).end('Traceback'), /status 500/],
    ['that responds with a page', (response) => response.writeHead(200, html).end('<h1>hi</h1>'), /no list/],
    ['that returns half', (response) => response.end('{"results":[{"url":'), /no list/],
    ['that returns something else', (response) => response.end('{"hello":"world"}'), /no list/],
    ['that returns too much', (response) => response.end(Buffer.alloc(6 * 1024 * 1024)), /cannot be reached/],
    [
      'that leads elsewhere',
      (response) => response.writeHead(302, { location: '/other' }).end(),
      /cannot be reached/,
    ],
    ['that hangs up', (response) => response.destroy(), /cannot be reached/],
    ['that does not respond', () => undefined, /too long/],
  ])('a search engine that %s is 502, and its response is not shown', async (_, respond, sentence) => {
    searxng.respondWith((_, response) => respond(response));
    const { status, body } = await search({});
    expect([status, body]).toEqual([502, { code: 'SEARCH_FAILED', error: expect.stringMatching(sentence) }]);
    expect(searxng.searches).toHaveLength(1);
  });

  test('the search engine receives no further request when the caller has disconnected', async () => {
    const caller = new AbortController();
    const ended = new Promise<string>((resolve) => {
      searxng.respondWith((_, response) => {
        response.on('close', () => resolve('closed'));
        caller.abort();
      });
    });
    await data.send('search', { body: '{"q":"x"}', signal: caller.signal });
    expect(await ended).toBe('closed');
  });
});

function sendResults(response: ServerResponse, results: unknown[]): void {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ results }));
}

import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createClient } from '@fabrica/client';
import { secretKeyOf } from '@fabrica/test-peers/author.ts';
import { runFabricaHere } from '@fabrica/test-peers/run-fabrica.ts';
import { type SearxngStandIn, startSearxngStandIn } from '@fabrica/test-peers/searxng-stand-in.ts';
import { type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectPublicClient, type PublicClient, signUpWith, versions } from '../connect-public-client.ts';

const SECRET = 'sk-live-0123456789abcdef';

const PAGE = `<!doctype html><html lang="en"><head><title>The heart</title>
  <meta name="description" content="About a muscle."><meta name="keywords" content="heart, blood">
  <meta property="og:site_name" content="Vesalia"><meta property="og:image" content="/heart.png"></head>
  <body><main><h1>The heart</h1>
  ${['It beats about a hundred thousand times a day.', 'It was drawn by Leonardo.'].map((text) => `<p>${text.repeat(8)}</p>`).join('')}
  <p><a href="/next">The next page</a> and <a href="https://example.org/">another site</a></p></main></body></html>`;

let server: RunningServer;
let searxng: SearxngStandIn;
/** A site on loopback that the operator has allowed. */
let site: Server;
const hooks: string[] = [];
/** Handles a request to `/held`, which gets no response. */
let hold: (response: ServerResponse) => void = () => undefined;

beforeAll(async () => {
  site = createServer(async (request, response) => {
    const { url = '', method, headers } = request;
    const body = await text(request);
    if (url === '/page') return void response.setHeader('content-type', 'text/html').end(PAGE);
    if (url === '/data.csv')
      return void response.setHeader('content-type', 'text/csv').end('organ,beats\nheart,72\n');
    if (url === '/missing') return void response.writeHead(404).end();
    if (url === '/held') return hold(response);
    if (url === '/hook') hooks.push(`${method} ${headers.authorization} ${body}`);
    if (url === '/away') return void response.writeHead(307, { location: 'http://localhost:9/' }).end();
    const echo = { method, url, authorization: headers.authorization, body };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(echo));
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  searxng = await startSearxngStandIn();
  server = await startServer({ DEMO: 'off', SEARCH_URL: searxng.url, DATA_ALLOW_HOSTS: hostOf(site) });
  const secret = ['secret', 'set', 'api_key', '--host', hostOf(site)];
  const set = await runFabricaHere(secret, server.settings, `${SECRET}\n`);
  expect(set).toMatchObject({ exitCode: 0, stderr: '' });
});

afterAll(async () => {
  await server.close();
  await searxng.close();
  site.closeAllConnections();
  site.close();
});

const hostOf = (one: Server) => `127.0.0.1:${(one.address() as AddressInfo).port}`;
const at = (path: string) => `http://${hostOf(site)}${path}`;

describe.each(versions)('the data of the public client %s', (version, createPublic) => {
  let client: PublicClient;

  const connect = () => connectPublicClient(createPublic, { origin: server.url });

  beforeAll(async () => {
    client = connect();
    await signUpWith(client, `data-${version}@example.org`);
  });

  it('the public client extracts text from a URL, whole or in chunks', async () => {
    const whole = await client.data.extractFromUrl(at('/page'));
    expect(whole).toContain('a hundred thousand times');
    expect(whole).not.toContain('<p>');
    expect(await client.data.extractFromUrl(at('/data.csv'))).toContain('heart,72');
    const chunks = await client.data.extractFromUrl(at('/page'), { chunking: true, chunkSize: 200 });
    expect(chunks.length).toBeGreaterThan(1);
    for (const chunk of chunks) expect(chunk.length).toBeLessThanOrEqual(200);
  });

  it('the public client sends no file to extract text from, and gets an error', async () => {
    // Both versions send the form as JSON, `{}`, so that the file is lost.
    const file = new File(['The text of a file.'], 'file.txt', { type: 'text/plain' });
    await expect(client.data.extractFromBlob(file)).rejects.toMatchObject({ status: 415 });
    // The form as it is meant to be sent.
    const form = new FormData();
    form.append('file', file);
    form.append('chunking', 'false');
    const response = await fetch(`${server.url}/api/data/journal/extract-from-blob`, {
      method: 'POST',
      body: form,
      headers: { authorization: `Bearer ${await client.auth.getValidToken()}` },
    });
    expect(await response.json()).toEqual({ text: 'The text of a file.' });
  });

  it('the public client scrapes a page', async () => {
    const { markdown, html, metadata, links, extract } = await client.data.scrape(at('/page'));
    expect(markdown).toMatch(/^# The heart$/m);
    expect(html).toContain('<h1');
    expect(metadata).toMatchObject({
      title: 'The heart',
      description: 'About a muscle.',
      siteName: 'Vesalia',
      image: at('/heart.png'),
      keywords: ['heart', 'blood'],
    });
    expect(links).toEqual([
      { text: 'The next page', url: at('/next'), type: 'internal' },
      { text: 'another site', url: 'https://example.org/', type: 'external' },
    ]);
    expect(extract).toMatchObject({ title: 'The heart', headings: ['The heart'] });
    expect(extract.text).toContain('drawn by Leonardo');
  });

  it('the public client takes a screenshot that is publicly readable', async () => {
    const url = await client.data.screenshot(at('/page'), { width: 400, height: 300 });
    expect(url).toMatch(new RegExp(`^${server.url}/storage/journal/`));
    const image = await fetch(url);
    expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/png']);
    const bytes = Buffer.from(await image.arrayBuffer());
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([400, 300]);
  });

  it('the public client sends requests with secrets of the server', async () => {
    const response = await client.data.fetch({
      url: at('/echo'),
      method: 'POST',
      headers: { Authorization: 'Bearer {{api_key}}' },
      query: { limit: '5' },
      body: { name: 'Ada' },
    });
    expect(response).toEqual({
      status: 200,
      headers: expect.objectContaining({ 'content-type': 'application/json' }),
      body: {
        method: 'POST',
        url: '/echo?limit=5',
        // A secret that the other side repeats is replaced in the response.
        authorization: 'Bearer {{api_key}}',
        body: '{"name":"Ada"}',
      },
      durationMs: expect.any(Number),
    });
    const elsewhere = { url: at('/away'), method: 'POST', body: '{{api_key}}' };
    await expect(client.data.fetch(elsewhere)).rejects.toMatchObject({ status: 403 });
  });

  it('the public client starts a request without waiting for its response', async () => {
    hooks.length = 0;
    const response = await client.data.fetchAsync({
      url: at('/hook'),
      method: 'POST',
      headers: { authorization: '{{api_key}}' },
      body: version,
    });
    expect(response).toEqual({ status: 'triggered', message: expect.any(String) });
    await expect.poll(() => hooks).toEqual([`POST ${SECRET} ${version}`]);
  });

  it('the public client searches pages, news and images', async () => {
    const pages = await client.data.search('heart', { limit: 3 });
    expect(pages.organic_results.map(({ position, title }) => [position, title])).toEqual([
      [1, 'heart 1'],
      [2, 'heart 2'],
      [3, 'heart 3'],
    ]);
    expect(pages.related_searches).toEqual(['heart explained']);
    const news = await client.data.search('corazón', { type: 'news', language: 'es', location: 'Madrid' });
    expect(news.news_results?.[0]).toMatchObject({ title: 'corazón 1', source: 'The Paper' });
    const images = await client.data.search('heart', { type: 'images' });
    expect(images.image_results?.[0]).toMatchObject({ original: 'https://site-1.example/images.png' });
    expect(searxng.searches.at(-2)?.query).toMatchObject({
      q: 'corazón',
      language: 'es',
      categories: 'news',
    });
  });

  it('the public client reaches only allowed hosts, and none without signing in', async () => {
    for (const url of [
      server.url,
      'http://169.254.169.254/latest/meta-data/',
      'http://[::ffff:127.0.0.1]/',
    ]) {
      await expect(client.data.extractFromUrl(url)).rejects.toMatchObject({ status: 403 });
      await expect(client.data.scrape(url)).rejects.toMatchObject({ status: 403 });
      await expect(client.data.fetch({ url })).rejects.toMatchObject({ status: 403 });
    }
    await expect(client.data.extractFromUrl(at('/missing'))).rejects.toMatchObject({ status: 502 });
    const stranger = connect();
    await stranger.auth.signOut();
    await expect(stranger.data.scrape(at('/page'))).rejects.toMatchObject({ status: 401 });
    await expect(stranger.data.search('heart')).rejects.toMatchObject({ status: 401 });
  });
});

/** Calls the data service with the project's secret key. */
async function callAsService(name: string, body: object, signal?: AbortSignal): Promise<Response> {
  return fetch(`${server.url}/api/data/journal/${name}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { authorization: `Bearer ${await secretKeyOf(server)}` },
    ...(signal && { signal }),
  });
}

it('our own client has all functions of the data service', async () => {
  const { data } = createClient({
    projectId: 'journal',
    origin: server.url,
    secretKey: await secretKeyOf(server),
  });
  const file = new File(['The text of a file.'], 'file.txt', { type: 'text/plain' });
  expect(await data.extractFromBlob(file)).toBe('The text of a file.');
  expect(await data.extractFromBlob(file, { chunking: true, chunkSize: 50 })).toEqual([
    'The text of a file.',
  ]);
  expect(await data.extractFromUrl(at('/data.csv'))).toContain('heart,72');
  expect((await data.extractFromUrl(at('/page'), { chunking: true, chunkSize: 200 })).length).toBeGreaterThan(
    1,
  );
  expect((await data.scrape(at('/page'), { formats: ['metadata'] })).metadata.title).toBe('The heart');
  expect(await data.screenshot(at('/page'), { width: 300, height: 200 })).toMatch(/\/screenshots\/.*\.png/);
  const { body } = await data.fetch({ url: at('/echo'), query: { key: '{{api_key}}' } });
  expect(body).toMatchObject({ method: 'GET', url: '/echo?key={{api_key}}' });
  expect(await data.fetchAsync({ url: at('/echo') })).toMatchObject({ status: 'triggered' });
  expect((await data.search('heart', { type: 'videos', limit: 2 })).video_results).toHaveLength(2);
  await expect(data.fetch({ url: server.url })).rejects.toMatchObject({
    name: 'DataError',
    code: 'ADDRESS_REFUSED',
  });
});

it('a call whose caller has left is given up', async () => {
  for (const name of ['extract-from-url', 'scrape', 'fetch']) {
    const caller = new AbortController();
    const left = new Promise<void>((resolve) => {
      hold = (response) => {
        response.on('close', resolve);
        caller.abort();
      };
    });
    await expect(callAsService(name, { url: at('/held') }, caller.signal)).rejects.toThrow(/abort/);
    await left;
  }
});

it('a failure of the search engine is logged as a warning without any secret', async () => {
  searxng.respondWith((_, response) => response.writeHead(500).end());
  const response = await callAsService('search', { q: 'a private matter' });
  expect(response.status).toBe(502);
  const logged = () => {
    const lines = server
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'));
    return lines.map((line) => JSON.parse(line)).map(({ level, code }) => `${level} ${code}`);
  };
  await expect.poll(() => logged()).toContain('40 SEARCH_FAILED');
  expect(logged().filter((line) => !line.startsWith('40'))).toEqual([]);
  expect(logged().join()).not.toContain('FETCH');
  expect(server.output()).not.toMatch(new RegExp(`${SECRET}|private matter`));
});

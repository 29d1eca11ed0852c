import {
  buildTestSettings,
  removeTestSettings,
  type TestSettings,
} from '@fabrica/backend/testing/database/build-test-engine.ts';
import { buildBook, library } from '@fabrica/backend/testing/database/build-test-library.ts';
import { testPages as pages } from '@fabrica/backend/testing/test-pages.ts';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Backend, createBackend } from '../../../backend.ts';
import { parseConfig } from '../../../config.ts';

const ORIGIN = 'https://reader.example';
const SECRET = `sk_${'library'.repeat(7)}`;
const TABLES = '/api/db/library/rest/v1';
const secret = { authorization: `Bearer ${SECRET}` };

let settings: TestSettings;
let backend: Backend;
let user: { authorization: string };
let signedOut: { authorization: string };
const logged: string[] = [];

beforeAll(async () => {
  const [tables] = Object.values(library.migrations);
  if (!tables) throw new Error('The library has tables.');
  settings = await buildTestSettings();
  backend = await createBackend({
    pages,
    config: parseConfig({ ...settings, PROJECT_ID: 'library', SECRET_KEY: SECRET, RATE_LIMIT: 'off' }),
    projects: [{ ...library, origins: [ORIGIN], migrations: { 'library-0001': tables } }],
    log: pino({ level: 'debug', base: null }, { write: (line: string) => void logged.push(line) }),
    renderMail: async ({ kind }) => ({ subject: kind, html: kind, text: kind }),
  });
  const books = Array.from({ length: 60 }, (_, index) =>
    buildBook({ id: `b${index}`, author: `Änne "the ${index}th", of\nUlm`, pages: index, shelf: index % 2 }),
  );
  await post(`${TABLES}/books`, books, secret);
  user = { authorization: `Bearer ${await signUp('ada@example.org')}` };
  signedOut = { authorization: `Bearer ${await signUp('ben@example.org')}` };
  await post('/api/auth/logout', {}, signedOut);
});

afterAll(async () => {
  await backend.close();
  await removeTestSettings(settings);
});

beforeEach(() => {
  logged.length = 0;
});

async function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const response = await backend.app.request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  expect(response.ok, path).toBe(true);
  return response;
}

async function signUp(email: string): Promise<string> {
  const account = { email, password: 'a long enough passphrase', projectId: 'library' };
  return (await (await post('/api/auth/signup', account)).json()).access_token;
}

interface Exchange {
  method?: string;
  headers?: Record<string, string>;
}

interface ServedResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

async function serve(url: string, { method = 'GET', headers = {} }: Exchange = {}): Promise<ServedResponse> {
  const response = await backend.serveRead({ method, url, header: (name) => headers[name] });
  if (!response) throw new Error(`${method} ${url} was left to the routes.`);
  // Node omits the body of a response to HEAD.
  const body = method === 'HEAD' ? '' : Buffer.from(response.body).toString('latin1');
  return { status: response.status, headers: { ...response.headers }, body };
}

async function route(url: string, exchange: Exchange = {}): Promise<ServedResponse> {
  const response = await backend.app.request(url, exchange);
  const body = Buffer.from(await response.arrayBuffer()).toString('latin1');
  return { status: response.status, headers: Object.fromEntries(response.headers), body };
}

/** Returns the lines that were logged since the last call, without ids and times. */
function lines() {
  return logged.splice(0).map((line) => {
    const { requestId, ms, time, level, err, ...same } = JSON.parse(line);
    expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
    return err ? { ...same, level, message: err.message } : same;
  });
}

function withoutId({ headers: { 'x-request-id': requestId, ...headers }, ...response }: ServedResponse) {
  expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
  return { ...response, headers };
}

const of = (headers: Record<string, string>): Exchange => ({ headers });

describe('the fast path of reads', () => {
  test.each<[string, Exchange?]>([
    ['books'],
    ['books?'],
    ['books?id=eq.b4'],
    ['books?id=in.(b4,b6,b5,nobody)&order=pages.desc&select=pages'],
    ['books?select=id,author&order=author.desc.nullslast,id&limit=7&offset=3'],
    ['books?limit=0'],
    ['books?limit=30&select=title'],
    ['books?author=like.*%22the%203*&select=id,author'],
    ['books?or=(pages.lt.5,and(pages.gt.50,shelf.eq.0))&select=id'],
    ['books?limit=5', of({ prefer: 'count=exact' })],
    ['books?limit=40', of({ prefer: 'count=exact, return=representation' })],
    ['books?id=eq.nobody', of({ prefer: 'count=exact' })],
    ['books?id=eq.b4', of({ accept: 'application/vnd.pgrst.object+json' })],
    ['books?id=eq.b5', of({ accept: 'application/vnd.pgrst.object+json' })],
    ['books?id=eq.b5', of({ accept: 'application/vnd.pgrst.object+json', ...secret })],
    ['books?limit=3&select=id,author,pages', of({ accept: 'text/csv' })],
    ['books?id=eq.nobody', of({ accept: 'text/csv;q=0.9, image/png' })],
    ['books', of({ accept: 'image/png' })],
    ['books', of({ 'accept-profile': 'private' })],
    ['books', of({ prefer: 'handling=strict, what=ever' })],
    ['books', { method: 'HEAD' }],
    ['books?id=eq.b4', { method: 'HEAD', headers: { prefer: 'count=exact' } }],
    ['books', { method: 'HEAD', headers: { 'accept-encoding': 'br' } }],
    ['nothing', { method: 'HEAD' }],
    ['titles?order=title,id&limit=3'],
    ['loans'],
    ['notes'],
    ['nothing'],
    ['users'],
    ['sessions', of(secret)],
    ['books?nothing=eq.1'],
    ['books?select=nothing'],
    ['books?order=id.sideways'],
    ['books?limit=-1'],
    ['books?offset=1e308'],
    ['books?cursor=forged'],
    ['books?pages=eq.many'],
    ['books?title=eq.%ff'],
    ['books?title=eq.%00'],
    ['books?on_conflict=id'],
    [`books?title=eq.${'x'.repeat(20_000)}`],
    [`books?title=eq.${'x'.repeat(101_000)}`],
    ['books', of(secret)],
    ['notes', of(secret)],
    ['books', of({ authorization: `Bearer ${SECRET}x` })],
    ['books', of({ authorization: 'Bearer nonsense' })],
    ['books', of({ authorization: 'Bearer a.b.c' })],
    ['books', of({ authorization: 'Basic YTpi' })],
    ['books', of({ authorization: '' })],
    ['books', of({ 'accept-encoding': 'br' })],
    ['books', of({ 'accept-encoding': 'gzip, deflate' })],
    ['books', of({ 'accept-encoding': 'identity, br;q=0' })],
    ['books?id=eq.b4', of({ 'accept-encoding': 'gzip, br' })],
    ['books?select=id,author', of({ 'accept-encoding': 'gzip', accept: 'text/csv' })],
    ['nothing', of({ 'accept-encoding': 'gzip, br' })],
    ['books?limit=1', of({ origin: ORIGIN })],
    ['books', of({ origin: ORIGIN, 'accept-encoding': 'br', authorization: `Bearer ${SECRET}` })],
    ['books?limit=1', of({ origin: 'https://stranger.example' })],
    ['books?limit=1', of({ origin: 'null', authorization: 'Bearer nonsense' })],
    ['nothing', of({ origin: ORIGIN })],
  ])('a read is served and logged as the routes do it: %s %j', async (tableAndQuery, exchange = {}) => {
    const url = `${TABLES}/${tableAndQuery}`;
    const routed = withoutId(await route(url, exchange));
    const routedLines = lines();
    // The second response is cached, and the third one comes from the cache.
    for (let time = 0; time < 3; time += 1) {
      expect(withoutId(await serve(url, exchange))).toEqual(routed);
      expect(lines()).toEqual(routedLines);
    }
    expect(withoutId(await route(url, exchange))).toEqual(routed);
  });

  test('a read of an unknown project is served as the routes do it', async () => {
    const url = '/api/db/nowhere/rest/v1/books';
    expect(withoutId(await serve(url, of({ origin: ORIGIN })))).toEqual(
      withoutId(await route(url, of({ origin: ORIGIN }))),
    );
  });

  test('a read by a caller who is or was signed in is served as the routes do it', async () => {
    for (const headers of [user, signedOut]) {
      for (const table of ['books?limit=5', 'loans', 'notes']) {
        const url = `${TABLES}/${table}`;
        expect(withoutId(await serve(url, { headers }))).toEqual(withoutId(await route(url, { headers })));
      }
    }
    expect((await serve(`${TABLES}/loans`, { headers: user })).status).toBe(200);
    expect((await serve(`${TABLES}/loans`, { headers: signedOut })).status).toBe(401);
  });
});

test.each<[string, string]>([
  ['POST', `${TABLES}/books`],
  ['OPTIONS', `${TABLES}/books`],
  ['get', `${TABLES}/books`],
  ['GET', `${TABLES}/`],
  ['GET', `${TABLES}/books/`],
  ['GET', `${TABLES}/books/b1`],
  ['GET', `${TABLES}/%62ooks`],
  ['GET', `${TABLES}/books%2Fb1`],
  ['GET', `${TABLES}/books#id=eq.b1`],
  ['GET', `${TABLES}/books?id=eq.b1#here`],
  ['GET', `${TABLES}/books?id=eq.b 1`],
  ['GET', `${TABLES}/books?title=eq.Änne`],
  ['GET', `/${TABLES}/books`],
  ['GET', `http://localhost${TABLES}/books`],
  ['GET', '/api/db/Library/rest/v1/books'],
  ['GET', '/api/db/library/rest/v1/../v1/books'],
  ['GET', '/api/db/library/sql'],
  ['GET', '/api/storage/library/download'],
  ['GET', '*'],
  ['GET', ''],
])('the request %s %s is left to the routes', (method, url) => {
  expect(backend.serveRead({ method, url, header: () => undefined })).toBeUndefined();
});

describe('cached responses', () => {
  const url = `${TABLES}/books?select=id,title&id=in.(b0,late)&order=id`;
  const ids = async (headers: Record<string, string> = {}) => (await serve(url, { headers })).body;

  test('a cached response is used until the next write and not after it', async () => {
    for (const title of ['Early', 'Late']) {
      const before = [await ids(), await ids(), await ids()];
      expect(new Set(before).size).toBe(1);
      await post(`${TABLES}/books?on_conflict=id`, buildBook({ id: 'late', title }), secret);
      expect(await ids()).toContain(title);
    }
  });

  test('a cached response is used for no other caller', async () => {
    const hidden = `${TABLES}/books?id=eq.b1`;
    const asked = async (headers: Record<string, string>) => (await serve(hidden, { headers })).body;
    for (let time = 0; time < 3; time += 1) {
      expect(await asked(secret)).toContain('b1');
      expect(await asked(user)).toContain('b1');
      expect(await asked({})).toBe('[]');
    }
  });

  test('a cached response is used for no other format or encoding of the same rows', async () => {
    const forms = [
      {},
      { accept: 'text/csv' },
      { accept: 'application/vnd.pgrst.object+json' },
      { prefer: 'count=exact' },
      { 'accept-encoding': 'br' },
      { 'accept-encoding': 'gzip' },
    ];
    const one = `${TABLES}/books?id=eq.b2&select=id,author`;
    const first = await Promise.all(forms.map((headers) => serve(one, { headers })));
    for (let time = 0; time < 3; time += 1) {
      const again = await Promise.all(forms.map((headers) => serve(one, { headers })));
      expect(again.map(withoutId)).toEqual(first.map(withoutId));
    }
    expect(
      new Set(
        first.map(({ body, headers }) => body + JSON.stringify(withoutId({ status: 0, headers, body }))),
      ).size,
    ).toBe(5);
  });
});

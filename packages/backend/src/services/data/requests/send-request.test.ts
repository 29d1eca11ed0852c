import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { buildTestData, type TestData } from '@fabrica/backend/testing/data/build-test-data.ts';
import { openTestEngine } from '@fabrica/backend/testing/database/build-test-engine.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

/** A value with everything in it that may be written in more than one way. */
const VALUE = 'sé/cret+ "key" <&=%20';
const KEY = 'sk-live-0123456789/abc+def==';

let data: TestData;

interface Seen {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}
/** The requests that came to the site. */
let seen: Seen[];
/** Makes the response of the site. */
let respond: (seen: Seen) => { status?: number; headers?: Record<string, string>; body?: string | Buffer };

beforeAll(async () => {
  data = await buildTestData({ engine: await openTestEngine() });
  data.site.handler = async (request, response) => {
    const { method = '', url = '', headers } = request;
    const one = { method, url, headers, body: await text(request) };
    seen.push(one);
    const { status = 200, headers: own = {}, body = '' } = respond(one);
    response.writeHead(status, own).end(body);
  };
  const here = (host: string) => `${host}:${data.sitePort}`;
  await data.saveSecret('api_key', KEY, [here('api.test')]);
  await data.saveSecret('odd', VALUE, [here('api.test')]);
  await data.saveSecret('both', 'of two hosts', [here('api.test'), here('other.test')]);
  await data.saveSecret('nested', 'see {{api_key}} for it', [here('api.test')]);
  await data.saveSecret('lines', 'two\r\nx-evil: lines', [here('api.test')]);
  await data.saveSecret('wide', 'snowman ☃☃☃', [here('api.test')]);
  await data.saveSecret('plain', 'of the open net', [
    'public.test',
    'public.test:8443',
    'xn--bcher-kva.test',
  ]);
});
afterAll(() => data.close());
beforeEach(() => {
  seen = [];
  data.logged.length = 0;
  respond = () => ({ headers: { 'content-type': 'application/json' }, body: '{"ok":true}' });
});

const api = (path = '/') => data.at(path, 'api.test');
const json = { 'content-type': 'application/json' };

describe('secrets', () => {
  test('a secret is filled in in query, headers and nested bodies', async () => {
    const { status } = await data.post('fetch', {
      url: api('/v1'),
      method: 'POST',
      query: { key: '{{api_key}}', odd: '{{ odd }}' },
      headers: { authorization: 'Bearer {{api_key}}', 'x-two': '{{both}}/{{both}}' },
      body: { a: [{ b: 'the {{odd}}' }], '{{odd}}': '{{not a name}} {{{api_key}}} {api_key}' },
    });
    expect(status).toBe(200);
    const [one] = seen;
    expect(Object.fromEntries(new URL(one?.url ?? '', api()).searchParams)).toEqual({ key: KEY, odd: VALUE });
    expect(one?.headers).toMatchObject({
      authorization: `Bearer ${KEY}`,
      'x-two': 'of two hosts/of two hosts',
    });
    // Names of fields are left as they are.
    expect(JSON.parse(one?.body ?? '')).toEqual({
      a: [{ b: `the ${VALUE}` }],
      '{{odd}}': `{{not a name}} {${KEY}} {api_key}`,
    });
  });

  test('a secret is filled in in the query of the URL and in a text body', async () => {
    await data.post('fetch', {
      url: api('/?a=b%20c&key={{odd}}&{{nobody}}=x'),
      method: 'POST',
      body: 'key={{api_key}}&x',
    });
    expect(new URL(seen[0]?.url ?? '', api()).searchParams.get('key')).toBe(VALUE);
    expect(new URL(seen[0]?.url ?? '', api()).searchParams.get('a')).toBe('b c');
    expect(seen[0]?.body).toBe(`key=${KEY}&x`);
  });

  test('a secret that another secret names is not filled in', async () => {
    await data.post('fetch', { url: api(), headers: { x: '{{nested}}' } });
    expect(seen[0]?.headers).toMatchObject({ x: 'see {{api_key}} for it' });
  });

  test.each([
    ['its path', '/{{api_key}}'],
    ['its path, in part', '/v1/x{{ api_key }}y/z'],
    ['its fragment', '/#{{api_key}}'],
    ['its fragment, behind a query', '/?a=b#{{api_key}}'],
  ])('a secret is refused in other parts of the URL: %s', async (_, path) => {
    const { status, body } = await data.post('fetch', { url: api(path) });
    expect([status, body.code, body.error]).toEqual([
      400,
      'VALIDATION_FAILED',
      'A secret may stand in the query, the headers or the body, and nowhere else in the address.',
    ]);
    expect(seen).toEqual([]);
  });

  test.each([
    'http://{{api_key}}.api.test/',
    'http://{{api_key}}@api.test/',
    '{{api_key}}',
    'http://api.test:{{both}}/',
  ])('a secret does not make a URL of %j', async (url) => {
    expect((await data.post('fetch', { url })).status).toBe(400);
    expect(data.lookedUp.filter((name) => /sk-live/.test(name))).toEqual([]);
  });

  test('a secret that is missing or makes no valid header is refused, also in the background', async () => {
    for (const background of [false, true]) {
      const ask = (headers: Record<string, string>) =>
        data.post('fetch', { url: api(), headers, async: background });
      expect(await ask({ x: '{{unknown}}' })).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_FAILED', error: 'This project has no secret "unknown".' },
      });
      expect(await ask({ x: '{{__proto__}} {{constructor}}' })).toMatchObject({ status: 400 });
      expect(await ask({ x: '{{lines}}' })).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_FAILED' },
      });
      expect(await ask({ x: '{{wide}}' })).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_FAILED' },
      });
    }
    expect(seen).toEqual([]);
  });

  test('a request is limited in the size and number of its secrets', async () => {
    const body = '{{api_key}}'.repeat(80_000);
    const large = await data.post('fetch', { url: api(), method: 'POST', body });
    expect([large.status, large.body.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    const names = Array.from({ length: 70_000 }, (_, index) => `{{n${index}}}`).join('');
    expect(await data.post('fetch', { url: api(), method: 'POST', body: names })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', error: 'A request may name 20 secrets at most.' },
    });
    expect(seen).toEqual([]);
  });

  const elsewhere: [string, (port: number) => string][] = [
    ['another host', (port) => `http://other.test:${port}/`],
    ['the same place by its number', (port) => `http://127.0.0.1:${port}/`],
    ['another port', () => 'http://api.test:8080/'],
    ['the port of http', () => 'http://api.test/'],
    ['the port of https', () => 'https://api.test/'],
    ['a name within', (port) => `http://evil.api.test:${port}/`],
    ['a name around', (port) => `http://api.test.evil:${port}/`],
    ['a full name, with a dot', (port) => `http://api.test.:${port}/`],
    ['a name that looks alike', (port) => `http://аpi.test:${port}/`],
    ['a host in the path', (port) => `http://other.test:${port}/api.test`],
    ['a host in the query', (port) => `http://other.test:${port}/?api.test:${port}`],
    ['a host before a backslash', (port) => `http://other.test:${port}\\@api.test:${port}/`],
  ];
  test.each(elsewhere)('a secret is not sent to %s', async (_, place) => {
    for (const part of [
      { query: { k: '{{api_key}}' } },
      { headers: { k: '{{api_key}}' } },
      { method: 'POST', body: { k: ['{{api_key}}'] } },
      { headers: { k: '{{api_key}}' }, async: true },
    ]) {
      const { status, body } = await data.post('fetch', { url: place(data.sitePort), ...part });
      expect([status, body.code, body.error]).toEqual([
        403,
        'FORBIDDEN',
        'The secret "api_key" may not be sent to this host.',
      ]);
    }
    expect(seen).toEqual([]);
  });

  test.each([
    'HTTP://API.TEST:PORT/',
    'http://Api.Test:0PORT/',
    'http://api%2Etest:PORT/',
    'http://ａpi.test:PORT/',
  ])('a secret is sent to its host, however that is written: %s', async (url) => {
    const { status } = await data.post('fetch', {
      url: url.replace('PORT', String(data.sitePort)),
      headers: { k: '{{api_key}}' },
    });
    expect([status, seen[0]?.headers.k]).toEqual([200, KEY]);
  });

  test.each([
    // Past the check of the secret, it is the gate that refuses: the name leads to this machine.
    ['https://public.test/', 'ADDRESS_REFUSED'],
    ['https://PUBLIC.test:443/', 'ADDRESS_REFUSED'],
    ['https://public.test:8443/', 'ADDRESS_REFUSED'],
    ['https://bücher.test/', 'ADDRESS_REFUSED'],
    ['http://public.test/', 'FORBIDDEN'],
    ['http://public.test:443/', 'FORBIDDEN'],
    ['http://public.test:8443/', 'FORBIDDEN'],
    ['https://public.test:80/', 'FORBIDDEN'],
    ['https://public.test./', 'FORBIDDEN'],
  ])('a secret is sent by https alone, except to hosts that the operator listed: %s', async (url, code) => {
    Object.assign(data.names, { 'public.test': ['127.0.0.1'], 'xn--bcher-kva.test': ['127.0.0.1'] });
    const { status, body } = await data.post('fetch', { url, headers: { k: '{{plain}}' } });
    expect([status, body.code]).toEqual([403, code]);
    if (url === 'http://public.test:443/')
      expect(body.error).toBe('The secret "plain" is sent by https alone.');
  });

  describe('redirects', () => {
    const elsewhereOn: [string, (one: Seen) => string][] = [
      ['to another host', () => `http://other.test:${data.sitePort}/`],
      ['to another host, with what it was sent', ({ url }) => `http://other.test:${data.sitePort}${url}`],
      ['to its own number', () => `//127.0.0.1:${data.sitePort}/`],
      ['to a host that is made of it', () => `http://${Buffer.from(KEY).toString('hex')}.other.test/`],
      ['to another port', () => 'http://api.test:8080/'],
    ];
    test.each(elsewhereOn)('%s is not followed', async (_, place) => {
      for (const status of [301, 302, 303, 307, 308]) {
        seen = [];
        respond = (one) => (seen.length > 1 ? {} : { status, headers: { location: place(one) } });
        const { status: returned, body } = await data.post('fetch', {
          url: api('/start'),
          method: 'POST',
          query: { k: '{{api_key}}' },
          body: '{{api_key}}',
        });
        expect([returned, body.code, seen.length]).toEqual([403, 'FORBIDDEN', 1]);
        expect(JSON.stringify(body)).not.toMatch(/sk-live|other/);
      }
    });

    test('a redirect within the hosts of a secret is followed', async () => {
      respond = ({ url }) =>
        url === '/start' ? { status: 307, headers: { location: `//other.test:${data.sitePort}/end` } } : {};
      const ask = (name: string) =>
        data.post('fetch', { url: api('/start'), method: 'POST', body: `{{${name}}}` });
      expect((await ask('both')).status).toBe(200);
      expect(seen.map(({ url, body }) => [url, body])).toEqual([
        ['/start', 'of two hosts'],
        ['/end', 'of two hosts'],
      ]);
      // One that may go there does not take another one along.
      expect((await ask('both}}{{api_key')).status).toBe(403);
    });
  });

  test.each([
    ['text/plain; charset=iso-8859-1', 'latin1'],
    ['text/plain', 'latin1'],
    ['text/plain; charset=utf-8', 'utf8'],
    ['text/plain; charset=utf-16le', 'utf16le'],
    ['application/json; charset=iso-8859-1', 'latin1'],
    ['application/json', 'utf8'],
  ] as const)('a body is read in its encoding: %s, %s', async (type, encoding) => {
    const text = JSON.stringify({ size: 'Größe, 5 µg' });
    respond = () => ({ headers: { 'content-type': type }, body: Buffer.from(text, encoding) });
    const { body } = await data.post('fetch', { url: api('/') });
    expect(body.body).toEqual(type.startsWith('text') ? text : JSON.parse(text));
  });

  test('a redirect is followed to an address that is written in UTF-8', async () => {
    respond = ({ url }) =>
      url === '/start'
        ? { status: 302, headers: { location: Buffer.from('/größe').toString('latin1') } }
        : { headers: { 'content-type': 'text/plain' }, body: url };
    const { body } = await data.post('fetch', { url: api('/start') });
    expect(body.body).toBe('/gr%C3%B6%C3%9Fe');
  });

  test('a secret is redacted in the response, however it is encoded there', async () => {
    respond = ({ url, headers, body }) => ({
      headers: {
        'content-type': 'text/plain',
        'x-echo': String(headers.x),
        'x-form': body,
        link: `<${url}>`,
      },
      body: `${url} ${headers.x} ${body} ${JSON.stringify(VALUE)} ${Buffer.from(KEY).toString('base64')}`,
    });
    const echoed = await data.post('fetch', {
      url: api(),
      method: 'POST',
      query: { k: '{{api_key}}', o: '{{odd}}' },
      headers: { x: '{{api_key}}' },
      body: '{{api_key}}',
    });
    expect(echoed.body).toMatchObject({
      status: 200,
      headers: { 'x-echo': '{{api_key}}', 'x-form': '{{api_key}}', link: '</?k={{api_key}}&o={{odd}}>' },
      body: '/?k={{api_key}}&o={{odd}} {{api_key}} {{api_key}} "{{odd}}" {{api_key}}',
    });
    // As PHP and Go write JSON.
    respond = () => ({ headers: json, body: String.raw`{"k":"sk-live-0123456789\/abc\u002bdef==","n":1}` });
    const parsed = await data.post('fetch', { url: api(), headers: { k: '{{api_key}}' } });
    expect(parsed.body.body).toEqual({ k: '{{api_key}}', n: 1 });
    for (const line of [JSON.stringify([echoed, parsed]), ...data.logged]) {
      expect(line).not.toMatch(/sk-live|cret\+/);
    }
  });

  test('a secret that was encrypted with another key fails as an internal error that does not show it', async () => {
    await data.saveSecret('moved', 'kept elsewhere', [`api.test:${data.sitePort}`]);
    await data.project.database.writer
      .updateTable('secrets')
      .set({ sealed: 'AAAA' })
      .where('name', '=', 'moved')
      .execute();
    const { status, body } = await data.post('fetch', { url: api(), headers: { k: '{{moved}}' } });
    expect([status, body.code]).toEqual([500, 'INTERNAL_ERROR']);
    expect(seen).toEqual([]);
  });
});

describe('background requests', () => {
  const triggered = { status: 'triggered', message: expect.stringMatching(/\.$/) };

  test('a request in the background is acknowledged at once and goes on', async () => {
    const { status, body } = await data.post('fetch', {
      url: api('/hook'),
      method: 'POST',
      headers: { k: '{{api_key}}' },
      body: { a: 1 },
      async: true,
    });
    expect([status, body]).toEqual([200, triggered]);
    await expect.poll(() => seen).toMatchObject([{ method: 'POST', url: '/hook', body: '{"a":1}' }]);
  });

  test('a request in the background that fails is logged by its code, without URLs, secrets or bodies', async () => {
    respond = () => ({ status: 302, headers: { location: `http://other.test:${data.sitePort}/${KEY}` } });
    const request = { url: api('/private'), method: 'POST', body: 'the body {{api_key}}', async: true };
    expect((await data.post('fetch', request)).body).toEqual(triggered);
    await expect.poll(() => data.logged).toHaveLength(1);
    expect(JSON.parse(data.logged[0] ?? '')).toMatchObject({
      level: 40,
      requestId: 'request-1',
      code: 'FORBIDDEN',
    });
    expect(data.logged[0]).not.toMatch(/sk-live|private|the body|other/);
  });

  test('a request in the background ends when the service closes', async () => {
    const own = await buildTestData();
    const gone = new Promise<void>((resolve) => {
      own.site.handler = (_, response) => response.on('close', resolve);
    });
    const reached = expect.poll(() => own.site.written).toHaveLength(1);
    expect((await own.post('fetch', { url: own.at(), async: true })).status).toBe(200);
    await reached;
    await own.stop();
    await gone;
    expect(own.logged.map((line) => JSON.parse(line).msg)).toEqual(['A request in the background was ended']);
    await own.close();
  });
});

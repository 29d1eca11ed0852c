import { connect, type Socket } from 'node:net';
import { type Author, buildPost, secretKeyOf, serviceRest, signUp } from '@fabrica/test-peers/author.ts';
import { type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const POSTS = '/api/db/journal/rest/v1/journal_posts';
const LIST = `${POSTS}?select=id,title&order=id&limit=3`;

let server: RunningServer;
let author: Author;
const open = new Set<Socket>();

beforeAll(async () => {
  server = await startServer({ DEMO: 'off', RATE_LIMIT: 'off' });
  author = await signUp(server, 'Dr Mara Lind');
  const posts = Array.from({ length: 40 }, (_, index) =>
    buildPost(author, { id: `post_${index}`, title: `Artwork ${index}`, published: index % 4 === 0 ? 0 : 1 }),
  );
  const response = await serviceRest(server)('POST', 'journal_posts', posts);
  expect(response.status).toBe(201);
});

afterAll(async () => {
  for (const socket of open) socket.destroy();
  await server.close();
});

interface RawResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Sends bytes over a connection of their own and returns one response for each of the methods. */
async function exchange(bytes: string, methods: readonly string[] = ['GET']): Promise<RawResponse[]> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  open.add(socket);
  socket.write(bytes, 'latin1');
  let received = '';
  const responses: RawResponse[] = [];
  for await (const chunk of socket) {
    received += chunk.toString('latin1');
    for (
      let next = parseResponse(received, methods[responses.length]);
      next;
      next = parseResponse(received, methods[responses.length])
    ) {
      responses.push(next.response);
      received = next.rest;
      if (responses.length === methods.length) break;
    }
    if (responses.length === methods.length) break;
  }
  socket.destroy();
  open.delete(socket);
  expect(received).toBe('');
  return responses;
}

/** Parses the first of the received responses once it is complete. */
function parseResponse(
  received: string,
  method = 'GET',
): { response: RawResponse; rest: string } | undefined {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [first = '', ...fields] = received.slice(0, end).split('\r\n');
  const headers = Object.fromEntries(
    fields.map((field) => [
      field.slice(0, field.indexOf(':')).toLowerCase(),
      field.slice(field.indexOf(':') + 2),
    ]),
  );
  const status = Number(first.split(' ')[1]);
  // The response to an invalid request has no length but an empty chunk.
  const length = method === 'HEAD' ? 0 : Number(headers['content-length'] ?? '0\r\n\r\n'.length);
  const body = received.slice(end + 4, end + 4 + length);
  if (body.length < length) return undefined;
  return { response: { status, headers, body }, rest: received.slice(end + 4 + length) };
}

interface Sent {
  method?: string;
  headers?: readonly string[];
  host?: string;
}

function request(target: string, { method = 'GET', headers = [], host = 'localhost' }: Sent = {}): string {
  return [`${method} ${target} HTTP/1.1`, `Host: ${host}`, ...headers, '', ''].join('\r\n');
}

async function send(target: string, sent: Sent = {}): Promise<RawResponse> {
  const [response] = await exchange(request(target, sent), [sent.method ?? 'GET']);
  if (!response) throw new Error(`${target} has no response.`);
  return response;
}

const bearer = (token: string) => `Authorization: Bearer ${token}`;

it('responses on one connection come in the order of their requests', async () => {
  const ids = Array.from({ length: 12 }, (_, index) => `post_${index * 3 + 1}`);
  const sent = ids.flatMap((id, index) => [
    request(`${POSTS}?select=id&id=eq.${id}`, { method: index % 3 === 1 ? 'HEAD' : 'GET' }),
    // These take longer: a signature is verified, and a response is compressed.
    request(`${POSTS}?limit=30&title=neq.${id}`, {
      headers: index % 2 ? [bearer(author.token)] : ['Accept-Encoding: br'],
    }),
    request(`${POSTS}?select=title&id=eq.${id}`),
  ]);
  const methods = sent.map((text) => text.slice(0, text.indexOf(' ')));
  const responses = await exchange(sent.join(''), methods);
  expect(responses.map(({ status }) => status)).toEqual(sent.map(() => 200));
  for (const [index, id] of ids.entries()) {
    const [point, list, title] = responses.slice(index * 3, index * 3 + 3);
    const shown = Number(id.slice('post_'.length)) % 4 !== 0;
    expect(point?.body).toBe(index % 3 === 1 ? '' : JSON.stringify(shown ? [{ id }] : []));
    expect(list?.headers['content-encoding']).toBe(index % 2 ? undefined : 'br');
    expect(title?.body).toBe(JSON.stringify(shown ? [{ title: id.replace('post_', 'Artwork ') }] : []));
  }
});

it('clients that disconnect in the middle of a request leave the server running', async () => {
  const port = Number(new URL(server.url).port);
  await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const socket = connect(port, '127.0.0.1');
      const sent = request(`${POSTS}?title=neq.${index}`, {
        headers: index % 2 ? ['Accept-Encoding: br'] : [bearer(author.token)],
      });
      socket.write(sent.repeat(5), () => socket.resetAndDestroy());
      await new Promise((resolve) => socket.once('close', resolve));
    }),
  );
  expect((await send(LIST)).status).toBe(200);
  expect(server.process.exitCode).toBeNull();
});

describe('caches between the server and its readers', () => {
  const REST = '/api/db/journal/rest/v1';
  const JSON_TYPE = { 'content-type': 'application/json' };
  const ask = async (
    path: string,
    { caller, ...init }: RequestInit & { caller?: 'author' | 'server' } = {},
  ) => {
    const tokens = { author: author.token, server: await secretKeyOf(server) };
    const headers = { ...(caller && { authorization: `Bearer ${tokens[caller]}` }), ...JSON_TYPE };
    const response = await fetch(`${server.url}${path}`, { ...init, headers });
    await response.body?.cancel();
    return response;
  };

  it.each<[string, Parameters<typeof ask>[1]]>([
    [`${REST}/journal_posts?limit=1`, { caller: 'author' }],
    [`${REST}/journal_posts?limit=1`, { caller: 'server' }],
    [`${REST}/journal_posts?limit=1&title=eq.%41`, { caller: 'author' }],
    [`${REST}/journal_posts?limit=1`, { caller: 'author', method: 'HEAD' }],
    [`${REST}/post_likes`, { caller: 'author', method: 'POST', body: '{"post_id":"post_1"}' }],
    [`${REST}/nowhere`, {}],
    ['/api/db/journal/sql', { caller: 'server', method: 'POST', body: '{"query":"SELECT 1"}' }],
    ['/api/auth/me', { caller: 'author' }],
    ['/api/auth/providers?projectId=journal', {}],
    ['/api/notifications/journal/settings', { caller: 'author' }],
    ['/api/analytics/journal/insights', { caller: 'author' }],
    ['/api/realtime/journal/messages?channel=post:post_1', {}],
    ['/api/ai/journal/text', { caller: 'author', method: 'POST', body: '{"prompt":"Hello"}' }],
    ['/api/storage/journal/download?path=a', { caller: 'author' }],
    ['/healthz', {}],
  ])('%s %o is stored by none of them', async (path, init) => {
    expect((await ask(path, init)).headers.get('cache-control')).toBe('no-store');
  });

  it.each([`${REST}/journal_posts?limit=1`, `${REST}/journal_posts?limit=1&title=eq.%41`])(
    '%s without a token is asked for anew, and differs with one',
    async (path) => {
      const { headers } = await ask(path);
      expect(headers.get('cache-control')).toBe('no-cache');
      expect(headers.get('vary')).toContain('Authorization');
      expect((await ask(path, { caller: 'author' })).headers.get('vary')).toContain('Authorization');
    },
  );
});

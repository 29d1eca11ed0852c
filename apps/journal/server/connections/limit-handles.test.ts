import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { connectionsWithin, limitHandles } from './limit-handles.ts';

const MOST = 40;

let server: Server;
let port: number;
let clients: Socket[];

beforeEach(async () => {
  clients = [];
  server = createServer((incoming, outgoing) => {
    if (incoming.url === '/never') return;
    text(incoming).then(
      (body) => outgoing.end(`got ${body.length}`),
      () => outgoing.destroy(),
    );
  });
  limitHandles(server, MOST);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});
afterEach(async () => {
  for (const client of clients) client.destroy();
  await new Promise((resolve) => server.close(resolve));
});

/** Opens a connection and sends a part of a request. */
async function open(sent: string): Promise<Socket> {
  const client = connect(port, '127.0.0.1');
  clients.push(client);
  client.on('error', () => undefined);
  await once(client, 'connect');
  client.write(sent);
  return client;
}

async function get(): Promise<string> {
  const client = await open('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  return text(client);
}

const connections = () =>
  new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));

it.each([
  ['heads', 'GET / HTTP/1.1\r\nHost'],
  ['bodies', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\nx'],
  ['nothing at all', ''],
  ['idle connections', 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'],
])('with more slow connections than handles (%s), another one is served at once', async (_, sent) => {
  for (let n = 0; n < 2 * MOST; n += 1) {
    await open(sent);
    if (n % 10 === 9) expect(await get()).toContain('got 0');
  }
  expect(await connections()).toBeLessThanOrEqual(MOST);
});

it('a request that is being answered, and a body that comes in, are not closed for others', async () => {
  const answered = await open('GET /never HTTP/1.1\r\nHost: a\r\n\r\n');
  const upload = await open(
    `POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 60000\r\n\r\n`,
  );
  upload.write('x'.repeat(50_000));
  for (let n = 0; n < 2 * MOST; n += 1) await open('GET / HTTP/1.1\r\nHost');
  upload.write('x'.repeat(10_000));
  expect(await text(upload)).toContain('got 60000');
  expect(answered.destroyed || answered.readableEnded).toBe(false);
});

it.each([
  [1_024, 768],
  [65_536, 65_280],
  [64, 48],
  [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
])('of %d file handles, %d are for connections', (handles, connections) => {
  expect(connectionsWithin(handles)).toBe(connections);
});

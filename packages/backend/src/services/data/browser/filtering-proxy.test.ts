import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createGate } from '../../../fetcher/index.ts';
import { type FilteringProxy, type FilteringProxyOptions, startFilteringProxy } from './filtering-proxy.ts';
import type { ProxyCredentials } from './proxy-credentials.ts';

let site: Server;
let handler: (request: IncomingMessage, response: ServerResponse) => void;
let canary: ReturnType<typeof createTcpServer>;
let touched: number;
let lookedUp: string[];
let proxy: FilteringProxy;
let pass: ProxyCredentials;

const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port;
const proxyPort = () => Number(new URL(proxy.url).port);
const credentials = ({ username, password }: { username: string; password: string }) =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

async function start(options: Partial<FilteringProxyOptions> = {}): Promise<void> {
  const gate = createGate({
    allowHosts: [`127.0.0.1:${portOf(site)}`, `site.test:${portOf(site)}`, '127.0.0.1:1'],
    async resolver(host) {
      lookedUp.push(host);
      if (host === 'nobody.example') throw new Error(`getaddrinfo ENOTFOUND ${host}`);
      return [{ address: '127.0.0.1', family: 4 }];
    },
  });
  proxy = await startFilteringProxy({ gate, ...options });
  pass = proxy.issueCredentials();
}

beforeEach(async () => {
  touched = 0;
  lookedUp = [];
  canary = createTcpServer((socket) => {
    touched += 1;
    socket.destroy();
  }).listen(0, '::');
  site = createServer((incoming, response) => handler(incoming, response)).listen(0, '127.0.0.1');
  await Promise.all([once(canary, 'listening'), once(site, 'listening')]);
  await start();
});

afterEach(async () => {
  await proxy.close();
  site.closeAllConnections();
  site.close();
  canary.close();
  expect(touched).toBe(0);
});

/** Asks the proxy for a URL, as a browser does. */
async function get(url: string, headers: Record<string, string> = {}, method = 'GET') {
  const sent = request({
    host: '127.0.0.1',
    port: proxyPort(),
    agent: false,
    method,
    path: url,
    headers: { 'proxy-authorization': credentials(pass), ...headers },
  }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

/** A connection to the proxy over which these bytes were sent. */
function send(bytes: string): Socket {
  const socket = connect(proxyPort(), '127.0.0.1');
  socket.on('error', () => socket.destroy());
  socket.write(bytes);
  return socket;
}

const connectTo = (authority: string, authorization = credentials(pass)) =>
  send(
    `CONNECT ${authority} HTTP/1.1\r\nhost: ${authority}\r\nproxy-authorization: ${authorization}\r\n\r\n`,
  );

const statusOf = async (socket: Socket) => /^HTTP\/1\.1 (\d+)/.exec(await text(socket))?.[1];

/** Resolves with what has come when the connection is there. */
async function firstOf(socket: Socket): Promise<string> {
  const [bytes] = await once(socket, 'data');
  return String(bytes);
}

test('the proxy forwards requests and responses unchanged, except for its own headers', async () => {
  let seen: IncomingMessage | undefined;
  handler = async (incoming, response) => {
    seen = incoming;
    const body = await text(incoming);
    response.setHeader('set-cookie', ['a=1', 'b=2']);
    response.setHeader('proxy-status', 'other');
    response.writeHead(418, { 'x-named': 'x' }).end(`got ${body}`);
  };
  const url = `http://site.test:${portOf(site)}/path?query`;
  const sent = request({
    host: '127.0.0.1',
    port: proxyPort(),
    method: 'PUT',
    path: url,
    headers: {
      'proxy-authorization': credentials(pass),
      connection: 'x-own',
      'x-own': 'for the proxy',
      'x-for-page': 'kept',
      host: 'another.test',
    },
  }).end('bytes');
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(418);
  expect(response.headers['set-cookie']).toEqual(['a=1', 'b=2']);
  expect(response.headers).not.toHaveProperty('proxy-status');
  expect(await text(response)).toBe('got bytes');
  expect(seen).toMatchObject({ method: 'PUT', url: '/path?query' });
  expect(seen?.headers).toMatchObject({ 'x-for-page': 'kept', host: `site.test:${portOf(site)}` });
  for (const name of ['proxy-authorization', 'x-own']) expect(seen?.headers).not.toHaveProperty(name);
  expect(lookedUp).toEqual(['site.test']);
});

test('the proxy tunnels connections, and closes each end with the other', async () => {
  handler = (_, response) => response.end('page');
  const socket = connectTo(`site.test:${portOf(site)}`);
  expect(await firstOf(socket)).toBe('HTTP/1.1 200 Connection established\r\n\r\n');
  socket.write(`GET / HTTP/1.1\r\nhost: site.test\r\nconnection: close\r\n\r\n`);
  expect(await text(socket)).toMatch(/page$/);

  const connected = once(site, 'connection') as Promise<[Socket]>;
  const other = connectTo(`site.test:${portOf(site)}`);
  await firstOf(other);
  const [upstream] = await connected;
  other.destroy();
  await once(upstream, 'close');
});

test.each([
  ['none', ''],
  ['wrong ones', credentials({ username: 'a', password: 'b' })],
  ['empty ones', credentials({ username: '', password: '' })],
  ['of another kind', 'Bearer abc'],
  ['garbage', 'Basic ÿÿÿ'],
])('the proxy refuses credentials that are %s', async (_, authorization) => {
  const hostPort = `127.0.0.1:${portOf(site)}`;
  const response = await get(`http://${hostPort}/`, { 'proxy-authorization': authorization });
  expect(response).toMatchObject({ status: 407, headers: { 'proxy-authenticate': 'Basic realm="fabrica"' } });
  expect(await statusOf(connectTo(hostPort, authorization))).toBe('407');
  const half = credentials({ username: pass.username, password: 'b' });
  expect(await statusOf(connectTo(hostPort, half))).toBe('407');
});

test('the proxy refuses revoked credentials and closes their connections', async () => {
  const other = proxy.issueCredentials();
  handler = (_, response) => response.write('begun');
  const socket = connectTo(`127.0.0.1:${portOf(site)}`);
  await firstOf(socket);
  const loading = get(`http://127.0.0.1:${portOf(site)}/`).catch((error) => error.code);
  await once(site, 'request');
  const used = credentials(pass);
  pass.revoke();
  await once(socket, 'close');
  expect(await loading).toBe('ECONNRESET');
  expect(await statusOf(connectTo(`127.0.0.1:${portOf(site)}`, used))).toBe('407');
  expect(await firstOf(connectTo(`127.0.0.1:${portOf(site)}`, credentials(other)))).toContain('200');
});

test.each([
  '127.0.0.1:PORT',
  '127.1:PORT',
  'localhost:PORT',
  'LOCALHOST.:PORT',
  '0:PORT',
  '2130706433:PORT',
  '[::1]:PORT',
  '[::ffff:127.0.0.1]:PORT',
  'private.test:PORT',
  '169.254.169.254:80',
  '8.8.8.8:25',
])('the proxy connects to %s neither by request nor by tunnel', async (place) => {
  const hostPort = place.replace('PORT', String(portOf(canary)));
  expect(await statusOf(connectTo(hostPort))).toBe('403');
  const response = await get(`http://${hostPort}/`);
  expect(response.status).toBe(403);
  expect(response.headers).toHaveProperty('proxy-status');
  expect(pass.failureAt(new URL(`http://${hostPort}`))).toMatchObject({ code: 'ADDRESS_REFUSED' });
});

test.each([
  ['an address of its own', 'GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nAUTH\r\n\r\n', '400'],
  ['another scheme', 'GET ftp://127.0.0.1:PORT/ HTTP/1.1\r\nhost: a\r\nAUTH\r\n\r\n', '400'],
  ['TLS to be made', 'GET https://127.0.0.1:PORT/ HTTP/1.1\r\nhost: a\r\nAUTH\r\n\r\n', '400'],
  ['a tunnel without a port', 'CONNECT 127.0.0.1 HTTP/1.1\r\nhost: a\r\nAUTH\r\n\r\n', '400'],
  ['a tunnel with a name', 'CONNECT a@127.0.0.1:PORT HTTP/1.1\r\nhost: a\r\nAUTH\r\n\r\n', '400'],
  ['a tunnel to a path', 'CONNECT 127.0.0.1:PORT/ HTTP/1.1\r\nhost: a\r\nAUTH\r\n\r\n', '400'],
  ['a tunnel to port 0', 'CONNECT 127.0.0.1:0 HTTP/1.1\r\nhost: a\r\nAUTH\r\n\r\n', '403'],
  ['a tunnel to port 99999', 'CONNECT 127.0.0.1:99999 HTTP/1.1\r\nhost: a\r\nAUTH\r\n\r\n', '403'],
  [
    'two lengths',
    'POST http://127.0.0.1:PORT/ HTTP/1.1\r\nhost: a\r\nAUTH\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    '400',
  ],
  ['no HTTP', '\x05\x01\x00 hello\r\n\r\n', '400'],
  [
    'a large head',
    `GET http://127.0.0.1:PORT/ HTTP/1.1\r\nhost: a\r\nAUTH\r\nx: ${'x'.repeat(100_000)}\r\n\r\n`,
    '431',
  ],
])('the proxy refuses %s', async (_, bytes, status) => {
  const filled = bytes
    .replaceAll('PORT', String(portOf(canary)))
    .replace('AUTH', `proxy-authorization: ${credentials(pass)}\r\nconnection: close`);
  expect(await statusOf(send(filled))).toBe(status);
});

test('the proxy responds with 502 for a host that is missing or does not speak HTTP', async () => {
  expect(await get('http://nobody.example/')).toMatchObject({ status: 502 });
  expect(await get('http://127.0.0.1:1/')).toMatchObject({ status: 502 });
  expect(await statusOf(connectTo('127.0.0.1:1'))).toBe('502');
  handler = (incoming) => incoming.socket.end('garbage\r\n\r\n');
  expect(await get(`http://127.0.0.1:${portOf(site)}/`)).toMatchObject({ status: 502 });
  handler = (_, response) => response.writeHead(200, { 'x-large': 'x'.repeat(100_000) }).end();
  expect(await get(`http://127.0.0.1:${portOf(site)}/`)).toMatchObject({ status: 502 });
});

test('the proxy closes connections whose headers do not arrive in time', async () => {
  await proxy.close();
  await start({ headTimeoutMs: 40 });
  const sockets = [send(''), send('GET http://127.0'), send('CONNECT a:1 HTTP/1.1\r\nx: ')];
  await Promise.all(sockets.map((socket) => once(socket.resume(), 'close')));
  expect(sockets.every(({ destroyed }) => destroyed)).toBe(true);
});

test('the proxy limits the bytes and connections of a page', async () => {
  await proxy.close();
  await start({ maxBytes: 10_000, maxConnections: 4 });
  const place = `127.0.0.1:${portOf(site)}`;
  const open = [connectTo(place), connectTo(place)];
  for (const socket of open) expect(await firstOf(socket)).toContain('200');
  expect(await statusOf(connectTo(place))).not.toBe('200');
  for (const socket of open) socket.destroy();

  pass = proxy.issueCredentials();
  handler = (_, response) => response.end(Buffer.alloc(100_000));
  await expect(get(`http://${place}/`)).rejects.toThrow();
  await expect(get(`http://${place}/`)).rejects.toThrow();
  pass = proxy.issueCredentials();
  const socket = connectTo(place);
  await firstOf(socket);
  socket.write(`GET / HTTP/1.1\r\nhost: a\r\n\r\n`);
  expect((await text(socket).catch(() => '')).length).toBeLessThan(100_000);
});

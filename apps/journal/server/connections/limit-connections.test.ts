import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { handleClientErrors } from './handle-client-errors.ts';
import { type ConnectionLimits, limitConnections } from './limit-connections.ts';

/** Opens a server that reads bodies and responds with their length. Returns a function that opens a connection. */
async function openServer(limits: ConnectionLimits) {
  const server = createServer(async (incoming, response) => {
    const body = await text(incoming).catch(() => undefined);
    if (body !== undefined) response.end(String(body.length));
  });
  server.on('upgrade', (_, socket) => void socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'));
  handleClientErrors(server);
  limitConnections(server, limits);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const opened: Socket[] = [];
  onTestFinished(() => {
    for (const socket of opened) socket.destroy();
    server.close();
  });
  return async () => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    opened.push(socket);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  };
}

const head = (length: number, path = '/api/x') =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`;
const firstChunk = async (socket: Socket) => String((await once(socket, 'data'))[0]);

it('an IP address has so many connections and no more, until it closes one', async () => {
  const open = await openServer({ perIp: 2 });
  const [first, second] = [await open(), await open()];
  const refused = await firstChunk(await open());
  expect(refused).toMatch(
    /^HTTP\/1\.1 429 [\s\S]*Retry-After: 10\r\n[\s\S]*too many connections from your address/,
  );
  second.write(`${head(1)}a`);
  expect(await firstChunk(second)).toMatch(/^HTTP\/1\.1 200 /);
  first.destroy();
  await expect
    .poll(async () => {
      const again = await open();
      again.write(`${head(1)}a`);
      return (await firstChunk(again)).slice(9, 12);
    })
    .toBe('200');
});

it('websockets are not counted', async () => {
  const open = await openServer({ perIp: 2 });
  for (let socket = 0; socket < 4; socket += 1) {
    const upgraded = await open();
    upgraded.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n');
    expect(await firstChunk(upgraded)).toMatch(/^HTTP\/1\.1 101 /);
  }
});

it.each<[string, Omit<ConnectionLimits, 'perIp'>, string]>([
  ['brings too little', { slowest: { bytes: 1_000, ms: 100 } }, '/api/analytics/journal/log'],
  ['brings too little of an upload', { slowest: { bytes: 1_000, ms: 100 } }, '/api/storage/x/upload'],
  ['takes too long', { slowest: { bytes: 0, ms: 100 }, longestBodyMs: 150 }, '/api/db/journal/rest/v1/x'],
])('a body that %s ends with 408', async (_, limits, path) => {
  const open = await openServer({ perIp: 0, ...limits });
  const socket = await open();
  socket.write(head(10_000, path));
  const dribble = setInterval(() => socket.write('a'), 10);
  onTestFinished(() => clearInterval(dribble));
  expect(await firstChunk(socket)).toMatch(/^HTTP\/1\.1 408 [\s\S]*took too long to arrive/);
});

it('an upload may take longer than other bodies, as long as it brings enough', async () => {
  const open = await openServer({ perIp: 0, slowest: { bytes: 1, ms: 5_000 }, longestBodyMs: 50 });
  const socket = await open();
  socket.write(head(20, '/api/storage/journal/upload'));
  let sent = 0;
  const dribble = setInterval(() => {
    socket.write('a');
    sent += 1;
    if (sent === 20) clearInterval(dribble);
  }, 10);
  expect(await firstChunk(socket)).toMatch(/^HTTP\/1\.1 200 [\s\S]*20/);
});

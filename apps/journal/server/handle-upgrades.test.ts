import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';
import { handOverSockets, isWebSocket } from './handle-upgrades.ts';

/** A server whose backend answers every socket with 418; answers what it says to these headers. */
async function openServer(mode: 'production' | 'development') {
  const server = createServer({ shouldUpgradeCallback: isWebSocket }, (_, answer) => answer.end('a page'));
  const handleUpgrade = (_: unknown, socket: Duplex) =>
    void socket.end('HTTP/1.1 418 Of the backend\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
  handOverSockets(server, { handleUpgrade }, mode);
  if (mode === 'development') {
    server.on('upgrade', (incoming, socket) => {
      if (incoming.headers['sec-websocket-protocol'] !== 'vite-hmr') return;
      socket.end('HTTP/1.1 410 Of Vite\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
    });
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (headers: Record<string, string>) =>
    new Promise((resolve, reject) => {
      const { port } = server.address() as AddressInfo;
      request({ port, host: '127.0.0.1', headers: { connection: 'upgrade', ...headers }, agent: false })
        .on('response', (answer) => resolve(answer.resume().statusCode))
        .on('error', reject)
        .end();
    });
}

it('websockets go to the backend; what would upgrade to anything else is a plain request', async () => {
  const ask = await openServer('production');
  expect(await ask({ upgrade: 'websocket' })).toBe(418);
  expect(await ask({ upgrade: 'WebSocket', 'sec-websocket-protocol': 'vite-hmr' })).toBe(418);
  expect(await ask({ upgrade: 'h2c', 'http2-settings': '' })).toBe(200);
});

it('Vite keeps its own in development', async () => {
  const ask = await openServer('development');
  expect(await ask({ upgrade: 'websocket', 'sec-websocket-protocol': 'vite-hmr' })).toBe(410);
  expect(await ask({ upgrade: 'websocket' })).toBe(418);
});

import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';
import { handleUpgrades, isWebSocket } from './handle-upgrades.ts';

/** Opens a server whose backend responds to every socket with 418. Returns a function that sends a request. */
async function openServer(mode: 'production' | 'development') {
  const server = createServer({ shouldUpgradeCallback: isWebSocket }, (_, response) =>
    response.end('a page'),
  );
  const handleUpgrade = (_: unknown, socket: Duplex) =>
    void socket.end('HTTP/1.1 418 Of the backend\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
  handleUpgrades(server, { handleUpgrade }, mode);
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
        .on('response', (response) => resolve(response.resume().statusCode))
        .on('error', reject)
        .end();
    });
}

it('WebSockets reach the backend, and a request with any other upgrade is handled without it', async () => {
  const send = await openServer('production');
  expect(await send({ upgrade: 'websocket' })).toBe(418);
  expect(await send({ upgrade: 'WebSocket', 'sec-websocket-protocol': 'vite-hmr' })).toBe(418);
  expect(await send({ upgrade: 'h2c', 'http2-settings': '' })).toBe(200);
});

it('the WebSockets of Vite stay with Vite in development', async () => {
  const send = await openServer('development');
  expect(await send({ upgrade: 'websocket', 'sec-websocket-protocol': 'vite-hmr' })).toBe(410);
  expect(await send({ upgrade: 'websocket' })).toBe(418);
});

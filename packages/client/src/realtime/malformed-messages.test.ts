import type { AddressInfo } from 'node:net';
import { TestClock } from '@fabrica/client/testing/test-clock.ts';
import { expect, it, onTestFinished } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { createClient, type FabricaError } from '../index.ts';

/** Opens a server that replies to a subscription as the test scripts it. */
async function openScriptedServer(respond: (socket: WebSocket) => void) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => server.close());
  server.on('connection', (socket) => {
    send(socket, 'connected', { socketId: '1' });
    socket.on('message', (data) => {
      if (JSON.parse(String(data)).type === 'subscribe') respond(socket);
    });
  });
  await new Promise((resolve) => server.once('listening', resolve));
  const clock = new TestClock();
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createClient({ projectId: 'journal', origin, realtime: { clock } });
  onTestFinished(() => client.auth.destroy());
  return client.realtime;
}

function send(socket: WebSocket, type: string, payload: unknown): void {
  socket.send(JSON.stringify({ type, payload }));
}

const channel = 'public:a';

it('repeated replies and malformed messages from a server are ignored', async () => {
  const realtime = await openScriptedServer((socket) => {
    send(socket, 'subscribed', { channel, last: '5-0' });
    send(socket, 'subscribed', { channel, last: '9-0' });
    for (const text of ['', 'null', '[]', '{"type":5}', '{"type":"message"}']) socket.send(text);
    socket.send(Buffer.from([1, 2, 3]));
    for (const payload of [{}, { channel }, { channel, id: 7 }]) {
      for (const type of ['message', 'resync', 'presence', 'published', 'later']) send(socket, type, payload);
    }
    for (const id of ['6-0', '6-0', '5-9', '10-0']) send(socket, 'message', { channel, id, data: id });
    send(socket, 'message', { channel: 'public:b', id: '11-0', data: 'of another channel' });
    send(socket, 'message', { channel, id: '11-0', data: 'last' });
  });
  const received: unknown[] = [];
  const errors: FabricaError[] = [];
  const resync = () => received.push('resync');
  const message = ({ data }: { data: unknown }) => received.push(data);
  realtime.subscribe(channel, { message, resync, error: (error) => errors.push(error) });
  await expect.poll(() => received.at(-1)).toBe('last');
  expect(received).toEqual(['6-0', '10-0', 'last']);
  expect([errors, realtime.getState().channels]).toEqual([[], { [channel]: 'subscribed' }]);
});

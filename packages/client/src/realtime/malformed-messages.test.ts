import type { AddressInfo } from 'node:net';
import { createClient, type FabricaError } from '@fabrica/client';
import { TestClock } from '@fabrica/client/testing/test-clock.ts';
import { expect, it, onTestFinished } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';

/** A server that answers a subscription of ours as the test says. */
async function openStrangeServer(answer: (socket: WebSocket) => void) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => server.close());
  server.on('connection', (socket) => {
    say(socket, 'connected', { socketId: '1' });
    socket.on('message', (data) => {
      if (JSON.parse(String(data)).type === 'subscribe') answer(socket);
    });
  });
  await new Promise((resolve) => server.once('listening', resolve));
  const clock = new TestClock();
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createClient({ projectId: 'journal', origin, realtime: { clock } });
  onTestFinished(() => client.auth.destroy());
  return client.realtime;
}

function say(socket: WebSocket, type: string, payload: unknown): void {
  socket.send(JSON.stringify({ type, payload }));
}

const channel = 'public:a';

it('a server that answers twice, and says what nobody can read, breaks nothing', async () => {
  const realtime = await openStrangeServer((socket) => {
    say(socket, 'subscribed', { channel, last: '5-0' });
    say(socket, 'subscribed', { channel, last: '9-0' });
    for (const text of ['', 'null', '[]', '{"type":5}', '{"type":"message"}']) socket.send(text);
    socket.send(Buffer.from([1, 2, 3]));
    for (const payload of [{}, { channel }, { channel, id: 7 }]) {
      for (const type of ['message', 'resync', 'presence', 'published', 'later']) say(socket, type, payload);
    }
    for (const id of ['6-0', '6-0', '5-9', '10-0']) say(socket, 'message', { channel, id, data: id });
    say(socket, 'message', { channel: 'public:b', id: '11-0', data: 'of another channel' });
    say(socket, 'message', { channel, id: '11-0', data: 'last' });
  });
  const heard: unknown[] = [];
  const errors: FabricaError[] = [];
  const resync = () => heard.push('resync');
  const message = ({ data }: { data: unknown }) => heard.push(data);
  realtime.subscribe(channel, { message, resync, error: (error) => errors.push(error) });
  await expect.poll(() => heard.at(-1)).toBe('last');
  expect(heard).toEqual(['6-0', '10-0', 'last']);
  expect([errors, realtime.getState().channels]).toEqual([[], { [channel]: 'subscribed' }]);
});

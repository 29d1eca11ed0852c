import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { type WebSocket, WebSocketServer } from 'ws';

/**
 * The baseline of realtime: a bare `ws` server that sends every posted message to all sockets, in the same frame as ours.
 * Prints its port.
 */
const sockets = new Set<WebSocket>();
let sequence = 0;

const server = createServer(async (request, response) => {
  const { channel, type, data } = JSON.parse(await text(request));
  const timestamp = Date.now();
  sequence += 1;
  const messageId = `${timestamp}-${sequence}`;
  const payload = { channel, id: messageId, timestamp, type, data };
  const frame = JSON.stringify({ type: 'message', payload });
  for (const socket of sockets) socket.send(frame);
  response.end(JSON.stringify({ messageId }));
});
new WebSocketServer({ server, perMessageDeflate: false }).on('connection', (socket) => {
  sockets.add(socket);
  socket.on('close', () => sockets.delete(socket));
  socket.on('message', () => socket.send('{"type":"subscribed","payload":{}}'));
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address && typeof address === 'object') process.stdout.write(`${address.port}\n`);
});

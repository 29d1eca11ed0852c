import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { buildTestStorage, type TestStorage } from '@fabrica/backend/testing/storage/build-test-storage.ts';
import { createAdaptorServer } from '@hono/node-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let storage: TestStorage;
let server: ReturnType<typeof createAdaptorServer>;
let port: number;

beforeAll(async () => {
  storage = await buildTestStorage();
  server = createAdaptorServer({ fetch: storage.app.fetch });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
afterAll(async () => {
  server.close();
  await storage.close();
});

const BOUNDARY = 'b0undary';
const FILE = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n`;
const REST = `\r\n--${BOUNDARY}\r\ncontent-disposition: form-data; name="path"\r\n\r\na.bin\r\n--${BOUNDARY}--\r\n`;

function open(contentLength: number) {
  const socket = connect(port, '127.0.0.1');
  socket.write(
    [
      'POST /api/storage/journal/upload HTTP/1.1',
      'host: localhost',
      'x-caller: user_ana',
      `content-type: multipart/form-data; boundary=${BOUNDARY}`,
      `content-length: ${contentLength}`,
      '\r\n',
    ].join('\r\n'),
  );
  return socket;
}

/** The status and body of what comes back before the other end closes or falls silent after it. */
async function readResponse(socket: ReturnType<typeof open>): Promise<string> {
  let text = '';
  socket.setEncoding('utf8');
  for await (const chunk of socket) {
    text += chunk;
    if (text.includes('\r\n\r\n{') && text.trimEnd().endsWith('}')) break;
  }
  return text;
}

describe('an upload over a real socket', () => {
  it('an upload leaves no file when its connection closes in the middle', async () => {
    const socket = open(10_000_000);
    socket.write(FILE);
    socket.write(Buffer.alloc(500_000));
    await expect.poll(() => storage.filesOnDisk()).toHaveLength(1);
    socket.destroy();
    await expect.poll(() => storage.filesOnDisk()).toEqual([]);
  });

  it('an upload leaves no file when it is shorter than its content-length', async () => {
    const body = `${FILE}short${REST}`;
    const socket = open(body.length + 1_000);
    socket.resume().end(body);
    await once(socket, 'close');
    await expect.poll(() => storage.filesOnDisk()).toEqual([]);
  });

  it('an upload is refused at once when its content-length is far too large', async () => {
    const socket = open(5_000_000_000);
    socket.write(FILE);
    const response = await readResponse(socket);
    expect(response).toMatch(/^HTTP\/1\.1 413 /);
    expect(response).toContain('File size (4769 MB) exceeds maximum allowed size (50MB)');
    socket.destroy();
    await expect.poll(() => storage.filesOnDisk()).toEqual([]);
  });

  it('an upload leaves no partial file when it is longer than its content-length', async () => {
    const body = `${FILE}whole${REST}`;
    const socket = open(body.length);
    socket.resume().write(`${body}${'more'.repeat(1_000)}`);
    await once(socket, 'close');
    await expect.poll(() => storage.filesOnDisk().filter((name) => name.startsWith('.incoming'))).toEqual([]);
  });
});

import { execFileSync } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { buildDocx, buildPdf, wordParagraph } from '@fabrica/backend/testing/data/build-test-documents.ts';
import {
  buildEnormousPng,
  buildPictureBomb,
  buildTextBomb,
} from '@fabrica/backend/testing/storage/hostile-images.ts';
import { type Author, signUp } from '@fabrica/test-peers/author.ts';
import { type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

/** The memory of the server's process while strangers send what would fill it. */

const MB = 1024 * 1024;

let server: RunningServer;
let author: Author;
/** A site that the operator has allowed; its pages have no end. */
let site: Server;

beforeAll(async () => {
  site = createServer((_, response) => {
    const chunk = Buffer.alloc(256 * 1024, 'x');
    const write = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', write);
    write();
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  server = await startServer({ DEMO: 'off', RATE_LIMIT: 'off', DATA_ALLOW_HOSTS: siteHost() });
  author = await signUp(server);
});
beforeEach(async () => {
  // The code that a request runs through is loaded and compiled before anything is measured.
  await Promise.all([upload(Buffer.alloc(0)), extract(Buffer.from('text'))]);
});
afterAll(async () => {
  await server.close();
  site.closeAllConnections();
  site.close();
});

const siteHost = () => `127.0.0.1:${(site.address() as AddressInfo).port}`;

/** Returns the resident memory of the server's process and of those that it has started, in bytes. */
function memoryInUse(): number {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,rss='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const family = new Set([server.process.pid]);
  let kilobytes = 0;
  for (const [pid, parent, resident = 0] of rows) {
    if (!family.has(pid) && !family.has(parent)) continue;
    family.add(pid);
    kilobytes += resident;
  }
  return kilobytes * 1024;
}

/** Runs `act` and returns how much more memory was in use at most meanwhile, in bytes. */
async function peakDuring(act: () => Promise<unknown>): Promise<number> {
  const before = memoryInUse();
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, memoryInUse());
  }, 50);
  try {
    await act();
  } finally {
    clearInterval(timer);
  }
  return Math.max(peak, memoryInUse()) - before;
}

async function upload(bytes: Uint8Array, path = 'memory/file'): Promise<number> {
  const form = new FormData();
  form.set('path', path);
  form.set('upsert', 'true');
  form.set('file', new File([new Uint8Array(bytes)], 'file'));
  return (await post('storage/journal/upload', form)).status;
}

async function extract(bytes: Uint8Array): Promise<number> {
  const form = new FormData();
  form.set('file', new File([new Uint8Array(bytes)], 'file'));
  return (await post('data/journal/extract-from-blob', form)).status;
}

async function post(path: string, body: BodyInit): Promise<Response> {
  const response = await fetch(`${server.url}/api/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${author.token}` },
    body,
  });
  await response.arrayBuffer();
  return response;
}

it.each([
  ['a text of 2 GB', () => buildTextBomb('zTXt', 2_000)],
  ['an international text of 2 GB', () => buildTextBomb('iTXt', 2_000)],
  ['2 GB behind its last point', () => buildPictureBomb(2_000)],
])('an image with %s is taken in less than 300 MB of memory', async (_, build) => {
  const bytes = build();
  const statuses: number[] = [];
  const peak = await peakDuring(async () => statuses.push(await upload(bytes, 'memory/bomb.png')));
  expect(statuses).toEqual([200]);
  expect(peak).toBeLessThan(300 * MB);
});

it('thirty images that are refused leave less than 150 MB of memory in use', async () => {
  const bytes = Buffer.concat([buildEnormousPng(), Buffer.alloc(5 * MB)]);
  const refuse = async (times: number) => {
    for (let time = 0; time < times; time += 1) expect(await upload(bytes, 'memory/a.png')).toBe(400);
  };
  await refuse(10);
  const before = memoryInUse();
  await refuse(20);
  expect(memoryInUse() - before).toBeLessThan(150 * MB);
});

it('a form without an end is refused before 150 MB of it were sent or 300 MB of memory taken', async () => {
  const { port } = new URL(server.url);
  const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
  let sent = 0;
  const peak = await peakDuring(async () => {
    socket.write(
      [
        'POST /api/storage/journal/upload HTTP/1.1',
        'host: localhost',
        `authorization: Bearer ${author.token}`,
        'content-type: multipart/form-data; boundary=b',
        'transfer-encoding: chunked',
        '\r\n',
      ].join('\r\n'),
    );
    socket.write(chunk('--b\r\ncontent-disposition: form-data; name="file"; filename="x"\r\n\r\n'));
    for (; received === '' && sent < 200 * MB && !socket.destroyed; sent += MB) {
      await new Promise((resolve) => socket.write(chunk('x'.repeat(MB)), resolve));
    }
    await expect.poll(() => received).toMatch(/^HTTP\/1\.1 413 /);
  });
  socket.destroy();
  expect(sent).toBeLessThan(150 * MB);
  expect(peak).toBeLessThan(300 * MB);
});

it('a hundred hostile documents leave less than 300 MB of memory in use', async () => {
  const tables = (depth: number) =>
    `${'<w:tbl><w:tr><w:tc>'.repeat(depth)}${wordParagraph('deep')}${'</w:tc></w:tr></w:tbl>'.repeat(depth)}`;
  const entities = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "${'lol'.repeat(100)}">]><x>&a;</x>`;
  const documents = [
    Buffer.from(`PK\u0003\u0004${'x'.repeat(1_000)}`),
    Buffer.from('%PDF-1.7'),
    Buffer.from(`%PDF-1.7\n${'1 0 obj << /Type '.repeat(1_000)}`),
    buildPdf(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Count 1/Kids[2 0 R]>>']),
    buildDocx(tables(100)),
    buildDocx('', { 'word/document.xml': Buffer.from(entities) }),
  ];
  const before = memoryInUse();
  const statuses = new Set<number>();
  for (let round = 0; round < 10; round += 1) {
    const some = Array.from({ length: 10 }, (_, index) => documents[(10 * round + index) % documents.length]);
    for (const status of await Promise.all(some.map((one) => extract(one ?? Buffer.of()))))
      statuses.add(status);
  }
  // The Word tables are read, and all others are refused.
  expect(statuses).toEqual(new Set([200, 400]));
  expect(memoryInUse() - before).toBeLessThan(300 * MB);
});

it('24 responses without an end that are fetched at once take less than 160 MB of memory', async () => {
  const fetchPage = () => post('data/journal/fetch', JSON.stringify({ url: `http://${siteHost()}/` }));
  await fetchPage();
  const statuses: number[] = [];
  const peak = await peakDuring(async () => {
    const responses = await Promise.all(Array.from({ length: 24 }, fetchPage));
    statuses.push(...responses.map(({ status }) => status));
  });
  expect(new Set(statuses)).toEqual(new Set([413]));
  // All of them at once would hold 240 MB.
  expect(peak).toBeLessThan(160 * MB);
});

import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import {
  buildTestStorage,
  buildUpload,
  PUBLIC_URL,
  type TestStorage,
  type TestUpload,
} from '@fabrica/backend/testing/storage/build-test-storage.ts';
import {
  buildEnormousPng,
  buildPdfPage,
  buildPictureBomb,
  buildTextBomb,
  buildZip,
  hideArchive,
  hideInGif,
  PAGE,
} from '@fabrica/backend/testing/storage/hostile-images.ts';
import { buildSvg, DISARMED, REFUSED } from '@fabrica/backend/testing/storage/hostile-svgs.ts';
import { createAdaptorServer } from '@hono/node-server';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

const UPLOAD = '/api/storage/journal/upload';
const MEGABYTE = 1_000_000;

let storage: TestStorage;
let server: ReturnType<typeof createAdaptorServer>;
let port: number;
let before: string[];
const noise = sharp({
  create: {
    width: 200,
    height: 160,
    channels: 3,
    background: '#000',
    noise: { type: 'gaussian', mean: 128, sigma: 60 },
  },
});

beforeAll(async () => {
  storage = await buildTestStorage();
  server = createAdaptorServer({ fetch: storage.app.fetch });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
beforeEach(async () => {
  await storage.prepared();
  // What the test before was refused may be on its way out still.
  before = storage.filesOnDisk().filter((path) => !path.startsWith('.incoming'));
});
afterAll(async () => {
  server.close();
  await storage.close();
});

async function upload(sent: TestUpload) {
  const response = await storage.app.request(UPLOAD, buildUpload(sent));
  return { status: response.status, body: await response.json() };
}

/** The file as everybody reads it. */
async function read({ publicUrl }: { publicUrl: string }) {
  const response = await storage.app.request(publicUrl.slice(PUBLIC_URL.length));
  const { status, headers } = response;
  return { status, headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

async function expectRefused(sent: TestUpload, expected: { code: string; error?: unknown }): Promise<void> {
  expect(await upload(sent)).toEqual({ status: 400, body: { error: expect.any(String), ...expected } });
  await expect.poll(() => storage.filesOnDisk()).toEqual(before);
}

describe('truncated images', () => {
  const formats = ['png', 'jpeg', 'webp', 'gif', 'avif'] as const;
  it.each(formats.flatMap((format) => [0.1, 0.5, 0.9].map((share) => [format, share] as const)))(
    'an image is refused when only a part of it is sent (%s, %d of it)',
    async (format, share) => {
      const whole = await noise.clone().toFormat(format, { effort: 2 }).toBuffer();
      const bytes = whole.subarray(0, Math.floor(whole.byteLength * share));
      await expectRefused({ bytes, path: `cut/${share}.${format}` }, { code: 'FILE_UNREADABLE' });
    },
  );

  it.each(['png', 'jpeg', 'gif'] as const)(
    'an image is refused when only its last 40 bytes are missing (%s)',
    async (format) => {
      const whole = await noise.clone().toFormat(format).toBuffer();
      await expectRefused(
        { bytes: whole.subarray(0, whole.byteLength - 40), path: `end.${format}` },
        { code: 'FILE_UNREADABLE' },
      );
    },
  );
});

describe('files of two types at once', () => {
  it('a GIF is served without the program that was hidden in it', async () => {
    const bytes = hideInGif(await noise.clone().gif().toBuffer(), '*/=1;alert(1)//<script>alert(1)</script>');
    const { status, body } = await upload({ bytes, path: 'two/gif.js' });
    expect({ status, contentType: body.contentType }).toEqual({ status: 200, contentType: 'image/gif' });
    const served = await read(body);
    expect(served.headers.get('content-type')).toBe('image/gif');
    expect(served.headers.get('x-content-type-options')).toBe('nosniff');
    expect(served.bytes.includes('alert')).toBe(false);
  });

  it('a JPEG is served without the archive that was hidden in it', async () => {
    const bytes = hideArchive(await noise.clone().jpeg().toBuffer(), 'run.js', 'alert(1)');
    const { status, body } = await upload({ bytes, path: 'two/archive.zip' });
    expect({ status, contentType: body.contentType }).toEqual({ status: 200, contentType: 'image/jpeg' });
    const served = await read(body);
    expect(served.bytes.includes('alert')).toBe(false);
    expect(served.bytes.includes('PK\u0005\u0006')).toBe(false);
  });

  it('a file that is a PDF and an HTML page is only served as a download', async () => {
    const { status, body } = await upload({ bytes: buildPdfPage(), path: 'two/page.html' });
    expect(status).toBe(200);
    const { headers } = await read(body);
    expect(headers.get('content-type')).toBe('application/pdf');
    expect(headers.get('content-disposition')).toMatch(/^attachment;/);
    expect(headers.get('content-security-policy')).toContain('sandbox');
  });
});

describe('files with an extension of another type', () => {
  it.each([
    ['an archive', 'png', buildZip('a.txt', 'words')],
    ['a page', 'jpg', Buffer.from(PAGE)],
    ['a page', 'svg', Buffer.from(PAGE)],
    ['a program', 'webp', Buffer.from('#!/bin/sh\nexit 1\n')],
    ['zeros', 'gif', Buffer.alloc(1_000)],
    ['nothing', 'avif', Buffer.alloc(0)],
    ['the head of a PNG', 'png', Buffer.from('89504e470d0a1a0a', 'hex')],
    ['the head of a JPEG', 'jpg', Buffer.from('ffd8ffe0', 'hex')],
  ])('a file that is %s named .%s is refused', async (_, extension, bytes) => {
    await expectRefused({ bytes, path: `lies/file.${extension}` }, { code: 'FILE_UNREADABLE' });
  });

  it('a file of 0 bytes is stored when its extension is not that of an image', async () => {
    const { status, body } = await upload({ bytes: '', path: 'lies/empty' });
    expect({ status, size: body.size }).toEqual({ status: 200, size: 0 });
    const { bytes, headers } = await read(body);
    expect(bytes).toHaveLength(0);
    expect(headers.get('content-type')).toBe('application/octet-stream');
  });
});

describe('images that decode to more than memory holds', () => {
  it('an image of 60,000 by 60,000 pixels in a kilobyte is refused before it is decoded', async () => {
    const bytes = buildEnormousPng();
    expect(bytes.byteLength).toBeLessThan(1_100);
    await expectRefused(
      { bytes, path: 'bomb/enormous.png' },
      { code: 'FILE_UNREADABLE', error: 'This image is too large: 100 megapixels at most.' },
    );
  });

  it.each([
    ['a text of 2 GB', () => buildTextBomb('zTXt', 2_000)],
    ['an international text of 2 GB', () => buildTextBomb('iTXt', 2_000)],
    ['2 GB behind its last point', () => buildPictureBomb(2_000)],
  ])('an image with %s is served without it', async (_, build) => {
    const { status, body } = await upload({
      bytes: build(),
      path: 'bomb/text.png',
      fields: { upsert: 'true' },
    });
    expect(status).toBe(200);
    const served = await read(body);
    expect(served.bytes.includes('Comment')).toBe(false);
    expect(await sharp(served.bytes).metadata()).toMatchObject({ width: 8, height: 8 });
    const next = await upload({
      bytes: await noise.clone().png().toBuffer(),
      path: 'bomb/next.png',
      fields: { upsert: 'true' },
    });
    expect(next.status).toBe(200);
  });
});

describe('unusual images', () => {
  const frame = (background: string) =>
    sharp({ create: { width: 40, height: 50, channels: 3, background } })
      .png()
      .toBuffer();

  it.each(['gif', 'webp'] as const)('an animation is served with all its frames (%s)', async (format) => {
    const frames = await Promise.all(['#a33', '#3a3', '#33a'].map(frame));
    const bytes = await sharp(frames, { join: { animated: true } })
      .toFormat(format)
      .toBuffer();
    const { status, body } = await upload({ bytes, path: `kinds/animated.${format}` });
    expect({ status, width: body.width, height: body.height }).toEqual({
      status: 200,
      width: 40,
      height: 50,
    });
    for (const url of [body.publicUrl, `${body.publicUrl}&w=160`]) {
      const served = await read({ publicUrl: url });
      expect(await sharp(served.bytes, { animated: true }).metadata()).toMatchObject({ format, pages: 3 });
    }
  });

  it('an image in CMYK is served in sRGB', async () => {
    const bytes = await noise.clone().toColourspace('cmyk').jpeg().toBuffer();
    expect((await sharp(bytes).metadata()).space).toBe('cmyk');
    const { status, body } = await upload({ bytes, path: 'kinds/print.jpg' });
    expect(status).toBe(200);
    const served = await read(body);
    expect(await sharp(served.bytes).metadata()).toMatchObject({ format: 'jpeg', space: 'srgb' });
  });

  it('an image with 16 bits per channel is stored and has variants', async () => {
    const bytes = await noise.clone().toColourspace('rgb16').png().toBuffer();
    expect((await sharp(bytes).metadata()).depth).toBe('ushort');
    const { status, body } = await upload({ bytes, path: 'kinds/deep.png' });
    expect({ status, width: body.width, height: body.height }).toEqual({
      status: 200,
      width: 200,
      height: 160,
    });
    const small = await read({ publicUrl: `${body.publicUrl}&w=160&format=webp` });
    expect(await sharp(small.bytes).metadata()).toMatchObject({ format: 'webp', width: 160, depth: 'uchar' });
  });
});

describe('uploaded SVGs', () => {
  it.each(DISARMED)('an SVG with $what is served without it', async ({ svg }) => {
    const { status, body } = await upload({
      bytes: svg,
      path: 'drawings/one.svg',
      fields: { upsert: 'true' },
    });
    expect({ status, contentType: body.contentType }).toEqual({ status: 200, contentType: 'image/svg+xml' });
    const { bytes, headers } = await read(body);
    expect(bytes.toString()).not.toMatch(/alert\(|evil\.example/);
    expect(bytes.toString()).toContain('<circle');
    expect(headers.get('content-type')).toBe('image/svg+xml');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    const policy = headers.get('content-security-policy')?.split('; ').sort();
    expect(policy).toEqual(["default-src 'none'", 'sandbox', "style-src 'unsafe-inline'"]);
    expect(storage.filesOnDisk().length - before.length).toBeLessThanOrEqual(1);
  });

  it.each(REFUSED.filter(({ svg }) => svg.isWellFormed()))(
    'an SVG with $what is refused',
    async ({ svg }) => {
      await expectRefused({ bytes: svg, path: 'drawings/bad.svg' }, { code: 'FILE_UNREADABLE' });
    },
  );

  it('an SVG is recognised under any name and in any encoding', async () => {
    const bytes = Buffer.from(
      `\uFEFF${buildSvg('<title>Æsculap</title><script>alert(1)</script>')}`,
      'utf16le',
    );
    const { status, body } = await upload({ bytes, path: 'drawings/wide.png' });
    expect({ status, path: body.path }).toEqual({ status: 200, path: 'drawings/wide.svg' });
    const text = (await read(body)).bytes.toString();
    expect(text).toContain('<title>Æsculap</title>');
    expect(text).not.toContain('alert');
  });
});

describe('names of files', () => {
  const png = noise.clone().png().toBuffer();
  it.each([
    ['names in it a folder above', '../a.png'],
    ['names in it a folder above, later', 'a/../../a.png'],
    ['ends above', 'a/..'],
    ['is absolute', '/a.png'],
    ['is absolute elsewhere', 'C:\\a.png'],
    ['has backslashes', '..\\a.png'],
    ['has a NUL', 'a\u0000.png'],
    ['breaks the line', 'a\r\nx: y.png'],
    ['turns the direction of writing', 'a\u202Egnp.exe'],
    ['isolates a direction of writing', 'a\u2066.png'],
    ['separates lines', 'a\u2028.png'],
    ['has a control character of C1', 'a\u0085.png'],
    ['is empty', ''],
    ['is white space', ' \u3000 '],
    ['has an empty part', 'a//b.png'],
    ['has 600 characters', `${'a'.repeat(596)}.png`],
  ])('a name that %s is refused', async (_, path) => {
    await expectRefused({ bytes: await png, path }, { code: 'INVALID_PATH' });
  });

  it.each([
    ['has an encoded folder above', '%2e%2e/%2e%2e/a.png'],
    ['has encoded slashes', 'a%2fb%5cc.png'],
    ['is composed', 'caf\u00E9.png'],
    ['is decomposed', 'cafe\u0301.png'],
    ['has zero-width characters', 'a\u200Bb\u200Dc\uFEFF.png'],
    ['has 300 characters', `${'ü'.repeat(296)}.png`],
    ['is a device', 'CON.png'],
    ['is a stream', 'a.png::$DATA'],
    ['ends in dots', 'a.png...'],
    ['ends in a blank', 'a.png '],
    ['begins with a dot', '.png'],
    ['is dots', '....'],
    ['is a flag', '--help.png'],
    ['has shell words', '$(id)`id`;id|id&.png'],
    ['has markup', '<img src=x onerror=alert(1)>.png'],
    ['has query and fragment', 'a?b=c#d.png'],
    ['is an emoji of families', '👩‍👩‍👧‍👦.png'],
    ['is a property of every object', '__proto__/constructor.png'],
  ])('a name that %s is stored, and its file is served at its URL', async (_, path) => {
    const { status, body } = await upload({ bytes: await png, path: `names/${path}` });
    expect(status).toBe(200);
    expect(body.path.startsWith(`names/${path}`.slice(0, -4))).toBe(true);
    const { status: found, bytes } = await read(body);
    expect(found).toBe(200);
    expect(bytes.equals(await png)).toBe(true);
  });

  it('a composed and a decomposed name are two files', async () => {
    await upload({ bytes: await png, path: 'twins/\u00E9.png' });
    expect((await upload({ bytes: await png, path: 'twins/e\u0301.png' })).status).toBe(200);
  });

  it('a name with half a character has replacement characters in its place', async () => {
    const half = Buffer.from([0xed, 0xa0, 0xbd]);
    const body = Buffer.concat([
      Buffer.from(`${FILE}words\r\n${PATH}half-`),
      half,
      Buffer.from('.txt\r\n--b--\r\n'),
    ]);
    const response = await storage.app.request(UPLOAD, { method: 'POST', body, headers: MULTIPART });
    expect(response.status).toBe(200);
    const { path, publicUrl } = await response.json();
    expect(path).toBe('half-\uFFFD\uFFFD\uFFFD.txt');
    expect((await read({ publicUrl })).bytes.toString()).toBe('words');
  });
});

const MULTIPART = { 'x-caller': 'user_ana', 'content-type': 'multipart/form-data; boundary=b' };
const FILE = '--b\r\ncontent-disposition: form-data; name="file"; filename="x"\r\n\r\n';
const PATH = '--b\r\ncontent-disposition: form-data; name="path"\r\n\r\n';
const END = '\r\n--b--\r\n';

async function send(body: string, contentType = MULTIPART['content-type']) {
  const headers = { ...MULTIPART, 'content-type': contentType };
  const response = await storage.app.request(UPLOAD, { method: 'POST', body, headers });
  return { status: response.status, body: await response.json() };
}

describe('hostile forms', () => {
  const tenThousand = (part: string) => `${`${part}x\r\n`.repeat(10_000)}--b--\r\n`;
  const nested = [
    '--b\r\ncontent-disposition: form-data; name="file"\r\n',
    'content-type: multipart/mixed; boundary=inner\r\n\r\n',
    '--inner\r\ncontent-disposition: file; filename="a"\r\n\r\nx\r\n--inner--',
    END,
  ].join('');
  it.each([
    ['10,000 fields', 400, tenThousand(PATH)],
    ['10,000 files', 400, tenThousand(FILE)],
    ['10,000 parts without a name', 400, tenThousand('--b\r\n\r\n')],
    ['its file twice', 400, `${FILE}one\r\n${FILE}two\r\n${PATH}a.txt${END}`],
    [
      'its file twice, of which one has no name',
      400,
      `${FILE}one\r\n${FILE.replace('; filename="x"', '')}two${END}`,
    ],
    ['a form inside its file’s field', 400, nested],
    ['no end', 400, `${FILE}one\r\n${PATH}a.txt`],
    ['no parts', 400, '--b--\r\n'],
    ['its end at its beginning', 400, `--b--\r\n${FILE}one${END}`],
    ['a head of a megabyte', 400, `--b\r\nx: ${'y'.repeat(MEGABYTE)}\r\n\r\none${END}`],
    ['10,000 heads', 400, `--b\r\n${'x: y\r\n'.repeat(10_000)}\r\none${END}`],
    ['a path of a megabyte', 400, `${FILE}one\r\n${PATH}${'a'.repeat(MEGABYTE)}${END}`],
    ['another boundary than it says', 400, `${FILE}one${END}`.replaceAll('--b', '--c')],
    ['nothing in it', 400, ''],
  ])('a form is refused for %s', async (_, status, body) => {
    expect(await send(body)).toMatchObject({ status, body: { error: expect.any(String) } });
    await expect.poll(() => storage.filesOnDisk()).toEqual(before);
  });

  it('bytes of a file that look like another boundary are stored as they are', async () => {
    const inner =
      '--inner\r\ncontent-disposition: form-data; name="path"\r\n\r\nelsewhere.txt\r\n--inner--\r\n--';
    const { status, body } = await send(`${FILE}${inner}\r\n${PATH}forms/inner.txt${END}`);
    expect({ status, path: body.path, size: body.size }).toEqual({
      status: 200,
      path: 'forms/inner.txt',
      size: inner.length,
    });
  });

  it('fields after the end of a form are ignored', async () => {
    const behind = `${PATH}forms/behind.txt${END}`;
    const { status, body } = await send(`${FILE}one\r\n${PATH}forms/before.txt${END}${behind}`);
    expect({ status, path: body.path }).toEqual({ status: 200, path: 'forms/before.txt' });
  });

  it.each([
    ['has no boundary', 'multipart/form-data'],
    ['has an empty boundary', 'multipart/form-data; boundary='],
    ['has a boundary of quotes', 'multipart/form-data; boundary=""'],
    ['has a boundary of 10,000 letters', `multipart/form-data; boundary=${'b'.repeat(10_000)}`],
  ])('a form is refused when its content type %s', async (_, contentType) => {
    expect(await send(`${FILE}one${END}`, contentType)).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED' },
    });
    await expect.poll(() => storage.filesOnDisk()).toEqual(before);
  });

  it.each([
    ['is JSON', 'application/json'],
    ['is another kind of parts', 'multipart/mixed; boundary=b'],
  ])('a form is refused when its content type %s', async (_, contentType) => {
    expect(await send(`${FILE}one${END}`, contentType)).toMatchObject({
      status: 415,
      body: { code: 'UNSUPPORTED_MEDIA_TYPE' },
    });
    await expect.poll(() => storage.filesOnDisk()).toEqual(before);
  });
});

/** A request over a real socket, with `headers` as they stand. */
function open(headers: string[]) {
  const socket = connect(port, '127.0.0.1');
  socket.setEncoding('utf8');
  const head = ['POST /api/storage/journal/upload HTTP/1.1', 'host: localhost'];
  const sent = Object.entries(MULTIPART).map(([name, value]) => `${name}: ${value}`);
  socket.write([...head, ...sent, ...headers, '\r\n'].join('\r\n'));
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  socket.on('error', () => {});
  return { socket, received: () => received };
}

describe('connections with hostile forms', () => {
  const form = `${FILE}whole\r\n${PATH}socket/whole.txt${END}`;

  it('a form without end is refused once it is too large, and leaves no file', async () => {
    const { socket, received } = open(['transfer-encoding: chunked']);
    const piece = 'x'.repeat(MEGABYTE);
    const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
    socket.write(chunk(FILE));
    let sent = 0;
    for (; received() === '' && sent < 200 * MEGABYTE && !socket.destroyed; sent += MEGABYTE) {
      await new Promise((resolve) => socket.write(chunk(piece), resolve));
    }
    await expect.poll(() => received()).toMatch(/^HTTP\/1\.1 413 /);
    expect(sent).toBeLessThan(150 * MEGABYTE);
    socket.destroy();
    await expect.poll(() => storage.filesOnDisk()).toEqual(before);
  });

  it('a request with a content-length that is too small is refused, and leaves no partial file', async () => {
    const { socket, received } = open([`content-length: ${form.length - 40}`]);
    socket.end(form);
    await expect.poll(() => received()).toMatch(/^HTTP\/1\.1 400 /);
    await expect.poll(() => storage.filesOnDisk()).toEqual(before);
  });

  it('a request with a content-length that is too large leaves no file', async () => {
    const { socket } = open([`content-length: ${form.length + 1_000}`]);
    socket.end(form);
    await once(socket, 'close');
    await expect.poll(() => storage.filesOnDisk()).toEqual(before);
  });

  it.each([
    ['is no number', ['content-length: many']],
    ['is negative', ['content-length: -5']],
    ['is two numbers', [`content-length: ${form.length}`, 'content-length: 5']],
    ['stands beside chunks', [`content-length: ${form.length}`, 'transfer-encoding: chunked']],
  ])('a request whose content-length %s is refused', async (_, headers) => {
    const { socket, received } = open(headers);
    socket.end(form);
    await expect.poll(() => received()).toMatch(/^HTTP\/1\.1 400 /);
    await expect.poll(() => storage.filesOnDisk()).toEqual(before);
  });

  it('an upload still works after all hostile requests', async () => {
    const { socket, received } = open([`content-length: ${form.length}`]);
    socket.write(form);
    await expect.poll(() => received()).toMatch(/^HTTP\/1\.1 200 /);
    socket.destroy();
  });
});

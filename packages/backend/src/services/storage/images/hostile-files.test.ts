import {
  buildTestStorage,
  buildUpload,
  PUBLIC_URL,
  type TestStorage,
  type TestUpload,
} from '@fabrica/backend/testing/storage/build-test-storage.ts';
import { buildPdfPage } from '@fabrica/backend/testing/storage/hostile-images.ts';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

const UPLOAD = '/api/storage/journal/upload';
const MEGABYTE = 1_000_000;

let storage: TestStorage;
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
});
beforeEach(async () => {
  await storage.prepared();
  // What the test before was refused may be on its way out still.
  before = storage.filesOnDisk().filter((path) => !path.startsWith('.incoming'));
});
afterAll(() => storage.close());

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
  it.each(formats)('an image is refused when only a half of it is sent (%s)', async (format) => {
    const whole = await noise.clone().toFormat(format, { effort: 2 }).toBuffer();
    const bytes = whole.subarray(0, Math.floor(whole.byteLength / 2));
    await expectRefused({ bytes, path: `cut.${format}` }, { code: 'FILE_UNREADABLE' });
  });

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
  it('a file of 0 bytes is stored when its extension is not that of an image', async () => {
    const { status, body } = await upload({ bytes: '', path: 'lies/empty' });
    expect({ status, size: body.size }).toEqual({ status: 200, size: 0 });
    const { bytes, headers } = await read(body);
    expect(bytes).toHaveLength(0);
    expect(headers.get('content-type')).toBe('application/octet-stream');
  });
});

describe('names of files', () => {
  const png = noise.clone().png().toBuffer();
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

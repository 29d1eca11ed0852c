import { crc32 } from 'node:zlib';
import { buildTestMedia, type TestMedia } from '@fabrica/backend/testing/ai/build-test-media.ts';
import { PUBLIC_URL } from '@fabrica/backend/testing/storage/build-test-storage.ts';
import { drawImage, type MediaBehaviour } from '@fabrica/test-peers/openai-stand-in-media.ts';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

/** Bytes of one user's files. */
const QUOTA = 1_000_000;
const PROMPT = 'My secret heart, as an engraving';

let media: TestMedia;
let png: Buffer;

beforeAll(async () => {
  media = await buildTestMedia({ quota: QUOTA });
  png = drawImage('of the caller');
  const formats = ['jpeg', 'webp', 'gif'] as const;
  for (const format of formats) {
    media.site.files.set(`/a.${format}`, await sharp(png).toFormat(format).toBuffer());
  }
  media.site.files.set('/a.png', png);
});
beforeEach(() => {
  media.forget();
  media.site.handler = (_, response) => void response.writeHead(404).end();
});
afterAll(() => media.close());

const ask = (body: object, options?: Parameters<TestMedia['ask']>[2]) =>
  media.ask('image', { prompt: PROMPT, ...body }, options);
const behave = (rule: MediaBehaviour & { times?: number }) => void media.provider.media.rules.push(rule);
const calls = () => media.provider.media.calls;
const bomb = () => {
  const bytes = Buffer.from(png);
  bytes.writeUInt32BE(11_000, 16);
  bytes.writeUInt32BE(10_000, 20);
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29);
  return bytes;
};
const bodyOf = (picture: Uint8Array) =>
  JSON.stringify({ data: [{ b64_json: Buffer.from(picture).toString('base64') }] });

describe('images', () => {
  it('an image is made from a prompt and stored as a file of the caller, whose URL is returned', async () => {
    const { status, body } = await ask({
      n: 2,
      size: '64x64',
      quality: 'low',
      output_format: 'png',
      style: null,
    });
    expect(status).toBe(200);
    expect(body.result.data).toHaveLength(2);
    for (const [index, { url }] of body.result.data.entries()) {
      expect(url).toMatch(new RegExp(`^${PUBLIC_URL}/storage/journal/ai/[0-9a-f-]{36}\\.png\\?v=`));
      expect(await media.read(url)).toMatchObject({
        type: 'image/png',
        bytes: drawImage(`${PROMPT} ${index}`),
      });
    }
    expect(calls()).toMatchObject([
      {
        path: '/v1/images/generations',
        authorization: 'Bearer key-of-the-operator',
        fields: {
          model: 'painter',
          prompt: PROMPT,
          n: 2,
          size: '64x64',
          quality: 'low',
          output_format: 'png',
        },
      },
    ]);
    expect((await media.ledger()).at(-1)).toMatchObject({
      user_id: 'user_ana',
      capability: 'image',
      model: 'painter',
      outcome: 'OK',
    });
    const { input_tokens, output_tokens } = (await media.ledger()).at(-1) ?? {};
    expect([Number(input_tokens), Number(output_tokens)]).toEqual([7, 70]);
  });

  it('an image that the provider returns as a URL of its own is fetched from there', async () => {
    behave({ kind: 'by-url' });
    const { body } = await ask({});
    expect((await media.read(body.result.data[0].url)).bytes).toEqual(drawImage('by url'));
  });

  it('an image that the provider returns as a URL elsewhere is fetched by the guarded fetcher', async () => {
    behave({ kind: 'by-url', url: media.site.at('/a.webp?key=1') });
    const { body } = await ask({});
    expect(body.result.data[0].url).toMatch(/\.webp\?v=/);
    expect(media.site.requested).toEqual(['/a.webp?key=1']);
  });

  it('an image that the provider returns as a private URL fails and is not fetched', async () => {
    behave({ kind: 'by-url', url: `http://127.0.0.1:${media.canaryPort}/a.png` });
    expect(await ask({})).toMatchObject({ status: 502, body: { code: 'AI_FAILED' } });
    behave({ kind: 'by-url', url: `http://rebound.test:${media.canaryPort}/a.png` });
    media.provider.media.rules.shift();
    expect(await ask({})).toMatchObject({ status: 502, body: { code: 'AI_FAILED' } });
    media.provider.media.rules[0] = { kind: 'by-url', url: media.site.at('/away.png') };
    media.site.handler = (_, response) =>
      void response.writeHead(302, { location: `http://127.0.0.1:${media.canaryPort}/` }).end();
    expect(await ask({})).toMatchObject({ status: 502, body: { code: 'AI_FAILED' } });
    expect(media.touched).toEqual([]);
  });

  it('only the service role may choose another model for an image', async () => {
    await ask({ model: 'dear-painter' });
    await ask({ model: 'dear-painter' }, { as: 'service' });
    expect(calls().map(({ fields }) => fields.model)).toEqual(['painter', 'dear-painter']);
  });

  it('a request for an image needs a signed-in caller', async () => {
    expect(await ask({}, { as: '' })).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
  });

  it('without an image model the response names the setting for the operator', async () => {
    const app = media.open({ models: { ...media.models, image: undefined } });
    const { status, body } = await ask({}, { app });
    expect([status, body.code]).toEqual([503, 'AI_NOT_CONFIGURED']);
    expect(body.error).toContain('AI_IMAGE_MODEL');
  });

  it('an image counts against the quota of the caller', async () => {
    const app = media.open({ dailyCalls: 1 });
    expect((await ask({}, { app, as: 'user_eve' })).status).toBe(200);
    expect(await ask({}, { app, as: 'user_eve' })).toMatchObject({
      status: 429,
      body: { code: 'AI_QUOTA_EXCEEDED' },
    });
    expect(calls()).toHaveLength(1);
  });
});

describe('changed images', () => {
  it('a changed image is made of up to 50 images, which the provider receives as they are', async () => {
    const paths = ['/a.png', '/a.jpeg?width=3', '/a.webp', '/a.gif'];
    const { status, body } = await ask({ images: paths.map(media.site.at), n: 1 });
    expect(status).toBe(200);
    expect((await media.read(body.result.data[0].url)).type).toBe('image/png');
    const [call] = calls();
    expect(call).toMatchObject({
      path: '/v1/images/edits',
      fields: { model: 'painter', prompt: PROMPT, n: '1' },
    });
    expect(call?.files.map(({ type }) => type)).toEqual([
      'image/png',
      'image/jpeg',
      'image/webp',
      'image/gif',
    ]);
    expect(call?.files[0]?.bytes.equals(png)).toBe(true);
    expect((await ask({ images: Array(50).fill(media.site.at('/a.png')) })).status).toBe(200);
    expect(calls()[1]?.files).toHaveLength(50);
  });

  it.each<[string, unknown, RegExp]>([
    ['of 51', Array(51).fill('https://pictures.test/a.png'), /^Maximum 50 images allowed$/],
    ['of none', [], /At least one image is required/],
    ['of what is no list', 'https://pictures.test/a.png', /must be a list of addresses/],
    ['of plain HTTP', ['http://pictures.test/a.png'], /must be an HTTPS address/],
    ['of another kind', ['https://pictures.test/a.svg'], /ends in jpg, jpeg, png, gif or webp/],
    ['named so behind the question mark', ['https://pictures.test/a?b=.png'], /ends in jpg/],
    ['of this machine', ['file:///etc/passwd.png'], /must be an HTTPS address/],
    ['of no address', ['a.png'], /must be an HTTPS address/],
    ['of bytes', ['data:image/png;base64,AAAA'], /must be an HTTPS address/],
  ])('a list of source images %s is refused', async (_, images, message) => {
    const { status, body } = await ask({ images });
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(body.error).toMatch(message);
    expect(media.site.requested).toEqual([]);
  });

  it.each([
    '127.0.0.1',
    'localhost',
    '[::1]',
    '169.254.169.254',
    '10.0.0.1',
    '0x7f.1',
    '[::ffff:7f00:1]',
    'x.internal',
  ])('a source image at a private URL is refused: %s', async (host) => {
    const images = [`https://${host}:${media.canaryPort}/a.png`];
    expect(await ask({ images })).toMatchObject({ status: 403, body: { code: 'ADDRESS_REFUSED' } });
    expect(media.touched).toEqual([]);
    expect(calls()).toEqual([]);
  });

  it.each([301, 302, 303, 307, 308])(
    'is refused when its address leads to this machine (%i)',
    async (status) => {
      for (const scheme of ['http', 'https']) {
        const location = `${scheme}://127.0.0.1:${media.canaryPort}/a.png`;
        media.site.handler = (_, response) => void response.writeHead(status, { location }).end();
        expect(await ask({ images: [media.site.at('/away.png')] })).toMatchObject({
          status: 403,
          body: { code: 'ADDRESS_REFUSED' },
        });
      }
      expect(media.touched).toEqual([]);
    },
  );

  it('a source image is refused when its URL redirects away from HTTPS', async () => {
    const location = media.site.at('/a.png').replace('https:', 'http:');
    media.site.handler = (_, response) => void response.writeHead(302, { location }).end();
    expect(await ask({ images: [media.site.at('/away.png')] })).toMatchObject({
      status: 403,
      body: { code: 'ADDRESS_REFUSED', error: expect.stringContaining('away from HTTPS') },
    });
  });

  it.each<[string, () => Uint8Array, number, RegExp]>([
    ['a page', () => Buffer.from('<!doctype html><title>No</title>'), 400, /is no image/],
    ['a drawing', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 400, /is no image/],
    ['half a header', () => png.subarray(0, 20), 400, /damaged/],
    ['a bomb', bomb, 413, /100 megapixels/],
    ['more than 10 MB', () => Buffer.concat([png, Buffer.alloc(11 * 1024 * 1024)]), 413, /10 MB/],
  ])('a changed image is not made of %s', async (_, make, status, message) => {
    media.site.files.set('/odd.png', make());
    const response = await ask({ images: [media.site.at('/a.png'), media.site.at('/odd.png')] });
    expect(response.status).toBe(status);
    expect(response.body.error).toMatch(message);
    expect(calls()).toEqual([]);
  });

  it('source images are refused above 50 MB together, and when one is missing', async () => {
    media.site.files.set('/large.png', Buffer.concat([png, Buffer.alloc(9 * 1024 * 1024)]));
    const images = Array(6).fill(media.site.at('/large.png'));
    expect(await ask({ images })).toMatchObject({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } });
    const { status, body } = await ask({ images: [media.site.at('/gone.png')] });
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(body.error).toContain('404');
    expect(calls()).toEqual([]);
  });
});

describe('requests for images', () => {
  it.each([
    [{ prompt: '' }, /A prompt is required/],
    [{ prompt: 'x'.repeat(32_001) }, /prompt/],
    [{ n: 11 }, /n:/],
    [{ size: '9999x9999' }, /size/],
    [{ quality: 'best' }, /quality/],
  ])('a wrong request for an image is refused: %j', async (body, message) => {
    const response = await ask(body);
    expect([response.status, response.body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(response.body.error).toMatch(message);
    expect(calls()).toEqual([]);
  });

  it('a user has four requests for images at a time, sixteen wait, and the next is refused', async () => {
    behave({ kind: 'stall' });
    const leaving = new AbortController();
    const app = media.open();
    const asked = Array.from({ length: 20 }, () =>
      app.request('/api/ai/journal/image', {
        method: 'POST',
        headers: { 'x-caller': 'user_ben' },
        body: JSON.stringify({ prompt: PROMPT }),
        signal: leaving.signal,
      }),
    );
    await expect.poll(() => calls()).toHaveLength(4);
    expect(await ask({}, { app, as: 'user_ben' })).toMatchObject({
      status: 429,
      body: { code: 'RATE_LIMITED' },
    });
    leaving.abort();
    for (const response of await Promise.all(asked)) expect(response.status).toBe(499);
    expect(calls()).toHaveLength(4);
    media.provider.reset();
    expect((await ask({}, { app, as: 'user_ben' })).status).toBe(200);
  });
});

describe('failing image models', () => {
  const json = (body: unknown): MediaBehaviour => ({
    kind: 'send',
    type: 'application/json',
    body: JSON.stringify(body),
  });
  it.each<[string, () => MediaBehaviour]>([
    ['refuses the key', () => ({ kind: 'fail', status: 401 })],
    ['hangs up', () => ({ kind: 'hang-up' })],
    ['returns a page', () => ({ kind: 'send', type: 'text/html', body: '<h1>Bad Gateway</h1>' })],
    ['returns half of a JSON', () => ({ kind: 'send', type: 'application/json', body: '{"data":[{"b64_' })],
    ['returns no picture', () => json({ data: [] })],
    ['returns something else', () => json({ hello: 'world' })],
    [
      'returns a picture that is none',
      () => json({ data: [{ b64_json: btoa('<script>alert(1)</script>') }] }),
    ],
    ['returns an empty picture', () => json({ data: [{ b64_json: '' }] })],
    [
      'returns a drawing',
      () => json({ data: [{ b64_json: btoa('<svg xmlns="http://www.w3.org/2000/svg"/>') }] }),
    ],
    [
      'returns half of a picture',
      () => ({ ...json(0), body: bodyOf(png.subarray(0, 60)) }) as MediaBehaviour,
    ],
    ['returns a bomb', () => ({ ...json(0), body: bodyOf(bomb()) }) as MediaBehaviour],
    ['returns no end', () => ({ kind: 'endless', type: 'application/json' })],
    ['leads to a file', () => ({ kind: 'by-url', url: 'file:///etc/passwd' })],
  ])('a call fails when the image model %s, and the prompt is in no log', async (_, rule) => {
    behave(rule());
    await media.storage.prepared();
    const before = media.storage.filesOnDisk().length;
    const response = await ask({});
    expect(response).toMatchObject({ status: 502, body: { code: 'AI_FAILED' } });
    expect(media.logged.join('')).toContain('AI_FAILED');
    expect(media.logged.join('') + JSON.stringify(response)).not.toMatch(/secret|engraving|key-of-the/);
    expect(media.storage.filesOnDisk()).toHaveLength(before);
  });

  it('an image model that fails for a moment is called three times in all', async () => {
    behave({ kind: 'fail', status: 429, retryAfter: 0, times: 2 });
    expect((await ask({})).status).toBe(200);
    expect(calls()).toHaveLength(3);
    behave({ kind: 'fail', status: 503, retryAfter: 0 });
    expect((await ask({})).status).toBe(502);
    expect(calls()).toHaveLength(6);
  });

  it('a call for an image ends after four times the timeout to a first byte', async () => {
    behave({ kind: 'stall' });
    expect(await ask({}, { app: media.open({ timeout: 20 }) })).toMatchObject({
      status: 504,
      body: { code: 'AI_TIMEOUT' },
    });
    await expect.poll(() => calls()[0]?.aborted).toBe(true);
    expect((await media.ledger()).at(-1)).toMatchObject({ outcome: 'AI_TIMEOUT' });
  });
});

describe('callers', () => {
  it('a caller who disconnects ends the call to the image model', async () => {
    behave({ kind: 'stall' });
    const leaving = new AbortController();
    const asked = media.open().request('/api/ai/journal/image', {
      method: 'POST',
      headers: { 'x-caller': 'user_ana' },
      body: JSON.stringify({ prompt: PROMPT }),
      signal: leaving.signal,
    });
    await expect.poll(() => calls()).toHaveLength(1);
    leaving.abort();
    expect((await asked).status).toBe(499);
    await expect.poll(() => calls()[0]?.aborted).toBe(true);
    expect(media.logged).toEqual([]);
    expect((await media.ledger()).at(-1)).toMatchObject({ outcome: 'ABORTED' });
  });

  it('a caller without room for files receives QUOTA_EXCEEDED for an image', async () => {
    const { saveFile, project } = media.storage;
    const zoe = {
      kind: 'user',
      id: 'user_zoe',
      email: 'zoe@example.org',
      displayName: null,
      role: 'author',
    } as const;
    await saveFile({ project, caller: zoe, path: 'mine.bin', bytes: Buffer.alloc(QUOTA) });
    expect(await ask({}, { as: 'user_zoe' })).toMatchObject({
      status: 413,
      body: { code: 'QUOTA_EXCEEDED' },
    });
    expect((await media.ledger()).at(-1)).toMatchObject({ outcome: 'QUOTA_EXCEEDED' });
  });
});

import { buildTestMedia, type TestMedia } from '@fabrica/backend/testing/ai/build-test-media.ts';
import { PUBLIC_URL } from '@fabrica/backend/testing/storage/build-test-storage.ts';
import { type MediaBehaviour, makeSound } from '@fabrica/test-peers/openai-stand-in-media.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

const TEXT = 'My secret heart is a pump.';

let media: TestMedia;

beforeAll(async () => {
  media = await buildTestMedia();
});
beforeEach(() => media.forget());
afterAll(() => media.close());

const ask = (body: object, options?: Parameters<TestMedia['ask']>[2]) =>
  media.ask('speech', { text: TEXT, ...body }, options);
const behave = (rule: MediaBehaviour) => void media.provider.media.rules.unshift(rule);
const calls = () => media.provider.media.calls;

it('a user may request speech sixty times a minute, whatever the outcome', async () => {
  const app = media.open({ rateLimit: true });
  for (let count = 0; count < 60; count += 1) expect((await ask({ text: '' }, { app })).status).toBe(400);
  expect(await ask({ text: '' }, { app })).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
  expect(calls()).toEqual([]);
});

describe('speech', () => {
  it.each([
    [undefined, 'mp3', 'audio/mpeg'],
    ['mp3', 'mp3', 'audio/mpeg'],
    ['wav', 'wav', 'audio/wav'],
    ['opus', 'opus', 'audio/ogg'],
    ['flac', 'flac', 'audio/flac'],
    ['aac', 'aac', 'audio/aac'],
  ])(
    'speech is stored as a file of the caller, whose URL is returned (%s)',
    async (response_format, format, mimeType) => {
      const { status, body } = await ask({ response_format });
      expect(status).toBe(200);
      expect(body).toEqual({
        result: { url: expect.any(String), voice: 'alloy', format, mimeType },
      });
      const { url } = body.result;
      expect(url).toMatch(new RegExp(`^${PUBLIC_URL}/storage/journal/ai/[0-9a-f-]{36}\\.${format}\\?v=`));
      expect(await media.read(url)).toEqual({
        type: mimeType,
        disposition: expect.stringMatching(/^inline/),
        bytes: makeSound(format),
      });
    },
  );

  it('speech may be raw samples, which are served as a download', async () => {
    const { body } = await ask({ response_format: 'pcm' });
    expect(body.result).toMatchObject({ format: 'pcm', mimeType: 'audio/pcm' });
    expect(await media.read(body.result.url)).toEqual({
      type: 'application/octet-stream',
      disposition: expect.stringMatching(/^attachment/),
      bytes: makeSound('pcm'),
    });
  });

  it.each([
    ['audio/pcm', 'pcm'],
    ['audio/mpeg', 'mp3'],
  ])('raw samples that begin like MP3 and are sent as %s are returned as %s', async (type, format) => {
    behave({ kind: 'send', type, body: makeSound('mp3') });
    expect((await ask({ response_format: 'pcm' })).body.result.format).toBe(format);
  });

  it('speech has the requested voice and speed', async () => {
    expect((await ask({ voice: 'nova', speed: 1.5, model: 'dear-speaker' })).body.result.voice).toBe('nova');
    await ask({ model: 'dear-speaker' }, { as: 'service' });
    expect(calls()).toMatchObject([
      {
        path: '/v1/audio/speech',
        authorization: 'Bearer key-of-the-operator',
        fields: { model: 'speaker', input: TEXT, voice: 'nova', speed: 1.5, response_format: 'mp3' },
      },
      { fields: { model: 'dear-speaker', voice: 'alloy' } },
    ]);
    expect((await media.ledger()).map(({ capability }) => capability)).toContain('speech');
  });

  it('speech in another format than was requested is returned with its real type', async () => {
    behave({ kind: 'send', type: 'audio/mpeg', body: makeSound('wav') });
    const { body } = await ask({ response_format: 'mp3' });
    expect(body.result).toMatchObject({ format: 'wav', mimeType: 'audio/wav' });
    expect(body.result.url).toMatch(/\.wav\?v=/);
  });

  it('without a speech model the response names the setting for the operator', async () => {
    const app = media.open({ models: { ...media.models, speech: undefined } });
    const { status, body } = await ask({}, { app });
    expect([status, body.code]).toEqual([503, 'AI_NOT_CONFIGURED']);
    expect(body.error).toContain('AI_SPEECH_MODEL');
  });

  it.each([
    [{ text: '' }, /A text is required/],
    [{ text: undefined }, /A text is required/],
    [{ text: 'x'.repeat(4_097) }, /text/],
    [{ speed: 5 }, /speed/],
    [{ speed: 0 }, /speed/],
    [{ voice: '' }, /voice/],
    [{ response_format: 'midi' }, /response_format/],
  ])('a wrong request for speech is refused: %j', async (wrong, message) => {
    const { status, body } = await ask(wrong);
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(body.error).toMatch(message);
    expect(calls()).toEqual([]);
  });

  it.each<[string, string, MediaBehaviour]>([
    ['refuses', 'mp3', { kind: 'fail', status: 400 }],
    ['returns nothing', 'mp3', { kind: 'send', type: 'audio/mpeg', body: '' }],
    ['returns a page', 'mp3', { kind: 'send', type: 'text/html', body: '<script>alert(1)</script>' }],
    ['calls a page sound', 'mp3', { kind: 'send', type: 'audio/mpeg', body: '<script>alert(1)</script>' }],
    ['returns a page for samples', 'pcm', { kind: 'send', type: 'text/html', body: '<h1>Bad Gateway</h1>' }],
    [
      'returns an error for samples',
      'pcm',
      { kind: 'send', type: 'application/json', body: '{"error":"no"}' },
    ],
  ])(
    'a call for speech fails when the model %s, and the text is in no log',
    async (_, response_format, rule) => {
      behave(rule);
      const response = await ask({ response_format });
      expect(response).toMatchObject({ status: 502, body: { code: 'AI_FAILED' } });
      expect(media.logged.join('') + JSON.stringify(response)).not.toMatch(/secret|pump|key-of-the/);
    },
  );
});

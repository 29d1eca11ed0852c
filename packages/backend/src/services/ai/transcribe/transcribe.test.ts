import { buildTestMedia, type TestMedia } from '@fabrica/backend/testing/ai/build-test-media.ts';
import { type MediaBehaviour, makeSound } from '@fabrica/test-peers/openai-stand-in-media.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

const MEBIBYTE = 1024 * 1024;
const WORDS = 'The heart is a pump. It beats.';

let media: TestMedia;
const mp3 = makeSound('mp3');

beforeAll(async () => {
  media = await buildTestMedia();
  media.site.files.set('/talk.mp3', mp3);
  media.site.files.set('/page.mp3', Buffer.from('<!doctype html><title>No</title>'));
  media.site.files.set('/long.mp3', Buffer.concat([mp3, Buffer.alloc(25 * MEBIBYTE)]));
});
beforeEach(() => {
  media.forget();
  media.site.handler = (_, response) => void response.writeHead(404).end();
});
afterAll(() => media.close());

const ask = (body: object | string, options?: Parameters<TestMedia['ask']>[2]) =>
  media.ask('transcribe', body, options);
const behave = (rule: MediaBehaviour) => void media.provider.media.rules.unshift(rule);
const say = (body: unknown) => behave({ kind: 'send', type: 'application/json', body: JSON.stringify(body) });
const calls = () => media.provider.media.calls;
const base64 = (bytes: Buffer) => bytes.toString('base64');

describe('recordings', () => {
  it.each<[string, () => unknown]>([
    ['as a URL', () => media.site.at('/talk.mp3?key=1')],
    ['in base64', () => base64(mp3)],
    ['in base64url', () => mp3.toString('base64url')],
    ['in base64 of many lines', () => base64(mp3).replaceAll(/.{40}/g, '$&\n')],
    ['as a data URL', () => `data:audio/mpeg;base64,${base64(mp3)}`],
    ['as a list of bytes', () => [...mp3]],
  ])('a recording sent %s is transcribed', async (_, audio) => {
    const { status, body } = await ask({ audio: audio() });
    expect([status, body]).toEqual([200, { text: WORDS, transcript: WORDS }]);
    const [call] = calls();
    expect(call).toMatchObject({
      path: '/v1/audio/transcriptions',
      authorization: 'Bearer key-of-the-operator',
      fields: { model: 'writer' },
      files: [{ field: 'file', name: 'audio.mp3', type: 'audio/mpeg' }],
    });
    expect(call?.files[0]?.bytes.equals(mp3)).toBe(true);
  });

  it.each(['wav', 'opus', 'flac', 'aac'])('a recording of the kind %s is transcribed', async (format) => {
    expect((await ask({ audio: base64(makeSound(format)) })).body.transcript).toBe(WORDS);
    expect(calls()[0]?.files[0]?.bytes.equals(makeSound(format))).toBe(true);
  });

  it('a transcript has times, duration and language when they are requested', async () => {
    const { body } = await ask({ audio: base64(mp3), response_format: 'verbose_json', language: 'en' });
    expect(body).toEqual({
      text: WORDS,
      transcript: WORDS,
      segments: [
        { id: 0, start: 0, end: 1.5, text: 'The heart is a pump.' },
        { id: 1, start: 1.5, end: 3.25, text: 'It beats.' },
      ],
      language: 'en',
      duration: 3.25,
    });
    expect(calls()[0]?.fields).toMatchObject({ language: 'en', response_format: 'verbose_json' });
  });

  it('a recording is returned as subtitles when they are requested', async () => {
    const srt = await ask({ audio: base64(mp3), response_format: 'srt' });
    expect(srt.body).toMatchObject({
      text: '1\n00:00:00,000 --> 00:00:01,500\nThe heart is a pump.\n\n2\n00:00:01,500 --> 00:00:03,250\nIt beats.\n',
      transcript: WORDS,
    });
    const vtt = await ask({ audio: base64(mp3), response_format: 'vtt' });
    expect(vtt.body.text).toBe(
      'WEBVTT\n\n00:00:00.000 --> 00:00:01.500\nThe heart is a pump.\n\n00:00:01.500 --> 00:00:03.250\nIt beats.\n',
    );
    say({ text: WORDS });
    expect(await ask({ audio: base64(mp3), response_format: 'srt' })).toMatchObject({
      status: 502,
      body: { code: 'AI_FAILED', error: expect.stringContaining('no times') },
    });
  });

  it('a silent recording has an empty text, which public clients find within the result', async () => {
    say({ text: '' });
    const nothing = { text: '', transcript: '' };
    const { status, body } = await ask({ audio: base64(mp3) });
    expect([status, body]).toEqual([200, { ...nothing, result: nothing }]);
  });

  it('only the service role may choose another model for a transcript', async () => {
    await ask({ audio: base64(mp3), model: 'dear-writer' });
    await ask({ audio: base64(mp3), model: 'dear-writer' }, { as: 'service' });
    expect(calls().map(({ fields }) => fields.model)).toEqual(['writer', 'dear-writer']);
    expect((await media.ledger()).at(-1)).toMatchObject({ capability: 'transcribe', user_id: null });
  });

  it('without a transcription model the response names the setting for the operator', async () => {
    const app = media.open({ models: { ...media.models, transcribe: undefined } });
    const { status, body } = await ask({ audio: base64(mp3) }, { app });
    expect([status, body.code]).toEqual([503, 'AI_NOT_CONFIGURED']);
    expect(body.error).toContain('AI_TRANSCRIBE_MODEL');
  });
});

describe('invalid recordings', () => {
  it.each<[unknown, RegExp]>([
    [undefined, /Audio is required/],
    [{ url: 'https://pictures.test/talk.mp3' }, /Audio is required/],
    ['file:///etc/passwd', /neither an address/],
    ['data:text/plain,hello', /neither an address/],
    ['aGVsbG8gd29ybGQ=', /no recording that can be read/],
    [`data:audio/mpeg;base64,${btoa('<script>')}`, /no recording that can be read/],
    [[1, 2, 256], /whole numbers from 0 to 255/],
    [[1, 2, 3], /no recording that can be read/],
  ])('what is no recording is refused: %j', async (audio, message) => {
    const { status, body } = await ask({ audio });
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(body.error).toMatch(message);
    expect(calls()).toEqual([]);
  });

  it.each([{ language: 'English please' }, { response_format: 'xml' }])(
    'is asked for amiss: %j',
    async (wrong) => {
      expect(await ask({ audio: base64(mp3), ...wrong })).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_FAILED' },
      });
    },
  );

  it('a URL with a page or with nothing is refused as a recording', async () => {
    expect(await ask({ audio: media.site.at('/page.mp3') })).toMatchObject({ status: 400 });
    expect((await ask({ audio: media.site.at('/gone.mp3') })).body.error).toContain('404');
  });

  it.each([
    'http://127.0.0.1:PORT/talk.mp3',
    'https://[::1]:PORT/talk.mp3',
    'HTTP://2130706433:PORT/talk.mp3',
    'http://169.254.169.254/latest/meta-data/',
  ])('a recording at a private URL is not fetched: %s', async (url) => {
    const audio = url.replace('PORT', String(media.canaryPort));
    media.site.handler = (_, response) => void response.writeHead(302, { location: audio }).end();
    for (const named of [audio, media.site.at('/away.mp3')]) {
      expect(await ask({ audio: named })).toMatchObject({ status: 403, body: { code: 'ADDRESS_REFUSED' } });
    }
    expect(media.touched).toEqual([]);
  });

  it('a recording that is too large is refused, however it is sent', async () => {
    const large = Buffer.concat([mp3, Buffer.alloc(26 * MEBIBYTE)]);
    for (const audio of [base64(large), media.site.at('/long.mp3')]) {
      expect(await ask({ audio })).toMatchObject({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } });
    }
    const response = await media.open().request('/api/ai/journal/transcribe', {
      method: 'POST',
      headers: { 'x-caller': 'user_ana', 'content-length': String(41 * MEBIBYTE) },
      body: '{}',
    });
    expect([response.status, (await response.json()).error]).toEqual([
      413,
      'The request’s body is larger than 40960 kB.',
    ]);
    expect(calls()).toEqual([]);
  });
});

describe('failing transcription models', () => {
  it.each<[string, MediaBehaviour]>([
    ['refuses', { kind: 'fail', status: 400 }],
    ['returns a page', { kind: 'send', type: 'text/html', body: '<h1>Bad Gateway</h1>' }],
    ['returns something else', { kind: 'send', type: 'application/json', body: '{"hello":"world"}' }],
    ['returns no words', { kind: 'send', type: 'application/json', body: '{"text":["a"]}' }],
  ])('a transcription model that %s has failed', async (_, rule) => {
    behave(rule);
    expect(await ask({ audio: base64(mp3) })).toMatchObject({ status: 502, body: { code: 'AI_FAILED' } });
    expect(media.logged.join('')).not.toMatch(/key-of-the/);
  });
});

import { ScriptedServer } from '@fabrica/client/testing/scripted-server.ts';
import { scriptedError } from '@fabrica/client/testing/session-script.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createClient } from '../client.ts';
import type { AiMedia } from './ai-media.ts';

const [IMAGE, SPEECH, TRANSCRIBE] = ['image', 'speech', 'transcribe'].map(
  (call) => `POST /api/ai/journal/${call}`,
) as [string, string, string];
const imageResult = { data: [{ url: 'https://journal.example/storage/journal/ai/1.png' }] };
const url = 'https://pictures.example/a.JPG?width=3';

let backend: ScriptedServer;
let ai: AiMedia;

beforeEach(async () => {
  backend = await ScriptedServer.start();
  ai = createClient({ projectId: 'journal', origin: backend.origin }).ai;
});
afterEach(async () => {
  vi.useRealTimers();
  await backend.close();
});

const invalid = (message: string) =>
  expect.objectContaining({ name: 'AiError', code: 'VALIDATION_FAILED', message });

describe('images', () => {
  it('an image request sends its prompt and returns the images', async () => {
    backend.on(IMAGE, { body: { result: imageResult } });
    const { signal } = new AbortController();
    await expect(ai.generateImage({ prompt: 'A heart', n: 1, size: '64x64', signal })).resolves.toEqual(
      imageResult,
    );
    expect(backend.requests[0]?.json).toEqual({ prompt: 'A heart', n: 1, size: '64x64' });
  });

  it('an image request sends fifty images to modify', async () => {
    backend.on(IMAGE, { body: { result: imageResult } });
    const images = Array<string>(50).fill(url);
    await expect(ai.modifyImage({ prompt: 'As an engraving', images })).resolves.toEqual(imageResult);
    expect(backend.requests[0]?.json).toEqual({ prompt: 'As an engraving', images });
  });

  it.each([
    [{ prompt: ' ', images: [url] }, 'A prompt is required.'],
    [{ prompt: 'x', images: [] }, 'At least one image is required.'],
    [{ prompt: 'x', images: Array<string>(51).fill(url) }, 'Maximum 50 images allowed'],
    [
      { prompt: 'x', images: [url, 'http://pictures.example/a.png'] },
      'Image 2 must be an HTTPS address that ends in jpg, jpeg, png, gif or webp.',
    ],
    [
      { prompt: 'x', images: ['https://pictures.example/a?name=.png'] },
      'Image 1 must be an HTTPS address that ends in jpg, jpeg, png, gif or webp.',
    ],
  ])('an invalid request to modify images is rejected before it is sent (%#)', async (options, message) => {
    await expect(ai.modifyImage(options)).rejects.toEqual(invalid(message));
    expect(backend.requests).toEqual([]);
  });

  it('an image request without a prompt is rejected before it is sent', async () => {
    await expect(ai.generateImage({ prompt: '' })).rejects.toEqual(invalid('A prompt is required.'));
    expect(backend.requests).toEqual([]);
  });

  it('an image request times out after 20 minutes, or ends with the reason of its signal', async () => {
    const requested = new Promise<void>((resolve) => {
      backend.on(IMAGE, () => {
        resolve();
        return new Promise(() => {});
      });
    });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const settled = vi.fn();
    const result = ai.generateImage({ prompt: 'A heart' });
    result.catch(settled);
    await requested;
    await vi.advanceTimersByTimeAsync(20 * 60_000 - 1);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await expect(result).rejects.toMatchObject({ name: 'AiError', code: 'AI_TIMEOUT' });
    const reason = new Error('The author left.');
    await expect(ai.generateImage({ prompt: 'x', signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  it.each([
    [
      scriptedError(503, 'AI_NOT_CONFIGURED', 'No model is set up.'),
      { name: 'AiError', code: 'AI_NOT_CONFIGURED' },
    ],
    [scriptedError(403, 'ADDRESS_REFUSED', 'Not public.'), { code: 'ADDRESS_REFUSED' }],
    [{ body: { result: { data: [] } } }, { name: 'AiError', code: 'AI_FAILED' }],
    [{ body: { result: { data: [{ b64_json: 'AAAA' }] } } }, { name: 'AiError', code: 'AI_FAILED' }],
  ])('the response %j makes an image request fail with its error', async (script, expected) => {
    backend.on(IMAGE, script);
    await expect(ai.generateImage({ prompt: 'x' })).rejects.toMatchObject(expected);
  });
});

describe('speech', () => {
  const result = {
    url: 'https://journal.example/1.mp3',
    voice: 'nova',
    format: 'mp3',
    mimeType: 'audio/mpeg',
  };

  it('a speech request sends its text and returns the speech', async () => {
    backend.on(SPEECH, { body: { result } });
    await expect(ai.generateSpeech({ text: 'The heart', voice: 'nova', speed: 1.5 })).resolves.toEqual(
      result,
    );
    expect(backend.requests[0]?.json).toEqual({ text: 'The heart', voice: 'nova', speed: 1.5 });
  });

  it('a speech request without a text is rejected, and a response without speech is an error', async () => {
    await expect(ai.generateSpeech({ text: ' ' })).rejects.toEqual(invalid('A text is required.'));
    expect(backend.requests).toEqual([]);
    backend.on(SPEECH, { body: {} });
    await expect(ai.generateSpeech({ text: 'x' })).rejects.toMatchObject({ code: 'AI_FAILED' });
  });
});

describe('transcribeAudio', () => {
  const transcript = { text: 'The heart', transcript: 'The heart' };
  const bytes = Uint8Array.from({ length: 50_000 }, (_, index) => index % 251);
  const base64 = Buffer.from(bytes).toString('base64');

  it.each([
    ['as a URL', 'https://sounds.example/a.mp3', 'https://sounds.example/a.mp3'],
    ['in base64', base64, base64],
    ['as bytes', bytes, base64],
    ['as a buffer', bytes.buffer, base64],
    ['as numbers', [...bytes], base64],
    ['as a file', new Blob([bytes]), base64],
  ])('a recording that is given %s is transcribed', async (_, audio, sent) => {
    backend.on(TRANSCRIBE, { body: transcript });
    await expect(ai.transcribeAudio({ audio, language: 'en' })).resolves.toEqual(transcript);
    expect(backend.requests[0]?.json).toEqual({ audio: sent, language: 'en' });
  });

  it.each([undefined, '', ' ', new Uint8Array(), [], new Blob([])])(
    'a transcription without audio is rejected before it is sent (%#)',
    async (audio) => {
      await expect(ai.transcribeAudio({ audio: audio as string })).rejects.toEqual(
        invalid('Audio is required.'),
      );
      expect(backend.requests).toEqual([]);
    },
  );

  it('an empty transcript is accepted, and a response without one is an error', async () => {
    backend.on(TRANSCRIBE, { body: { text: '', transcript: '' } });
    await expect(ai.transcribeAudio({ audio: base64 })).resolves.toMatchObject({ text: '' });
    backend.on(TRANSCRIBE, { body: {} });
    await expect(ai.transcribeAudio({ audio: base64 })).rejects.toMatchObject({ code: 'AI_FAILED' });
  });
});

import { ScriptedServer } from '@fabrica/client/testing/scripted-server.ts';
import { refuse } from '@fabrica/client/testing/session-script.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createClient } from '../client.ts';
import type { AiMedia } from './ai-media.ts';

const [IMAGE, SPEECH, TRANSCRIBE] = ['image', 'speech', 'transcribe'].map(
  (call) => `POST /api/ai/journal/${call}`,
) as [string, string, string];
const pictures = { data: [{ url: 'https://journal.example/storage/journal/ai/1.png' }] };
const address = 'https://pictures.example/a.JPG?width=3';

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

const refusal = (message: string) =>
  expect.objectContaining({ name: 'AiError', code: 'VALIDATION_FAILED', message });

describe('pictures', () => {
  it('are made from a prompt', async () => {
    backend.on(IMAGE, { body: { result: pictures } });
    const { signal } = new AbortController();
    await expect(ai.generateImage({ prompt: 'A heart', n: 1, size: '64x64', signal })).resolves.toEqual(
      pictures,
    );
    expect(backend.requests[0]?.json).toEqual({ prompt: 'A heart', n: 1, size: '64x64' });
  });

  it('are made of others', async () => {
    backend.on(IMAGE, { body: { result: pictures } });
    const images = Array<string>(50).fill(address);
    await expect(ai.modifyImage({ prompt: 'As an engraving', images })).resolves.toEqual(pictures);
    expect(backend.requests[0]?.json).toEqual({ prompt: 'As an engraving', images });
  });

  it.each([
    [{ prompt: ' ', images: [address] }, 'A prompt is required.'],
    [{ prompt: 'x', images: [] }, 'At least one image is required.'],
    [{ prompt: 'x', images: Array<string>(51).fill(address) }, 'Maximum 50 images allowed'],
    [
      { prompt: 'x', images: [address, 'http://pictures.example/a.png'] },
      'Image 2 must be an HTTPS address that ends in jpg, jpeg, png, gif or webp.',
    ],
    [
      { prompt: 'x', images: ['https://pictures.example/a?name=.png'] },
      'Image 1 must be an HTTPS address that ends in jpg, jpeg, png, gif or webp.',
    ],
  ])('are not asked for amiss: %#', async (options, message) => {
    await expect(ai.modifyImage(options)).rejects.toEqual(refusal(message));
    expect(backend.requests).toEqual([]);
  });

  it('need a prompt', async () => {
    await expect(ai.generateImage({ prompt: '' })).rejects.toEqual(refusal('A prompt is required.'));
    expect(backend.requests).toEqual([]);
  });

  it('are given up after two minutes, and when the caller says so', async () => {
    const asked = new Promise<void>((resolve) => {
      backend.on(IMAGE, () => {
        resolve();
        return new Promise(() => {});
      });
    });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const settled = vi.fn();
    const making = ai.generateImage({ prompt: 'A heart' });
    making.catch(settled);
    await asked;
    await vi.advanceTimersByTimeAsync(119_999);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await expect(making).rejects.toMatchObject({ name: 'AiError', code: 'AI_TIMEOUT' });
    const reason = new Error('The author left.');
    await expect(ai.generateImage({ prompt: 'x', signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  it.each([
    [refuse(503, 'AI_NOT_CONFIGURED', 'No model is set up.'), { name: 'AiError', code: 'AI_NOT_CONFIGURED' }],
    [refuse(403, 'ADDRESS_REFUSED', 'Not public.'), { code: 'ADDRESS_REFUSED' }],
    [{ body: { result: { data: [] } } }, { name: 'AiError', code: 'AI_FAILED' }],
    [{ body: { result: { data: [{ b64_json: 'AAAA' }] } } }, { name: 'AiError', code: 'AI_FAILED' }],
  ])('fail as %j says', async (script, expected) => {
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

  it('is made from a text', async () => {
    backend.on(SPEECH, { body: { result } });
    await expect(ai.generateSpeech({ text: 'The heart', voice: 'nova', speed: 1.5 })).resolves.toEqual(
      result,
    );
    expect(backend.requests[0]?.json).toEqual({ text: 'The heart', voice: 'nova', speed: 1.5 });
  });

  it('needs a text, and an answer', async () => {
    await expect(ai.generateSpeech({ text: ' ' })).rejects.toEqual(refusal('A text is required.'));
    expect(backend.requests).toEqual([]);
    backend.on(SPEECH, { body: {} });
    await expect(ai.generateSpeech({ text: 'x' })).rejects.toMatchObject({ code: 'AI_FAILED' });
  });
});

describe('a recording', () => {
  const transcript = { text: 'The heart', transcript: 'The heart' };
  const bytes = Uint8Array.from({ length: 50_000 }, (_, index) => index % 251);
  const base64 = Buffer.from(bytes).toString('base64');

  it.each([
    ['by its address', 'https://sounds.example/a.mp3', 'https://sounds.example/a.mp3'],
    ['in base64', base64, base64],
    ['as bytes', bytes, base64],
    ['as a buffer', bytes.buffer, base64],
    ['as numbers', [...bytes], base64],
    ['as a file', new Blob([bytes]), base64],
  ])('is written down (%s)', async (_, audio, sent) => {
    backend.on(TRANSCRIBE, { body: transcript });
    await expect(ai.transcribeAudio({ audio, language: 'en' })).resolves.toEqual(transcript);
    expect(backend.requests[0]?.json).toEqual({ audio: sent, language: 'en' });
  });

  it.each([undefined, '', ' ', new Uint8Array(), [], new Blob([])])('is required: %#', async (audio) => {
    await expect(ai.transcribeAudio({ audio: audio as string })).rejects.toEqual(
      refusal('Audio is required.'),
    );
    expect(backend.requests).toEqual([]);
  });

  it('needs an answer, of which an empty one is one: nobody spoke', async () => {
    backend.on(TRANSCRIBE, { body: { text: '', transcript: '' } });
    await expect(ai.transcribeAudio({ audio: base64 })).resolves.toMatchObject({ text: '' });
    backend.on(TRANSCRIBE, { body: {} });
    await expect(ai.transcribeAudio({ audio: base64 })).rejects.toMatchObject({ code: 'AI_FAILED' });
  });
});

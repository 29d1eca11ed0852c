import { buildTestMedia, type TestMedia } from '@fabrica/backend/testing/ai/build-test-media.ts';
import { drawImage, makeSound, TRANSCRIPT } from '@fabrica/test-peers/openai-stand-in-media.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';

let media: TestMedia;

beforeAll(async () => {
  media = await buildTestMedia();
});
afterAll(() => media.close());

/** OpenAI's own package, which is the one that is installed: it knows its models by their names. */
it('a vendor’s package makes images and speech and transcribes recordings', async () => {
  const app = media.open({
    provider: '@ai-sdk/openai',
    models: { ...media.models, image: 'gpt-image-1', speech: 'tts-1', transcribe: 'whisper-1' },
  });
  media.site.files.set('/a.png', drawImage('of the caller'));
  const made = await media.ask(
    'image',
    { prompt: 'x', n: 2, quality: 'low', output_format: 'webp' },
    { app },
  );
  expect(made.body.result.data).toHaveLength(2);
  const changed = await media.ask('image', { prompt: 'x', images: [media.site.at('/a.png')] }, { app });
  expect(changed.body.result.data).toHaveLength(1);
  const spoken = await media.ask('speech', { text: 'x', speed: 2 }, { app });
  expect(spoken.body.result).toMatchObject({ voice: 'alloy', format: 'mp3' });
  const audio = makeSound('mp3').toString('base64');
  const transcript = await media.ask('transcribe', { audio, language: 'en' }, { app });
  expect(transcript.body).toMatchObject({ duration: 3.25, segments: TRANSCRIPT });
  expect(media.provider.media.calls).toMatchObject([
    { path: '/v1/images/generations', fields: { quality: 'low', output_format: 'webp', n: 2 } },
    { path: '/v1/images/edits', files: [{ type: 'image/png' }] },
    { path: '/v1/audio/speech', fields: { model: 'tts-1', speed: 2 } },
    { path: '/v1/audio/transcriptions', fields: { model: 'whisper-1', language: 'en' } },
  ]);
});

it('a vendor’s package that is not installed is named to the caller', async () => {
  const app = media.open({ provider: '@ai-sdk/nobody' });
  const { status, body } = await media.ask('image', { prompt: 'x' }, { app });
  expect([status, body.code]).toEqual([503, 'AI_NOT_CONFIGURED']);
  expect(body.error).toContain('@ai-sdk/nobody');
});

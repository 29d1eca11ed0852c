import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ImageSite, startImageSite } from '@fabrica/test-peers/image-site.ts';
import { BEHIND_PROXY } from '@fabrica/test-peers/ip-addresses.ts';
import { type OpenAiStandIn, startOpenAiStandIn } from '@fabrica/test-peers/openai-stand-in.ts';
import { drawImage, makeSound } from '@fabrica/test-peers/openai-stand-in-media.ts';
import { type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  connectPublicClient,
  expectNoLimits,
  type PublicClient,
  signUpWith,
  versions,
} from '../connect-public-client.ts';

const TRANSCRIPT = 'The heart is a pump. It beats.';
let provider: OpenAiStandIn;
let site: ImageSite;
let server: RunningServer;
const folder = mkdtempSync(join(tmpdir(), 'fabrica-media-'));

beforeAll(async () => {
  [provider, site] = await Promise.all([startOpenAiStandIn(), startImageSite('localhost')]);
  site.files.set('/heart.png', drawImage('a heart'));
  site.files.set('/talk.mp3', makeSound('mp3'));
  const certificate = join(folder, 'certificate.pem');
  writeFileSync(certificate, site.certificate);
  server = await startServer({
    AI_BASE_URL: provider.url,
    AI_IMAGE_MODEL: 'painter',
    AI_SPEECH_MODEL: 'speaker',
    AI_TRANSCRIBE_MODEL: 'writer',
    DATA_ALLOW_HOSTS: new URL(site.at('/')).host,
    NODE_EXTRA_CA_CERTS: certificate,
    DEMO: 'off',
    ...BEHIND_PROXY,
  });
});
beforeEach(() => provider.reset());
afterAll(async () => {
  await server.close();
  await site.close();
  await provider.close();
  rmSync(folder, { recursive: true });
});

expectNoLimits(() => server);

describe.each(versions)('the public client %s', (version, createClient) => {
  let ai: PublicClient['ai'];

  beforeAll(async () => {
    const client = connectPublicClient(createClient, { origin: server.url });
    await signUpWith(client, `media-${version}@example.org`);
    ai = client.ai;
  });

  async function read(url: string | undefined) {
    expect(url).toMatch(/^http:\/\/localhost:\d+\/storage\/journal\/ai\//);
    const response = await fetch(url ?? '');
    const bytes = Buffer.from(await response.arrayBuffer());
    return { type: response.headers.get('content-type'), bytes };
  }

  it('the public client generates images', async () => {
    const { data } = await ai.generateImage({ prompt: 'A heart', n: 2, size: '1024x1024' });
    expect(data).toHaveLength(2);
    expect(await read(data[0]?.url)).toEqual({ type: 'image/png', bytes: drawImage('A heart 0') });
  });

  it('the public client modifies images', async () => {
    const images = [site.at('/heart.png'), site.at('/heart.png?again')];
    const { data } = await ai.modifyImage({ prompt: 'As an engraving', images });
    expect(await read(data[0]?.url)).toMatchObject({ type: 'image/png' });
    const [call] = provider.media.calls;
    expect(call?.files.map(({ bytes }) => bytes.equals(drawImage('a heart')))).toEqual([true, true]);
  });

  it('the public client is told why an image cannot be modified', async () => {
    await expect(ai.modifyImage({ prompt: 'x', images: ['https://10.0.0.1/a.png'] })).rejects.toThrow(
      'not one of the public internet',
    );
    const images = Array<string>(51).fill(site.at('/heart.png'));
    await expect(ai.modifyImage({ prompt: 'x', images })).rejects.toThrow('Maximum 50 images allowed');
  });

  it('the public client generates speech', async () => {
    const spoken = await ai.generateSpeech({
      text: 'The heart',
      voice: 'nova',
      response_format: 'wav',
      speed: 1.2,
    });
    expect(spoken).toMatchObject({ voice: 'nova', format: 'wav', mimeType: 'audio/wav' });
    expect(await read(spoken.url)).toEqual({ type: 'audio/wav', bytes: makeSound('wav') });
    expect(await ai.generateSpeech({ text: 'The heart' })).toMatchObject({ voice: 'alloy', format: 'mp3' });
  });

  it('the public client transcribes audio from a URL, Base64 and bytes', async () => {
    const sound = makeSound('mp3');
    const audios = [site.at('/talk.mp3'), sound.toString('base64'), [...sound], new Uint8Array(sound)];
    for (const audio of audios) {
      expect(await ai.transcribeAudio({ audio })).toMatchObject({ text: TRANSCRIPT, transcript: TRANSCRIPT });
    }
    const timed = await ai.transcribeAudio({ audio: site.at('/talk.mp3'), response_format: 'verbose_json' });
    expect(timed).toMatchObject({ text: TRANSCRIPT, duration: 3.25, language: 'en' });
    expect(timed.segments?.map(({ start, end }) => [start, end])).toEqual([
      [0, 1.5],
      [1.5, 3.25],
    ]);
  });

  it('the public client accepts an empty transcript', async () => {
    provider.media.rules.push({ kind: 'send', type: 'application/json', body: '{"text":""}' });
    expect(await ai.transcribeAudio({ audio: [...makeSound('mp3')] })).toMatchObject({ text: '' });
  });
});

import {
  AI_MEDIA_TIMEOUT_MS,
  type ImageRequestBody,
  type ImageResponse,
  type ImageResult,
  isAiImageUrl,
  MAX_AI_IMAGES,
  type SpeechRequestBody,
  type SpeechResponse,
  type SpeechResult,
  type TranscribeRequestBody,
  type Transcript,
} from '@fabrica/contract';
import { AiError } from '../http/errors.ts';
import type { HttpClient } from '../http/http.ts';
import { withTimeout } from '../http/timeout.ts';

interface Leaving {
  signal?: AbortSignal | undefined;
}

export type ImageOptions = Omit<ImageRequestBody, 'images'> & Leaving;
export type ModifyImageOptions = ImageRequestBody & { images: string[] } & Leaving;
export type SpeechOptions = SpeechRequestBody & Leaving;

export interface TranscribeOptions extends Omit<TranscribeRequestBody, 'audio'>, Leaving {
  /** An http(s) address, base64, or the recording itself. */
  audio: string | readonly number[] | ArrayBuffer | Uint8Array | Blob;
}

/**
 * Each throws an AiError: VALIDATION_FAILED for what docs/spec/product.md section 5 does not allow, which is then not sent; AI_TIMEOUT after two
 * minutes; AI_NOT_CONFIGURED, AI_FAILED, AI_QUOTA_EXCEEDED; or the reason of the caller's signal.
 */
export interface AiMedia {
  /** The pictures are kept in storage as the caller's own. */
  generateImage(options: ImageOptions): Promise<ImageResult>;
  /** Pictures made of 1 to 50 others. */
  modifyImage(options: ModifyImageOptions): Promise<ImageResult>;
  generateSpeech(options: SpeechOptions): Promise<SpeechResult>;
  transcribeAudio(options: TranscribeOptions): Promise<Transcript>;
}

export function createAiMedia({ http, projectId }: { http: HttpClient; projectId: string }): AiMedia {
  const base = `/api/ai/${encodeURIComponent(projectId)}`;

  async function ask(call: string, { signal: given, ...json }: Leaving & Record<string, unknown>) {
    const { body, status } = await withTimeout(
      (signal) => http.request({ service: 'ai', method: 'POST', path: `${base}/${call}`, json, signal }),
      {
        ms: AI_MEDIA_TIMEOUT_MS,
        signal: given,
        error: () => new AiError('AI_TIMEOUT', 'The model took too long.'),
      },
    );
    return { body, status };
  }

  async function makeImages(options: ImageOptions | ModifyImageOptions): Promise<ImageResult> {
    const { body, status } = await ask('image', { ...options });
    const { data } = (body as ImageResponse | null)?.result ?? {};
    if (data?.length && data.every(({ url }) => typeof url === 'string')) return { data };
    throw new AiError('AI_FAILED', 'No picture came back.', { status });
  }

  return {
    async generateImage(options) {
      requireText(options.prompt, 'A prompt is required.');
      return makeImages(options);
    },
    async modifyImage(options) {
      requireText(options.prompt, 'A prompt is required.');
      requireImages(options.images);
      return makeImages(options);
    },
    async generateSpeech(options) {
      requireText(options.text, 'A text is required.');
      const { body, status } = await ask('speech', { ...options });
      const { result } = (body ?? {}) as Partial<SpeechResponse>;
      if (typeof result?.url === 'string') return result;
      throw new AiError('AI_FAILED', 'No speech came back.', { status });
    },
    async transcribeAudio({ audio, ...options }) {
      const sent = await presentAudio(audio);
      if (!sent) throw invalid('Audio is required.');
      const { body, status } = await ask('transcribe', { ...options, audio: sent });
      const transcript = body as Transcript | null;
      if (typeof transcript?.text !== 'string')
        throw new AiError('AI_FAILED', 'No text came back.', { status });
      return transcript;
    },
  };
}

function requireText(text: unknown, message: string): void {
  if (typeof text !== 'string' || !text.trim()) throw invalid(message);
}

function requireImages(images: unknown): void {
  if (!Array.isArray(images) || images.length === 0) throw invalid('At least one image is required.');
  if (images.length > MAX_AI_IMAGES) throw invalid(`Maximum ${MAX_AI_IMAGES} images allowed`);
  for (const [index, address] of images.entries()) {
    if (isAiImageUrl(String(address))) continue;
    throw invalid(`Image ${index + 1} must be an HTTPS address that ends in jpg, jpeg, png, gif or webp.`);
  }
}

/** Bytes go as base64, which is a third of what they take as a list of numbers. */
async function presentAudio(audio: TranscribeOptions['audio'] | undefined): Promise<string> {
  if (audio === undefined || audio === null) return '';
  if (typeof audio === 'string') return audio.trim();
  const bytes = audio instanceof Blob ? await audio.arrayBuffer() : audio;
  return toBase64(new Uint8Array(bytes));
}

function toBase64(bytes: Uint8Array): string {
  const pieces: string[] = [];
  // A multiple of three, so that the pieces join; and few enough to be the arguments of a call.
  for (let from = 0; from < bytes.length; from += 24_576) {
    pieces.push(btoa(String.fromCharCode(...bytes.subarray(from, from + 24_576))));
  }
  return pieces.join('');
}

function invalid(message: string): AiError {
  return new AiError('VALIDATION_FAILED', message);
}

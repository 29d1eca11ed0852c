import {
  type ImageRequest,
  type ImageResponse,
  type ImageResult,
  MAX_AI_CALL_MS,
  type SpeechRequest,
  type SpeechResponse,
  type SpeechResult,
  type TranscribeRequest,
  type Transcript,
} from '@fabrica/contract';
import { AiError } from '../http/errors.ts';
import type { HttpClient } from '../http/http.ts';
import { withTimeout } from '../http/timeout.ts';
import { requireImages, requirePrompt, requireText } from './validate-input.ts';

interface Abortable {
  signal?: AbortSignal | undefined;
}

export type ImageOptions = Omit<ImageRequest, 'images'> & Abortable;
export type ModifyImageOptions = ImageRequest & { images: string[] } & Abortable;
export type SpeechOptions = SpeechRequest & Abortable;

export interface TranscribeOptions extends Omit<TranscribeRequest, 'audio'>, Abortable {
  /** An http(s) URL, base64, or the bytes of the recording. */
  audio: string | readonly number[] | ArrayBuffer | Uint8Array | Blob;
}

/**
 * Generates images and speech, and transcribes recordings. Every call throws an AiError: VALIDATION_FAILED, before
 * anything is sent, for input that docs/spec/product.md section 5 does not allow; AI_TIMEOUT after two minutes;
 * AI_NOT_CONFIGURED, AI_FAILED, AI_QUOTA_EXCEEDED; or the reason of the caller's signal.
 */
export interface AiMedia {
  /** Generates images, which are stored as the caller's own files. */
  generateImage(options: ImageOptions): Promise<ImageResult>;
  /** Generates images from 1 to 50 others. */
  modifyImage(options: ModifyImageOptions): Promise<ImageResult>;
  generateSpeech(options: SpeechOptions): Promise<SpeechResult>;
  transcribeAudio(options: TranscribeOptions): Promise<Transcript>;
}

export function createAiMedia({ http, projectId }: { http: HttpClient; projectId: string }): AiMedia {
  const base = `/api/ai/${encodeURIComponent(projectId)}`;

  function post(name: string, { signal: callerSignal, ...json }: Abortable & Record<string, unknown>) {
    return withTimeout(
      (signal) => http.request({ service: 'ai', method: 'POST', path: `${base}/${name}`, json, signal }),
      {
        ms: MAX_AI_CALL_MS,
        signal: callerSignal,
        error: () => new AiError('AI_TIMEOUT', 'The model took too long.'),
      },
    );
  }

  async function postImages(options: ImageOptions | ModifyImageOptions): Promise<ImageResult> {
    const { body, status } = await post('image', { ...options });
    const { data } = (body as ImageResponse | null)?.result ?? {};
    if (data?.length && data.every(({ url }) => typeof url === 'string')) return { data };
    throw new AiError('AI_FAILED', 'No picture came back.', { status });
  }

  return {
    async generateImage(options) {
      requirePrompt(options);
      return postImages(options);
    },
    async modifyImage(options) {
      requirePrompt(options);
      requireImages(options.images);
      return postImages(options);
    },
    async generateSpeech(options) {
      requireText(options.text, 'A text is required.');
      const { body, status } = await post('speech', { ...options });
      const { result } = (body ?? {}) as Partial<SpeechResponse>;
      if (typeof result?.url === 'string') return result;
      throw new AiError('AI_FAILED', 'No speech came back.', { status });
    },
    async transcribeAudio({ audio, ...options }) {
      const encoded = await encodeAudio(audio);
      requireText(encoded, 'Audio is required.');
      const { body, status } = await post('transcribe', { ...options, audio: encoded });
      const transcript = body as Transcript | null;
      if (typeof transcript?.text !== 'string')
        throw new AiError('AI_FAILED', 'No text came back.', { status });
      return transcript;
    },
  };
}

/** Encodes bytes as base64, which takes a third of the size of a list of numbers. */
async function encodeAudio(audio: TranscribeOptions['audio'] | undefined): Promise<string> {
  if (audio === undefined || audio === null) return '';
  if (typeof audio === 'string') return audio.trim();
  const bytes = audio instanceof Blob ? await audio.arrayBuffer() : audio;
  return toBase64(new Uint8Array(bytes));
}

function toBase64(bytes: Uint8Array): string {
  const pieces: string[] = [];
  // A multiple of three, so that the pieces can be joined, and few enough for the arguments of one call.
  for (let from = 0; from < bytes.length; from += 24_576) {
    pieces.push(btoa(String.fromCharCode(...bytes.subarray(from, from + 24_576))));
  }
  return pieces.join('');
}

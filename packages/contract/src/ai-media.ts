import { AI_TIMEOUT_MS } from './ai.ts';

/**
 * Milliseconds a call for pictures, speech or a transcription may take: a model shows the first byte of these when it is
 * done with all of it, so they have four times as long as a text has to its first byte.
 */
export const AI_MEDIA_TIMEOUT_MS = 4 * AI_TIMEOUT_MS;
/** Bytes of a recording that is to be written down, at most: 25 MB. */
export const MAX_AI_AUDIO_BYTES = 25 * 1024 * 1024;

export const SPEECH_FORMATS = ['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'] as const;
export type SpeechFormat = (typeof SPEECH_FORMATS)[number];

export const TRANSCRIPT_FORMATS = ['json', 'text', 'srt', 'verbose_json', 'vtt'] as const;
export type TranscriptFormat = (typeof TRANSCRIPT_FORMATS)[number];

/** May this be given to AI as a picture's address? HTTPS, and named as JPEG, PNG, GIF or WebP (docs/spec/product.md section 5). */
export function isAiImageUrl(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, pathname } = new URL(address);
  return protocol === 'https:' && /\.(jpe?g|png|gif|webp)$/i.test(pathname);
}

export interface ImageRequestBody {
  prompt: string;
  /** How many; 1, if left out. */
  n?: number;
  /** `1024x1024`, or `auto`. */
  size?: string;
  /** Addresses of the pictures that are to be changed. */
  images?: string[];
  /** For the service role. */
  model?: string;
}

export interface ImageResult {
  /** In our storage. */
  data: { url: string }[];
}

export interface ImageResponse {
  result: ImageResult;
}

export interface SpeechRequestBody {
  text: string;
  voice?: string;
  response_format?: SpeechFormat;
  /** 0.25 to 4. */
  speed?: number;
  /** For the service role. */
  model?: string;
}

export interface SpeechResult {
  /** In our storage. */
  url: string;
  voice: string;
  /** What it turned out to be: not every model speaks every format. */
  format: string;
  mimeType: string;
}

export interface SpeechResponse {
  result: SpeechResult;
}

export interface TranscribeRequestBody {
  /** An http(s) address, base64 (or a `data:` address of it), or the bytes one by one. */
  audio: string | number[];
  /** `en`, `pt-BR`, …, where it is known. */
  language?: string;
  response_format?: TranscriptFormat;
  /** For the service role. */
  model?: string;
}

export interface TranscriptSegment {
  id: number;
  /** Seconds. */
  start: number;
  end: number;
  text: string;
}

export interface Transcript {
  /** What is said; as subtitles, where `srt` or `vtt` was asked for. */
  text: string;
  /** What is said, in any case. */
  transcript: string;
  /** Where the model tells them. */
  segments?: TranscriptSegment[];
  /** Where the model tells it, or the caller has. */
  language?: string;
  /** Seconds. */
  duration?: number;
}

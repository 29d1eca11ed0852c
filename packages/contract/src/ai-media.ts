/** The most bytes of a recording that is transcribed: 25 MB. */
export const MAX_AI_AUDIO_BYTES = 25 * 1024 * 1024;

export const SPEECH_FORMATS = ['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'] as const;
export type SpeechFormat = (typeof SPEECH_FORMATS)[number];

export const TRANSCRIPT_FORMATS = ['json', 'text', 'srt', 'verbose_json', 'vtt'] as const;
export type TranscriptFormat = (typeof TRANSCRIPT_FORMATS)[number];

/**
 * Returns whether AI calls accept this as the URL of an image: HTTPS, with the ending of a JPEG, PNG, GIF or WebP
 * (docs/spec/product.md section 5).
 */
export function isAiImageUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, pathname } = new URL(url);
  return protocol === 'https:' && /\.(jpe?g|png|gif|webp)$/i.test(pathname);
}

export interface ImageRequestBody {
  prompt: string;
  /** Number of images. Default: 1. */
  n?: number;
  /** `1024x1024`, or `auto`. */
  size?: string;
  /** URLs of the images to modify. */
  images?: string[];
  /** Only the service role may set it. */
  model?: string;
}

export interface ImageResult {
  /** The URLs lead to this backend's storage. */
  data: { url: string }[];
}

export interface ImageResponse {
  result: ImageResult;
}

export interface SpeechRequestBody {
  text: string;
  voice?: string;
  response_format?: SpeechFormat;
  /** From 0.25 to 4. */
  speed?: number;
  /** Only the service role may set it. */
  model?: string;
}

export interface SpeechResult {
  /** Leads to this backend's storage. */
  url: string;
  voice: string;
  /** The format that came back: not every model supports every format. */
  format: string;
  mimeType: string;
}

export interface SpeechResponse {
  result: SpeechResult;
}

export interface TranscribeRequestBody {
  /** An http(s) URL, base64, a `data:` URL, or a list of bytes. */
  audio: string | number[];
  /** A language tag such as `en` or `pt-BR`, if it is known. */
  language?: string;
  response_format?: TranscriptFormat;
  /** Only the service role may set it. */
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
  /** The spoken text, or subtitles when the format is `srt` or `vtt`. */
  text: string;
  /** The spoken text in every format. */
  transcript: string;
  /** Present if the model reports them. */
  segments?: TranscriptSegment[];
  /** Present if the model or the caller names it. */
  language?: string;
  /** Seconds. */
  duration?: number;
}

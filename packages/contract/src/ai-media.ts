/** The most bytes of a recording that is transcribed: 25 MB. */
export const MAX_AI_AUDIO_BYTES = 25 * 1024 * 1024;

export const SPEECH_FORMATS = ['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'] as const;
export type SpeechFormat = (typeof SPEECH_FORMATS)[number];

export const TRANSCRIPT_FORMATS = ['json', 'text', 'srt', 'verbose_json', 'vtt'] as const;

/**
 * Returns whether AI calls accept this as the URL of an image: HTTPS, with the ending of a JPEG, PNG, GIF or WebP
 * (docs/spec/product.md section 5).
 */
export function isAiImageUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, pathname } = new URL(url);
  return protocol === 'https:' && /\.(jpe?g|png|gif|webp)$/i.test(pathname);
}

export interface ImageResult {
  /** The URLs lead to this backend's storage. */
  data: { url: string }[];
}

export interface ImageResponse {
  result: ImageResult;
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

import { MAX_AI_AUDIO_BYTES } from '@fabrica/contract';
import { AppError } from '../../../core/errors.ts';
import type { GuardedFetcher } from '../../../fetcher/index.ts';
import { sniffBytes } from '../../storage/index.ts';

/** Milliseconds to download a recording, which may be larger than a page. */
const DOWNLOAD_MS = 30_000;

export interface Recording {
  mediaType: string;
  bytes: Uint8Array;
}

interface FetchOptions {
  fetcher: GuardedFetcher;
  signal: AbortSignal;
  /** The account whose look-ups the recording's host is counted among. */
  account: string | undefined;
}

/**
 * Returns the recording that a caller names by URL or sends. Throws VALIDATION_FAILED for anything else,
 * PAYLOAD_TOO_LARGE above 25 MB, and what the fetcher throws.
 */
export async function receiveAudio(
  audio: string | readonly unknown[],
  options: FetchOptions,
): Promise<Recording> {
  const bytes = typeof audio !== 'string' ? fromList(audio) : await fetchOrDecode(audio.trim(), options);
  if (bytes.byteLength > MAX_AI_AUDIO_BYTES) throw tooLarge();
  const { kind, contentType } = await sniffBytes(bytes);
  if (kind === 'media') return { bytes, mediaType: contentType };
  throw invalid('This is no recording that can be read: MP3, WAV, Ogg, FLAC, AAC, MP4 and WebM can.');
}

async function fetchOrDecode(audio: string, { fetcher, signal, account }: FetchOptions): Promise<Uint8Array> {
  if (!/^https?:/i.test(audio)) return fromBase64(audio);
  const response = await fetcher.fetch(audio, {
    signal,
    account,
    maxBytes: MAX_AI_AUDIO_BYTES,
    timeout: DOWNLOAD_MS,
  });
  if (response.status >= 200 && response.status <= 299) return response.body;
  throw invalid(`There is no recording at this address: it answers ${response.status}.`);
}

/** Decodes base64, bare or in a data URL. */
function fromBase64(audio: string): Uint8Array {
  const data = audio.slice(0, 200).match(/^data:[^,]*;base64,/i);
  const text = data ? audio.slice(data[0].length) : audio;
  if (text.length * 0.75 > MAX_AI_AUDIO_BYTES + 1_024) throw tooLarge();
  if (/[^A-Za-z0-9+/_=\s-]/.test(text)) {
    throw invalid('The audio is neither an address that begins with http:// or https:// nor base64.');
  }
  return Buffer.from(text, 'base64');
}

function fromList(audio: readonly unknown[]): Uint8Array {
  if (audio.length > MAX_AI_AUDIO_BYTES) throw tooLarge();
  const bytes = new Uint8Array(audio.length);
  for (let index = 0; index < audio.length; index += 1) {
    const value = audio[index];
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > 255) {
      throw invalid('A list of bytes has whole numbers from 0 to 255 only.');
    }
    bytes[index] = value;
  }
  return bytes;
}

function invalid(message: string): AppError {
  return new AppError('VALIDATION_FAILED', message);
}

function tooLarge(): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', 'The recording is larger than 25 MB.');
}

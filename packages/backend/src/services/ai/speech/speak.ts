import type { SpeechModelV4 } from '@ai-sdk/provider';
import type { SpeechFormat } from '@fabrica/contract';
import type { speechRequest } from '@fabrica/contract/schemas';
import type { z } from 'zod';
import { AppError } from '../../../core/errors.ts';
import { type MediaType, sniffBytes } from '../../storage/index.ts';
import type { MediaRun } from '../media/run-media-call.ts';

interface SpeechResult {
  bytes: Uint8Array;
  voice: string;
  format: string;
  mimeType: string;
}

/** The voice that OpenAI’s models and those modelled on them have. */
const DEFAULT_VOICE = 'alloy';

/** Speaks the text. Throws AI_FAILED. */
export async function speak(
  task: z.infer<typeof speechRequest>,
  { model, attempt, signal }: MediaRun<SpeechModelV4>,
): Promise<SpeechResult> {
  const requested = task.response_format ?? 'mp3';
  const voice = task.voice ?? (model.provider.startsWith('openai') ? DEFAULT_VOICE : undefined);
  const { audio, response } = await attempt(() =>
    model.doGenerate({
      text: task.text,
      outputFormat: requested,
      abortSignal: signal,
      ...(voice && { voice }),
      ...(typeof task.speed === 'number' && { speed: task.speed }),
    }),
  );
  const bytes = typeof audio === 'string' ? Buffer.from(audio, 'base64') : audio;
  const type = await sniffBytes(bytes);
  const format = formatOf(type, requested, response.headers?.['content-type']);
  if (bytes.byteLength === 0 || !format) {
    throw new AppError('AI_FAILED', 'The model answered with no sound. Please try again.');
  }
  return {
    bytes,
    voice: voice ?? 'default',
    format,
    mimeType: format === 'pcm' ? 'audio/pcm' : type.contentType,
  };
}

/** Types that are recognised by two bytes alone, with which raw samples may begin as well. */
const WEAK_SIGNATURES: readonly string[] = ['audio/mpeg', 'audio/aac'];

/** Returns the format of the bytes. Not every model supports every format, and none reports that. */
function formatOf(type: MediaType, requested: SpeechFormat, contentType = ''): string | undefined {
  // Raw samples (PCM) have no signature, or resemble one by chance, so the content type of the response decides.
  const mayBePcm = type.kind === 'unknown' || WEAK_SIGNATURES.includes(type.contentType);
  if (
    requested === 'pcm' &&
    mayBePcm &&
    !/^(text\/|application\/json|audio\/(mpeg|mp3|aac))/i.test(contentType)
  ) {
    return 'pcm';
  }
  if (type.kind !== 'media') return undefined;
  return type.extensions.includes(requested) ? requested : type.extensions[0];
}

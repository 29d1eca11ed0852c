import type { SpeechModelV4 } from '@ai-sdk/provider';
import type { SpeechFormat } from '@fabrica/contract';
import type { speechRequest } from '@fabrica/contract/schemas';
import type { z } from 'zod';
import { AppError } from '../../../core/errors.ts';
import { type MediaType, sniffBytes } from '../../storage/index.ts';
import type { MediaRun } from '../media/run-media-call.ts';

export interface Spoken {
  bytes: Uint8Array;
  voice: string;
  format: string;
  mimeType: string;
}

/** The voice that OpenAI's own models and those made after them all have. */
const USUAL_VOICE = 'alloy';

/** Has the text spoken. Throws AI_FAILED. */
export async function speak(
  task: z.infer<typeof speechRequest>,
  { model, ask, signal }: MediaRun<SpeechModelV4>,
): Promise<Spoken> {
  const asked = task.response_format ?? 'mp3';
  const voice = task.voice ?? (model.provider.startsWith('openai') ? USUAL_VOICE : undefined);
  const { audio, response } = await ask(() =>
    model.doGenerate({
      text: task.text,
      outputFormat: asked,
      abortSignal: signal,
      ...(voice && { voice }),
      ...(typeof task.speed === 'number' && { speed: task.speed }),
    }),
  );
  const bytes = typeof audio === 'string' ? Buffer.from(audio, 'base64') : audio;
  const type = await sniffBytes(bytes);
  const format = formatOf(type, asked, response.headers?.['content-type']);
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

/** Known by their first two bytes alone, as which any samples may begin. */
const EASILY_TAKEN_FOR: readonly string[] = ['audio/mpeg', 'audio/aac'];

/** What the bytes are; not every model speaks every format, but says nothing of it. */
function formatOf(type: MediaType, asked: SpeechFormat, sentAs = ''): string | undefined {
  // Bare samples look like nothing at all, or by chance like something: they are told by what they are sent as.
  const mayBeBare = type.kind === 'unknown' || EASILY_TAKEN_FOR.includes(type.contentType);
  if (asked === 'pcm' && mayBeBare && !/^(text\/|application\/json|audio\/(mpeg|mp3|aac))/i.test(sentAs)) {
    return 'pcm';
  }
  if (type.kind !== 'media') return undefined;
  return type.extensions.includes(asked) ? asked : type.extensions[0];
}

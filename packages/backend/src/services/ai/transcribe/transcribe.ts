import type { SharedV4ProviderOptions, TranscriptionModelV4 } from '@ai-sdk/provider';
import type { Transcript } from '@fabrica/contract';
import type { transcribeRequest } from '@fabrica/contract/schemas';
import type { z } from 'zod';
import { AppError } from '../../../core/errors.ts';
import type { MediaRun } from '../media/run-media-call.ts';
import type { Recording } from './receive-audio.ts';
import { writeSubtitles } from './subtitles.ts';

export type TranscribeTask = z.infer<typeof transcribeRequest>;

/** Has what is said written down. Throws AI_FAILED, too when subtitles are asked for and the model tells no times. */
export async function transcribe(
  task: TranscribeTask,
  { bytes, mediaType }: Recording,
  { model, ask, signal }: MediaRun<TranscriptionModelV4>,
): Promise<Transcript> {
  const answer = await ask(() =>
    model.doGenerate({
      audio: bytes,
      mediaType,
      abortSignal: signal,
      providerOptions: wishesFor(model, task),
    }),
  );
  const transcript = answer.text.trim();
  const segments = answer.segments.map(({ text, startSecond, endSecond }, id) => ({
    id,
    start: startSecond,
    end: endSecond,
    text,
  }));
  const language = answer.language ?? task.language;
  return {
    text: presentText(transcript, segments, task.response_format),
    transcript,
    ...(segments.length > 0 && { segments }),
    ...(language && { language }),
    ...(typeof answer.durationInSeconds === 'number' && { duration: answer.durationInSeconds }),
  };
}

function presentText(
  transcript: string,
  segments: NonNullable<Transcript['segments']>,
  format: TranscribeTask['response_format'],
): string {
  if (format !== 'srt' && format !== 'vtt') return transcript;
  if (segments.length > 0 || transcript === '') return writeSubtitles(segments, format);
  throw new AppError(
    'AI_FAILED',
    'The model that is set up here tells no times, without which there are no subtitles.',
  );
}

/** Times are asked for where somebody wants them: not every model of an OpenAI-compatible endpoint can tell them. */
function wishesFor({ provider }: TranscriptionModelV4, task: TranscribeTask): SharedV4ProviderOptions {
  const { language, response_format: format } = task;
  const [vendor = ''] = provider.split('.');
  const timed = vendor === 'openai' && ['srt', 'vtt', 'verbose_json'].includes(format ?? '');
  return {
    [vendor]: { ...(language && { language }), ...(timed && { responseFormat: 'verbose_json' }) },
  };
}

import type { SharedV4ProviderOptions, TranscriptionModelV4 } from '@ai-sdk/provider';
import type { Transcript } from '@fabrica/contract';
import type { transcribeRequest } from '@fabrica/contract/schemas';
import type { z } from 'zod';
import { AppError } from '../../../core/errors.ts';
import type { MediaRun } from '../media/run-media-call.ts';
import type { Recording } from './receive-audio.ts';
import { writeSubtitles } from './subtitles.ts';

type TranscribeTask = z.infer<typeof transcribeRequest>;

/** Transcribes a recording. Throws AI_FAILED, also when subtitles are requested and the model returns no times. */
export async function transcribe(
  task: TranscribeTask,
  { bytes, mediaType }: Recording,
  { model, attempt, signal }: MediaRun<TranscriptionModelV4>,
): Promise<Transcript> {
  const result = await attempt(() =>
    model.doGenerate({
      audio: bytes,
      mediaType,
      abortSignal: signal,
      providerOptions: providerOptionsFor(model, task),
    }),
  );
  const transcript = result.text.trim();
  const segments = result.segments.map(({ text, startSecond, endSecond }, id) => ({
    id,
    start: startSecond,
    end: endSecond,
    text,
  }));
  const language = result.language ?? task.language;
  return {
    text: presentText(transcript, segments, task.response_format),
    transcript,
    ...(segments.length > 0 && { segments }),
    ...(language && { language }),
    ...(typeof result.durationInSeconds === 'number' && { duration: result.durationInSeconds }),
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

/** Requests times only for a caller who needs them: not every model of an OpenAI-compatible endpoint returns them. */
function providerOptionsFor(
  { provider }: TranscriptionModelV4,
  task: TranscribeTask,
): SharedV4ProviderOptions {
  const { language, response_format: format } = task;
  const [vendor = ''] = provider.split('.');
  const wantsTimes = vendor === 'openai' && ['srt', 'vtt', 'verbose_json'].includes(format ?? '');
  return {
    [vendor]: { ...(language && { language }), ...(wantsTimes && { responseFormat: 'verbose_json' }) },
  };
}

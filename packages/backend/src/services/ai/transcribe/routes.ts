import type { TranscriptionModelV4 } from '@ai-sdk/provider';
import { transcribeRequest } from '@fabrica/contract/schemas';
import { Hono } from 'hono';
import { parseJsonBody } from '../../../http/body.ts';
import type { AppEnvironment } from '../../../http/environment.ts';
import type { AiContext } from '../context.ts';
import { createMediaLimit } from '../media/media-limit.ts';
import { type MediaCall, runMediaCall } from '../media/run-media-call.ts';
import { receiveAudio } from './receive-audio.ts';
import { transcribe } from './transcribe.ts';

/** 25 MB in base64, with room around it. */
const MAX_BODY_BYTES = 40 * 1024 * 1024;

/** `POST /transcribe` of the wire contract ("AI"): what is said in a recording, written down. */
export function transcribeRoutes(context: AiContext): Hono<AppEnvironment> {
  const limit = createMediaLimit();
  const routes = new Hono<AppEnvironment>();
  routes.post('/', (c) =>
    limit(c, async () => {
      // Before all that is sent is read.
      await context.models.transcribe();
      const task = await parseJsonBody(c, transcribeRequest, MAX_BODY_BYTES);
      const call: MediaCall<TranscriptionModelV4> = {
        capability: 'transcribe',
        wanted: task.model,
        find: (models, name) => models.transcribe(name),
      };
      return runMediaCall(c, context, call, async (running) => {
        const { fetcher } = context;
        const recording = await receiveAudio(task.audio, { fetcher, signal: running.signal });
        const transcript = await transcribe(task, recording, running);
        // Of silence, nothing is said; the public client takes an empty text for none, unless it stands within `result`.
        return transcript.text === '' ? { ...transcript, result: transcript } : transcript;
      });
    }),
  );
  return routes;
}

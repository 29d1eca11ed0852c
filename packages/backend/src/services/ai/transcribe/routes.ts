import type { TranscriptionModelV4 } from '@ai-sdk/provider';
import { transcribeRequest } from '@fabrica/contract/schemas';
import { Hono } from 'hono';
import { parseJsonBody } from '../../../http/body.ts';
import { type AppEnvironment, accountKey } from '../../../http/environment.ts';
import type { AiContext } from '../context.ts';
import { createMediaLimit } from '../media/media-limit.ts';
import { type MediaCall, runMediaCall } from '../media/run-media-call.ts';
import { receiveAudio } from './receive-audio.ts';
import { transcribe } from './transcribe.ts';

/** Bytes of a body at most: 25 MB in base64, and some more. */
const MAX_BODY_BYTES = 40 * 1024 * 1024;

/** Returns the routes of `POST /transcribe` of the wire contract ("AI"), which writes down the speech of a recording. */
export function transcribeRoutes(context: AiContext): Hono<AppEnvironment> {
  const limit = createMediaLimit();
  const routes = new Hono<AppEnvironment>();
  routes.post('/', (c) =>
    limit(c, async () => {
      // Fails before the large body is read.
      await context.models.transcribe();
      const task = await parseJsonBody(c, transcribeRequest, MAX_BODY_BYTES);
      const call: MediaCall<TranscriptionModelV4> = {
        capability: 'transcribe',
        requestedModel: task.model,
        find: (models, name) => models.transcribe(name),
      };
      return runMediaCall(c, context, call, async (mediaRun) => {
        const { fetcher } = context;
        const recording = await receiveAudio(task.audio, {
          fetcher,
          signal: mediaRun.signal,
          account: accountKey(c.var),
        });
        const transcript = await transcribe(task, recording, mediaRun);
        // A silent recording has an empty text. The public client takes that for no response, unless it is within
        // `result`.
        return transcript.text === '' ? { ...transcript, result: transcript } : transcript;
      });
    }),
  );
  return routes;
}

import { randomUUID } from 'node:crypto';
import type { SpeechModelV4 } from '@ai-sdk/provider';
import type { SpeechResponse } from '@fabrica/contract';
import { speechRequest } from '@fabrica/contract/schemas';
import { Hono } from 'hono';
import { parseJsonBody } from '../../../http/body.ts';
import type { AppEnvironment } from '../../../http/environment.ts';
import type { AiContext } from '../context.ts';
import { createMediaLimit } from '../media/media-limit.ts';
import { type MediaCall, runMediaCall } from '../media/run-media-call.ts';
import { saveMedia } from '../media/save-media.ts';
import { speak } from './speak.ts';

/** Returns the routes of `POST /speech` of the wire contract ("AI"), which speaks a text. */
export function speechRoutes(context: AiContext): Hono<AppEnvironment> {
  const limit = createMediaLimit();
  const routes = new Hono<AppEnvironment>();
  routes.post('/', (c) =>
    limit(c, async () => {
      const task = await parseJsonBody(c, speechRequest);
      const call: MediaCall<SpeechModelV4> = {
        capability: 'speech',
        requestedModel: task.model,
        find: (models, name) => models.speech(name),
      };
      return runMediaCall(c, context, call, async (mediaRun) => {
        const { bytes, voice, format, mimeType } = await speak(task, mediaRun);
        mediaRun.signal.throwIfAborted();
        const { publicUrl } = await saveMedia(c, context, { bytes, path: `ai/${randomUUID()}.${format}` });
        return { result: { url: publicUrl, voice, format, mimeType } } satisfies SpeechResponse;
      });
    }),
  );
  return routes;
}

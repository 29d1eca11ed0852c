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

/** `POST /speech` of the wire contract ("AI"): a text, spoken. */
export function speechRoutes(context: AiContext): Hono<AppEnvironment> {
  const limit = createMediaLimit();
  const routes = new Hono<AppEnvironment>();
  routes.post('/', (c) =>
    limit(c, async () => {
      const task = await parseJsonBody(c, speechRequest);
      const call: MediaCall<SpeechModelV4> = {
        capability: 'speech',
        wanted: task.model,
        find: (models, name) => models.speech(name),
      };
      return runMediaCall(c, context, call, async (running) => {
        const { bytes, voice, format, mimeType } = await speak(task, running);
        running.signal.throwIfAborted();
        const { publicUrl } = await saveMedia(c, context, { bytes, path: `ai/${randomUUID()}.${format}` });
        return { result: { url: publicUrl, voice, format, mimeType } } satisfies SpeechResponse;
      });
    }),
  );
  return routes;
}

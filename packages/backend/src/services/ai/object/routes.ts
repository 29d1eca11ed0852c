import { objectRequest } from '@fabrica/contract/schemas';
import { Hono } from 'hono';
import { parseJsonBody } from '../../../http/body.ts';
import type { AppEnvironment } from '../../../http/environment.ts';
import { runLanguageCall } from '../calls/run-language-call.ts';
import { streamResponse } from '../calls/stream-response.ts';
import type { AiContext } from '../context.ts';
import { createJsonExtractor } from './json-extractor.ts';
import { toObjectTask } from './object-task.ts';
import { streamObject } from './stream-object.ts';

/** For `/api/ai/:projectId/object`. */
export function objectRoutes(context: AiContext): Hono<AppEnvironment> {
  const routes = new Hono<AppEnvironment>();

  routes.post('/', async (c) => {
    const request = await parseJsonBody(c, objectRequest);
    return runLanguageCall(c, context, request, async (call) => {
      // Within the call, so that it counts: to look a schema through takes time.
      const task = toObjectTask(request);
      if (request.stream) {
        return streamResponse(c, {
          contentType: 'text/plain; charset=utf-8',
          pieces: streamObject(call, task),
          timeout: context.timeout,
          onDisconnect: call.leave,
        });
      }
      const { text, finishReason, usage } = await call.write(task.question);
      const extractor = createJsonExtractor(task.opening);
      const object = task.read(extractor.take(text) + extractor.end);
      call.succeed();
      return c.json({ object, finishReason, usage });
    });
  });

  return routes;
}

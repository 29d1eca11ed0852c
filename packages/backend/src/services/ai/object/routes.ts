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

/** Returns the routes of `/api/ai/:projectId/object`. */
export function objectRoutes(context: AiContext): Hono<AppEnvironment> {
  const routes = new Hono<AppEnvironment>();

  routes.post('/', async (c) => {
    const request = await parseJsonBody(c, objectRequest);
    return runLanguageCall(c, context, request, async (call) => {
      // The schema is checked within the call, so that the time counts.
      const task = toObjectTask(request);
      if (request.stream) {
        return streamResponse(c, {
          contentType: 'text/plain; charset=utf-8',
          pieces: streamObject(call, task, context.keepAlive),
          timeout: context.timeout,
          onDisconnect: call.disconnected,
        });
      }
      const { text, finishReason, usage } = await call.generate(task.modelRequest);
      const extractor = createJsonExtractor(task.opening);
      const object = task.parse(extractor.add(text) + extractor.end);
      call.succeed();
      return c.json({ object, finishReason, usage });
    });
  });

  return routes;
}

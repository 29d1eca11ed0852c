import { objectRequest } from '@fabrica/contract/schemas';
import { Hono } from 'hono';
import { parseJsonBody } from '../../../http/body.ts';
import type { AppEnvironment } from '../../../http/environment.ts';
import type { AiContext } from '../context.ts';
import { answerCall } from '../calls/run-language-call.ts';
import { streamAnswer } from '../calls/stream-response.ts';
import { createJsonCutter } from './json-extractor.ts';
import { objectPieces } from './stream-object.ts';
import { toObjectTask } from './object-task.ts';

/** For `/api/ai/:projectId/object`. */
export function objectRoutes(context: AiContext): Hono<AppEnvironment> {
  const routes = new Hono<AppEnvironment>();

  routes.post('/', async (c) => {
    const request = await parseJsonBody(c, objectRequest);
    return answerCall(c, context, request, async (call) => {
      // Within the call, so that it counts: to look a schema through takes time.
      const task = toObjectTask(request);
      if (request.stream) {
        return streamAnswer(c, {
          contentType: 'text/plain; charset=utf-8',
          pieces: objectPieces(call, task),
          timeout: context.timeout,
          onLeave: call.leave,
        });
      }
      const { text, finishReason, usage } = await call.write(task.question);
      const cutter = createJsonCutter(task.opening);
      const object = task.read(cutter.take(text) + cutter.end);
      call.succeed();
      return c.json({ object, finishReason, usage });
    });
  });

  return routes;
}

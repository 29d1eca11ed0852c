import { randomUUID } from 'node:crypto';
import type { ImageModelV4 } from '@ai-sdk/provider';
import type { ImageResponse } from '@fabrica/contract';
import { imageRequest } from '@fabrica/contract/schemas';
import { Hono } from 'hono';
import { parseJsonBody } from '../../../http/body.ts';
import { type AppEnvironment, accountKey } from '../../../http/environment.ts';
import type { AiContext } from '../context.ts';
import { createMediaLimit } from '../media/media-limit.ts';
import { type MediaCall, runMediaCall } from '../media/run-media-call.ts';
import { saveMedia } from '../media/save-media.ts';
import { fetchImages } from './fetch-images.ts';
import { generateImages, requireImageEditing } from './generate-images.ts';

/**
 * Returns the routes of `POST /image` of the wire contract ("AI"), which makes images from a description or changes
 * given ones.
 */
export function imageRoutes(context: AiContext): Hono<AppEnvironment> {
  const limit = createMediaLimit();
  const routes = new Hono<AppEnvironment>();
  routes.post('/', (c) =>
    limit(c, async () => {
      const task = await parseJsonBody(c, imageRequest);
      const call: MediaCall<ImageModelV4> = {
        capability: 'image',
        requestedModel: task.model,
        find: (models, name) => models.image(name),
      };
      return runMediaCall(c, context, call, async (mediaRun) => {
        const { model, signal } = mediaRun;
        const { fetcher } = context;
        if (task.images) await requireImageEditing(model);
        const sourceImages = await fetchImages(task.images ?? [], {
          fetcher,
          signal,
          account: accountKey(c.var),
        });
        const data: { url: string }[] = [];
        for (const bytes of await generateImages(task, sourceImages, mediaRun)) {
          signal.throwIfAborted();
          const { publicUrl } = await saveMedia(c, context, { bytes, path: `ai/${randomUUID()}.png` });
          data.push({ url: publicUrl });
        }
        return { result: { data } } satisfies ImageResponse;
      });
    }),
  );
  return routes;
}

import { textRequest } from '@fabrica/contract/schemas';
import { type Context, Hono } from 'hono';
import { AppError } from '../../../core/errors.ts';
import { parseJsonBody } from '../../../http/body.ts';
import { type AppEnvironment, accountKey } from '../../../http/environment.ts';
import { runLanguageCall } from '../calls/run-language-call.ts';
import { streamResponse } from '../calls/stream-response.ts';
import type { AiContext } from '../context.ts';
import { createMediaLimit } from '../media/media-limit.ts';
import { toImageParts } from './image-parts.ts';
import { generateWithSearch, type SearchOptions, streamWithSearch } from './search-steps.ts';
import { textEvents } from './text-events.ts';
import { imageUrlsOf, type TextRequest, toModelRequest } from './to-model-request.ts';

/** Returns the routes of `/api/ai/:projectId/text`. */
export function textRoutes(context: AiContext): Hono<AppEnvironment> {
  const limit = createMediaLimit();
  const routes = new Hono<AppEnvironment>();

  routes.post('/', async (c) => {
    const request = await parseJsonBody(c, textRequest);
    const searchOptions = request.search ? requireSearch(c, context, request) : undefined;
    const imageUrls = imageUrlsOf(request);
    const respond = () =>
      runLanguageCall(c, context, request, async (call) => {
        const { model, signal } = call;
        const { fetcher } = context;
        const imageParts = await toImageParts(imageUrls, {
          model,
          byUrl: context.models.fetchUrlsThemselves,
          fetcher,
          signal,
          account: accountKey(c.var),
        });
        const modelRequest = toModelRequest(request, imageParts);
        if (request.stream) {
          return streamResponse(c, {
            contentType: 'text/event-stream',
            pieces: textEvents({
              keepAlive: context.keepAlive,
              pieces: searchOptions
                ? streamWithSearch(call, { ...searchOptions, modelRequest })
                : call.stream(modelRequest),
              forOldClients: !c.req.header('accept')?.includes('text/event-stream'),
              onEnd: call.succeed,
              onFailure: call.fail,
            }),
            timeout: context.timeout,
            onDisconnect: call.disconnected,
          });
        }
        const { text, finishReason, usage } = await (searchOptions
          ? generateWithSearch(call, { ...searchOptions, modelRequest })
          : call.generate(modelRequest));
        call.succeed();
        return c.json({ text, finishReason, usage });
      });
    return imageUrls.length > 0 ? limit(c, respond) : respond();
  });

  return routes;
}

/** Throws SEARCH_NOT_CONFIGURED. Queries are not logged. */
function requireSearch(
  c: Context<AppEnvironment>,
  { search, log }: AiContext,
  { maxSteps }: TextRequest,
): Omit<SearchOptions, 'modelRequest'> {
  if (!search) {
    throw new AppError(
      'SEARCH_NOT_CONFIGURED',
      'No search engine is set up here. The operator can name one in SEARCH_URL.',
    );
  }
  return {
    search,
    maxSteps,
    onFailure(error) {
      const code = error instanceof AppError ? error.code : 'INTERNAL_ERROR';
      log.warn({ requestId: c.var.requestId, code }, 'A search for a language model failed');
    },
  };
}

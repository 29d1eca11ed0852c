import { textRequest } from '@fabrica/contract/schemas';
import { type Context, Hono } from 'hono';
import { AppError } from '../../../core/errors.ts';
import { parseJsonBody } from '../../../http/body.ts';
import type { AppEnvironment } from '../../../http/environment.ts';
import type { AiContext } from '../context.ts';
import { createMediaLimit } from '../media/media-limit.ts';
import { answerCall } from '../calls/run-language-call.ts';
import { streamAnswer } from '../calls/stream-response.ts';
import { showPictures } from './image-parts.ts';
import { picturesOf, type TextRequest, toQuestion } from './to-model-request.ts';
import { type SearchOptions, writeInPiecesWithSearch, writeWithSearch } from './search-steps.ts';
import { textEvents } from './text-events.ts';

/** For `/api/ai/:projectId/text`. */
export function textRoutes(context: AiContext): Hono<AppEnvironment> {
  const fewAtOnce = createMediaLimit();
  const routes = new Hono<AppEnvironment>();

  routes.post('/', async (c) => {
    const request = await parseJsonBody(c, textRequest);
    const searching = request.search ? requireSearch(c, context, request) : undefined;
    const pictureAddresses = picturesOf(request);
    const answer = () =>
      answerCall(c, context, request, async (call) => {
        const { model, signal } = call;
        const { fetcher } = context;
        const pictures = await showPictures(pictureAddresses, {
          model,
          byAddress: context.models.fetchByThemselves,
          fetcher,
          signal,
        });
        const question = toQuestion(request, pictures);
        if (request.stream) {
          return streamAnswer(c, {
            contentType: 'text/event-stream',
            pieces: textEvents({
              pieces: searching
                ? writeInPiecesWithSearch(call, { ...searching, question })
                : call.writeInPieces(question),
              forOlderClients: !c.req.header('accept')?.includes('text/event-stream'),
              onEnd: call.succeed,
              onBreak: call.fail,
            }),
            timeout: context.timeout,
            onLeave: call.leave,
          });
        }
        const { text, finishReason, usage } = await (searching
          ? writeWithSearch(call, { ...searching, question })
          : call.write(question));
        call.succeed();
        return c.json({ text, finishReason, usage });
      });
    return pictureAddresses.length > 0 ? fewAtOnce(c, answer) : answer();
  });

  return routes;
}

/** Throws SEARCH_NOT_CONFIGURED. What a search was for is nothing for the log. */
function requireSearch(
  c: Context<AppEnvironment>,
  { search, log }: AiContext,
  { maxSteps }: TextRequest,
): Omit<SearchOptions, 'question'> {
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

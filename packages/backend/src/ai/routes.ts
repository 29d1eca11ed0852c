import { textRequest } from '@fabrica/contract/schemas';
import { Hono } from 'hono';
import { parseJsonBody } from '../http/body.ts';
import { requireSignedIn } from '../http/caller.ts';
import type { AppEnvironment } from '../http/environment.ts';
import { ServiceError } from '../http/errors.ts';
import type { RateLimit, RateLimits } from '../http/rate-limit.ts';
import type { LanguageModel } from './language-model.ts';
import { createOpenAiCompatibleModel, type OpenAiCompatibleOptions } from './openai-compatible.ts';
import { generateText, toTask } from './text.ts';

/** Per user and hour: 25 posts of eight translations. */
const TEXT_QUOTA: RateLimit = {
  name: 'ai-text',
  points: 200,
  duration: 3_600,
  code: 'AI_QUOTA_EXCEEDED',
  message: 'You have used up your AI texts for this hour. Please try again later.',
};

/** What is answered to a caller who has left: nobody reads it, and it is no failure of ours. */
const CLIENT_CLOSED_REQUEST = 499;

export interface AiOptions {
  /** The endpoint of the models; without one, calls answer AI_NOT_CONFIGURED. */
  ai: OpenAiCompatibleOptions | undefined;
  limits: RateLimits;
  /** Milliseconds a model may take; 30 s, if left out. */
  timeout?: number;
}

/** For `/api/ai/:projectId`. */
export function aiRoutes({ ai, limits, timeout }: AiOptions): Hono<AppEnvironment> {
  const configured = ai && createOpenAiCompatibleModel(ai);
  const routes = new Hono<AppEnvironment>();

  routes.post('/text', async (c) => {
    const caller = requireSignedIn(c.var.caller);
    const task = toTask(await parseJsonBody(c, textRequest), caller);
    const model = requireModel(configured);
    if (caller.kind === 'user')
      await limits.consume(TEXT_QUOTA, `${c.var.project.definition.id}:${caller.id}`);
    const callerSignal = c.req.raw.signal;
    try {
      return c.json(await generateText(task, { model, callerSignal, ...(timeout && { timeout }) }));
    } catch (error) {
      if (callerSignal.aborted) return new Response(null, { status: CLIENT_CLOSED_REQUEST });
      throw error;
    }
  });

  return routes;
}

/** Throws AI_NOT_CONFIGURED. */
function requireModel(model: LanguageModel | undefined): LanguageModel {
  if (model) return model;
  throw new ServiceError(
    'AI_NOT_CONFIGURED',
    'No language model is set up here. The operator can name one in AI_BASE_URL.',
  );
}

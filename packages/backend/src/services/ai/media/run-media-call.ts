import type { Context } from 'hono';
import { requireSignedIn } from '../../../core/caller.ts';
import { AppError } from '../../../core/errors.ts';
import type { AppEnvironment } from '../../../http/environment.ts';
import { clientClosedRequest, modelError } from '../calls/model-errors.ts';
import { retryModelCall } from '../calls/retry-model-call.ts';
import type { AiContext } from '../context.ts';
import type { AiModels, NamedModel } from '../models/models.ts';
import type { Capability } from '../settings.ts';
import type { Tokens } from '../usage/ai-usage.ts';

/**
 * A model sends the first byte of an image when all of it is done, so it may take this many times as long as for a text.
 */
const TIMEOUT_FACTOR = 4;

export interface MediaCall<Model> {
  capability: Exclude<Capability, 'text' | 'judge' | 'vision'>;
  /** The model that the request names; only the secret key may choose one. */
  requestedModel: string | null | undefined;
  find(models: AiModels, name: string | undefined): Promise<NamedModel<Model>>;
}

/** A call of a model that is under way. */
export interface MediaRun<Model> {
  model: Model;
  /** Aborted when the caller disconnects or the time is up. */
  signal: AbortSignal;
  /**
   * Calls the model, up to three times if it fails for the moment. Throws AI_FAILED, which carries nothing of the prompt
   * or the response.
   */
  attempt<T>(call: () => PromiseLike<T>): Promise<T>;
  /** Records the tokens of the call, as soon as they are known. */
  report(tokens: Tokens): void;
}

/**
 * Runs a call of a model that makes or reads images or sound, and counts it. The call ends after four times the timeout
 * to a first byte, or when the caller disconnects. Throws AI_NOT_CONFIGURED, AI_QUOTA_EXCEEDED, AI_TIMEOUT, and what
 * `run` throws.
 */
export async function runMediaCall<Model>(
  c: Context<AppEnvironment>,
  { models, usage, timeout }: AiContext,
  { capability, requestedModel, find }: MediaCall<Model>,
  run: (mediaRun: MediaRun<Model>) => Promise<object>,
): Promise<Response> {
  const caller = requireSignedIn(c.var.caller);
  // The operator pays for the model and chooses it; only the secret key, which is the operator’s, may choose another.
  const found = await find(models, caller.kind === 'service' ? (requestedModel ?? undefined) : undefined);
  const callerSignal = c.req.raw.signal;
  const timeoutSignal = AbortSignal.timeout(TIMEOUT_FACTOR * timeout);
  const signal = AbortSignal.any([callerSignal, timeoutSignal]);
  const call = { project: c.var.project, caller, capability, model: found.name, signal: callerSignal };
  try {
    const body = await usage.track(call, async (report) => {
      try {
        const attempt = <T>(call: () => PromiseLike<T>) =>
          retryModelCall(call, { signal, timeout }).catch((error: unknown) => {
            throw mediaError(error);
          });
        return await run({ model: found.model, signal, attempt, report });
      } catch (error) {
        if (!timeoutSignal.aborted || callerSignal.aborted) throw error;
        throw new AppError('AI_TIMEOUT', 'The model took too long. Please try again.');
      }
    });
    return c.json(body);
  } catch (error) {
    if (callerSignal.aborted) return clientClosedRequest();
    throw error;
  }
}

/**
 * Returns an error without the prompt and the response, which the errors of the SDK carry and which must not be logged.
 */
function mediaError(error: unknown): AppError {
  const { code, cause, retryAfter } = modelError(error);
  return new AppError(code, 'The model did not answer as it should. Please try again.', {
    cause,
    ...(retryAfter !== undefined && { retryAfter }),
  });
}

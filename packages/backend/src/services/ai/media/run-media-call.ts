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

/** A model shows the first byte of a picture when it is done with all of it: so many times as long as for a text. */
const PATIENCE = 4;

export interface MediaCall<Model> {
  capability: Exclude<Capability, 'text'>;
  /** Which model the request names; only the service role's wish is heard. */
  wanted: string | null | undefined;
  find(models: AiModels, name: string | undefined): Promise<NamedModel<Model>>;
}

/** A call that is under way. */
export interface MediaRun<Model> {
  model: Model;
  /** Aborted when the caller leaves or the time is up. */
  signal: AbortSignal;
  /**
   * Asks the model, up to three times when it is worth it; throws AI_FAILED, which carries nothing of what was asked or
   * answered.
   */
  ask<T>(act: () => PromiseLike<T>): Promise<T>;
  /** What the call used, as soon as that is known. */
  report(tokens: Tokens): void;
}

/**
 * Runs a call to a model that makes or reads pictures or sound: counted, within four times the time that a text has to its
 * first byte, and ended when the caller leaves. Throws AI_NOT_CONFIGURED, AI_QUOTA_EXCEEDED, AI_TIMEOUT, and what `run` throws.
 */
export async function runMediaCall<Model>(
  c: Context<AppEnvironment>,
  { models, usage, timeout }: AiContext,
  { capability, wanted, find }: MediaCall<Model>,
  run: (running: MediaRun<Model>) => Promise<object>,
): Promise<Response> {
  const caller = requireSignedIn(c.var.caller);
  // The operator pays for the model, so the operator names it; whoever holds the secret key is the operator.
  const named = await find(models, caller.kind === 'service' ? (wanted ?? undefined) : undefined);
  const callerSignal = c.req.raw.signal;
  const tooLong = AbortSignal.timeout(PATIENCE * timeout);
  const signal = AbortSignal.any([callerSignal, tooLong]);
  const call = { project: c.var.project, caller, capability, model: named.name, signal: callerSignal };
  try {
    const answer = await usage.track(call, async (report) => {
      try {
        const ask = <T>(act: () => PromiseLike<T>) =>
          retryModelCall(act, { signal, timeout }).catch((error: unknown) => {
            throw failedCall(error);
          });
        return await run({ model: named.model, signal, ask, report });
      } catch (error) {
        if (!tooLong.aborted || callerSignal.aborted) throw error;
        throw new AppError('AI_TIMEOUT', 'The model took too long. Please try again.');
      }
    });
    return c.json(answer);
  } catch (error) {
    if (callerSignal.aborted) return clientClosedRequest();
    throw error;
  }
}

/** The SDK's errors carry the prompt and the answer, which are nobody's to log. */
function failedCall(error: unknown): AppError {
  const { code, cause, retryAfter } = modelError(error);
  return new AppError(code, 'The model did not answer as it should. Please try again.', {
    cause,
    ...(retryAfter !== undefined && { retryAfter }),
  });
}

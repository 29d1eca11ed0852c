import { AppError } from '../../../core/errors.ts';
import { retryAfterMs } from './retry-model-call.ts';

/**
 * Returns AI_FAILED for any error that a call to a model throws. Unlike the errors of the SDK, it carries nothing of the
 * prompt or the response.
 */
export function modelError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { name, statusCode } = (error ?? {}) as { name?: unknown; statusCode?: unknown };
  const status = typeof statusCode === 'number' ? `, status ${statusCode}` : '';
  const waitMs = retryAfterMs(error);
  return aiFailed('The language model did not answer as it should. Please try again.', {
    cause: new Error(`${typeof name === 'string' ? name : 'Unknown error'}${status} of the AI endpoint`),
    ...(waitMs !== undefined && { retryAfter: waitMs / 1_000 }),
  });
}

export function aiFailed(message: string, options?: ConstructorParameters<typeof AppError>[2]): AppError {
  return new AppError('AI_FAILED', message, options);
}

/** Returns the response to a caller who has left (499, as in nginx). Nobody reads it, and it is not logged as a failure. */
export function clientClosedRequest(): Response {
  return new Response(null, { status: 499 });
}

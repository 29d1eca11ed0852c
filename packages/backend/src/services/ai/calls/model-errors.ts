import { AppError } from '../../../core/errors.ts';
import { wantedPause } from './retry-model-call.ts';

/** AI_FAILED for whatever a call to a model throws. It carries nothing of what was asked or answered, as the SDK's errors do. */
export function failureOf(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { name, statusCode } = (error ?? {}) as { name?: unknown; statusCode?: unknown };
  const status = typeof statusCode === 'number' ? `, status ${statusCode}` : '';
  const pause = wantedPause(error);
  return failed('The language model did not answer as it should. Please try again.', {
    cause: new Error(`${typeof name === 'string' ? name : 'Unknown error'}${status} of the AI endpoint`),
    ...(pause !== undefined && { retryAfter: pause / 1_000 }),
  });
}

export function failed(sentence: string, options?: ConstructorParameters<typeof AppError>[2]): AppError {
  return new AppError('AI_FAILED', sentence, options);
}

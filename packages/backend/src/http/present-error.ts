import type { ErrorBody } from '@fabrica/contract';
import { AppError } from '../core/errors.ts';

/** Paths whose errors have a `message` too: clients of PostgREST and older ones of the contract show that. */
const WITH_MESSAGE = /^\/api\/(?:db|ai|data|notifications)\//;

/**
 * Returns an error in the contract's form. An error that is not an AppError says nothing of itself. Some services have the
 * sentence as `message` too.
 */
export function presentError(error: unknown, request?: { req: { path: string } }): Response {
  const known =
    error instanceof AppError
      ? error
      : new AppError('INTERNAL_ERROR', 'Something went wrong on our side. Please try again.');
  const content: ErrorBody = { error: known.message, code: known.code };
  if (WITH_MESSAGE.test(request?.req.path ?? '')) content.message = known.message;
  if (known.details !== undefined) content.details = known.details;
  const body = JSON.stringify(content);
  const headers: Record<string, string> = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'content-length': String(Buffer.byteLength(body)),
  };
  if (known.retryAfter !== undefined) headers['retry-after'] = String(Math.ceil(known.retryAfter));
  return new Response(body, { status: known.status, headers });
}

import { MAX_REALTIME_BYTES } from '@fabrica/contract';
import type { ParsedPublishRequest } from '@fabrica/contract/schemas';
import { AppError } from '../../core/errors.ts';

export interface Said extends Pick<ParsedPublishRequest, 'type' | 'metadata'> {
  data: unknown;
  userId?: string | undefined;
}

/**
 * The text that a message is kept and sent as, but for its channel, its id and its time. Throws VALIDATION_FAILED, or
 * PAYLOAD_TOO_LARGE: numbers may be longer than they were written (`1e20`).
 */
export function bodyOf({ type, data, userId, metadata }: Said): string {
  const body = toJson({ type, data, userId, metadata: metadata ?? undefined });
  if (Buffer.byteLength(body) <= MAX_REALTIME_BYTES) return body;
  throw new AppError('PAYLOAD_TOO_LARGE', `A message may have ${MAX_REALTIME_BYTES / 1_024} kB.`);
}

/** Throws VALIDATION_FAILED for what can be read but not written: thousands of lists within each other. */
export function toJson(value: object): string {
  try {
    return JSON.stringify(value);
  } catch (cause) {
    throw new AppError('VALIDATION_FAILED', 'The message is nested too deeply.', { cause });
  }
}

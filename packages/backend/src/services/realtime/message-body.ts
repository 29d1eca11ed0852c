import { MAX_REALTIME_BYTES } from '@fabrica/contract';
import type { ParsedPublishRequest } from '@fabrica/contract/schemas';
import { AppError } from '../../core/errors.ts';

interface MessageBody extends Pick<ParsedPublishRequest, 'type' | 'metadata'> {
  data: unknown;
  userId?: string | undefined;
}

/**
 * Returns the text that a message is stored and sent as, without its channel, id and time. Throws VALIDATION_FAILED, or
 * PAYLOAD_TOO_LARGE: the text can be longer than the request, because numbers may be (`1e20`).
 */
export function serializeBody({ type, data, userId, metadata }: MessageBody): string {
  const body = serializeJson({ type, data, userId, metadata: metadata ?? undefined });
  if (Buffer.byteLength(body) <= MAX_REALTIME_BYTES) return body;
  throw new AppError('PAYLOAD_TOO_LARGE', `A message may have ${MAX_REALTIME_BYTES / 1_024} kB.`);
}

/** Throws VALIDATION_FAILED for values that can be parsed but not serialized, such as thousands of nested arrays. */
export function serializeJson(value: object): string {
  try {
    return JSON.stringify(value);
  } catch (cause) {
    throw new AppError('VALIDATION_FAILED', 'The message is nested too deeply.', { cause });
  }
}

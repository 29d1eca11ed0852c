import type { PublishRequest } from '@fabrica/contract/schemas';
import { ServiceError } from '../http/errors.ts';

export interface Said extends Pick<PublishRequest, 'type' | 'metadata'> {
  data: unknown;
  userId?: string | undefined;
}

/** The text that a message is kept and sent as, but for its channel, its id and its time. Throws VALIDATION_FAILED. */
export function bodyOf({ type, data, userId, metadata }: Said): string {
  return toJson({ type, data, userId, metadata: metadata ?? undefined });
}

/** Throws VALIDATION_FAILED for what can be read but not written: thousands of lists within each other. */
export function toJson(value: object): string {
  try {
    return JSON.stringify(value);
  } catch (cause) {
    throw new ServiceError('VALIDATION_FAILED', 'The message is nested too deeply.', { cause });
  }
}

import {
  type ClientMessage,
  MAX_CHANNEL_LENGTH,
  MAX_PRESENCE_BYTES,
  MAX_REALTIME_BYTES,
  MAX_REALTIME_NAME_LENGTH,
} from '@fabrica/contract';
import { ValidationError } from '../http/errors.ts';

const CONTROL = /[\p{Cc}\p{Cs}]/u;

/**
 * Returns the JSON of a message. Throws a ValidationError for a message that the server would reject by closing the
 * socket, or with an error that names no channel.
 */
export function serializeMessage(message: Extract<ClientMessage, { type: 'subscribe' | 'publish' }>): string {
  const { channel, userId, metadata } = message.payload;
  requireName('The name of a channel', channel, MAX_CHANNEL_LENGTH);
  if (userId != null) requireName('A userId', userId, MAX_REALTIME_NAME_LENGTH);
  if (message.type === 'publish') requireName('A type', message.payload.type, MAX_REALTIME_NAME_LENGTH);
  else requireSize('metadata', toJson(metadata ?? {}), MAX_PRESENCE_BYTES);
  const json = toJson(message);
  requireSize('A message', json, MAX_REALTIME_BYTES);
  return json;
}

function requireName(label: string, name: string, max: number): void {
  if (typeof name === 'string' && name && name.length <= max && !CONTROL.test(name)) return;
  throw new ValidationError(`${label} has 1 to ${max} characters, and no control characters.`);
}

function requireSize(label: string, text: string, max: number): void {
  if (new TextEncoder().encode(text).length <= max) return;
  throw new ValidationError(`${label} may have ${max / 1_024} kB here.`, { code: 'PAYLOAD_TOO_LARGE' });
}

function toJson(value: object): string {
  try {
    return JSON.stringify(value);
  } catch (cause) {
    throw new ValidationError('Only what JSON can say can be sent.', { cause });
  }
}

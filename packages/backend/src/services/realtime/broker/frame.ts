import type { MessageId, ServerMessage } from '@fabrica/contract';
import type { StoredMessage } from './broker.ts';

/** A complete websocket text frame, which can be written to any number of sockets. */
export type Frame = Buffer;

const FINAL_TEXT = 0x81;

/** Encodes a text as one unmasked frame, as servers send it (RFC 6455, 5.2). */
function frameText(text: string): Frame {
  const length = Buffer.byteLength(text);
  const head = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(head + length);
  frame[0] = FINAL_TEXT;
  frame[1] = head === 2 ? length : head === 4 ? 126 : 127;
  if (head === 4) frame.writeUInt16BE(length, 2);
  if (head === 10) frame.writeBigUInt64BE(BigInt(length), 2);
  frame.write(text, head);
  return frame;
}

export function frameMessage(message: ServerMessage): Frame {
  return frameText(JSON.stringify(message));
}

/** The body of a message that has clients fetch anew what they show of a channel. No published message has it. */
export const RESYNC_BODY = '{"resync":true}';

/** Frames a stored message. Its body was serialized when it was published and is copied as it is. */
export function frameStored(channel: string, message: StoredMessage): Frame {
  if (message.body === RESYNC_BODY) {
    return frameMessage({ type: 'resync', payload: { channel, last: message.id } });
  }
  return frameText(`{"type":"message","payload":${presentStored(channel, message)}}`);
}

/** Returns the JSON text of a message as clients get it. */
export function presentStored(channel: string, { id, body }: StoredMessage): string {
  return `{"channel":${JSON.stringify(channel)},"id":"${id}","timestamp":${millisecondsOf(id)},${body.slice(1)}`;
}

/** Returns the time of a message in epoch ms: its id begins with it. */
export function millisecondsOf(id: MessageId): number {
  return Number(id.split('-')[0]);
}

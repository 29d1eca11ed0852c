/**
 * The messages and the limits of the WebSocket and of `/api/realtime`. Source: the wire contract and
 * docs/spec/product.md section 9.
 */

/** The most bytes of one message in either direction. */
export const MAX_REALTIME_BYTES = 64 * 1024;
/** The most channels that one socket may be subscribed to. */
export const MAX_SOCKET_CHANNELS = 100;
/** The most messages that one socket may send in a second. */
export const SOCKET_MESSAGES_PER_SECOND = 50;
/** The most characters of a channel's name, which must not contain control characters. */
export const MAX_CHANNEL_LENGTH = 200;
/** The most characters of a message's type and of a user's id. */
export const MAX_REALTIME_NAME_LENGTH = 200;
/** The most bytes of a user's presence metadata as JSON. */
export const MAX_PRESENCE_BYTES = 4 * 1024;
/** The newest messages of a channel that the server stores … */
export const CHANNEL_HISTORY_LENGTH = 1_000;
/** … and the milliseconds for which it stores them. */
export const CHANNEL_HISTORY_MS = 24 * 60 * 60 * 1_000;
/** The most messages of a response when the request has no limit. */
export const DEFAULT_MESSAGE_LIMIT = 100;

/** Milliseconds between two pings that a client sends. */
export const HEARTBEAT_MS = 25_000;
/** Milliseconds without a message from a client after which its socket is closed. */
export const SOCKET_IDLE_TIMEOUT_MS = 60_000;
/** Milliseconds that connecting, subscribing and publishing may each take. */
export const REALTIME_TIMEOUT_MS = 10_000;
/** The longest delay of a reconnect in milliseconds, before up to a second of jitter. */
export const MAX_RECONNECT_DELAY_MS = 30_000;

/** The codes with which the server closes a socket. */
export const SOCKET_CLOSE = {
  /** The server is stopping; the client should connect again. */
  goingAway: 1001,
  /** A message was larger than 64 KiB. */
  tooLarge: 1009,
  /** Too many messages could not be parsed. */
  malformed: 1008,
  /** The token could not be verified; the client should connect again. */
  failed: 1011,
  /** The token is not valid; it will not be accepted later. */
  unauthenticated: 4401,
  /** Pages of this origin may not use tokens here. */
  forbidden: 4403,
  /** The client sent nothing for a minute. */
  idle: 4408,
  /** Too many messages exceeded the rate limit. */
  tooMany: 4429,
} as const;

/**
 * The id of a message, `<ms>-<seq>`. It is greater than the id of every earlier message of its channel. Compare ids
 * with `compareMessageIds`: their text does not sort in this order.
 */
export type MessageId = string;

export interface RealtimeMessage {
  channel: string;
  id: MessageId;
  type: string;
  data: unknown;
  /** Epoch ms. */
  timestamp: number;
  /**
   * The sender; absent for the server and for anonymous senders. `guest:…` is an unverified claim to that account.
   */
  userId?: string;
  metadata?: Record<string, unknown>;
}

/** A user who is in a channel, with one socket or several. */
export interface PresentUser {
  userId: string;
  metadata: Record<string, unknown>;
  /** Epoch ms. */
  joinedAt: number;
  lastSeen: number;
}

/** A message that the server sends. */
export type ServerMessage =
  | { type: 'connected'; payload: { socketId: string } }
  /**
   * Replies to `auth`. `userId` is null for an anonymous socket, `expiresAt` (epoch ms) for a token without an end.
   */
  | { type: 'authenticated'; payload: { userId: string | null; expiresAt: number | null } }
  /**
   * Every message after `last` follows. `last` is the id in `after`, or the id of the newest message; an empty
   * channel has one too.
   */
  | { type: 'subscribed'; payload: { channel: string; last: MessageId } }
  | { type: 'unsubscribed'; payload: { channel: string } }
  | { type: 'message'; payload: RealtimeMessage }
  /** The missed messages are no longer stored: the client must reload the data. Messages after `last` follow. */
  | { type: 'resync'; payload: { channel: string; last: MessageId } }
  | { type: 'presence'; payload: { channel: string; data: { users: PresentUser[] } } }
  | { type: 'published'; payload: { channel: string; messageId: MessageId } }
  | { type: 'pong'; payload: Record<string, never> }
  /**
   * With a channel, it replies to the last request for that channel, or gives the reason why a subscription ended.
   */
  | { type: 'error'; payload: { channel?: string; error: string; code: string } };

/** Returns a negative number if `a` is older than `b`, and a positive one if it is newer. */
export function compareMessageIds(a: MessageId, b: MessageId): number {
  const [msA = 0, seqA = 0] = a.split('-').map(Number);
  const [msB = 0, seqB = 0] = b.split('-').map(Number);
  return msA - msB || seqA - seqB;
}

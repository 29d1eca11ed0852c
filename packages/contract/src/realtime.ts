/** Words and limits of the websocket and of `/api/realtime`. Source: the wire contract and docs/spec/product.md section 9. */

/** Bytes of one message at most, either way. */
export const MAX_REALTIME_BYTES = 64 * 1024;
/** Channels that one socket may be in at a time. */
export const MAX_SOCKET_CHANNELS = 100;
/** Messages that one socket may send in a second. */
export const SOCKET_MESSAGES_PER_SECOND = 50;
/** Characters of a channel's name at most; none of them a control character. */
export const MAX_CHANNEL_LENGTH = 200;
/** Characters of a message's type and of a user's id at most. */
export const MAX_REALTIME_NAME_LENGTH = 200;
/** Bytes of what a socket says of itself in presence, as JSON. */
export const MAX_PRESENCE_BYTES = 4 * 1024;
/** Of each channel, this many messages are kept … */
export const CHANNEL_HISTORY_LENGTH = 1_000;
/** … for this many milliseconds. */
export const CHANNEL_HISTORY_MS = 24 * 60 * 60 * 1_000;
/** Messages of one answer when no limit is asked for. */
export const DEFAULT_MESSAGE_LIMIT = 100;

/** Milliseconds between two pings of a client. */
export const HEARTBEAT_MS = 25_000;
/** Milliseconds without a word from a client after which its socket is closed. */
export const SOCKET_IDLE_TIMEOUT_MS = 60_000;
/** Milliseconds that connecting, subscribing and publishing may take. */
export const REALTIME_TIMEOUT_MS = 10_000;
/** Milliseconds that a reconnect waits at most, before up to a second of jitter. */
export const MAX_RECONNECT_DELAY_MS = 30_000;

/** Why the server closed a socket, beside the codes of the protocol itself. */
export const SOCKET_CLOSE = {
  /** The server stops: connect again. */
  goingAway: 1001,
  /** A message of more than 64 KiB. */
  tooLarge: 1009,
  /** Message after message that is none. */
  malformed: 1008,
  /** It could not be found out whether the token is good: connect again. */
  failed: 1011,
  /** The token is not good; connecting again with the same one is of no use. */
  unauthenticated: 4401,
  /** A page of this origin may not speak for anybody here. */
  forbidden: 4403,
  /** Nothing was heard for a minute. */
  idle: 4408,
  /** Message after message above the limit. */
  tooMany: 4429,
} as const;

/**
 * A message's place in its channel, `<ms>-<seq>`: greater than that of every message before it. As text they do not
 * compare; `compareMessageIds` does.
 */
export type MessageId = string;

export interface RealtimeMessage {
  channel: string;
  id: MessageId;
  type: string;
  data: unknown;
  /** Epoch ms. */
  timestamp: number;
  /** Who sent it; absent for the server and for nobody in particular. `guest:…` is whoever claims to be that account. */
  userId?: string;
  metadata?: Record<string, unknown>;
}

/** Somebody who is in a channel, however many sockets of theirs are. */
export interface PresentUser {
  userId: string;
  metadata: Record<string, unknown>;
  /** Epoch ms. */
  joinedAt: number;
  lastSeen: number;
}

export interface SubscribePayload {
  channel: string;
  /** Whoever says who they are, or anything of themselves, is in the channel's presence, where its rule allows. */
  userId?: string;
  metadata?: Record<string, unknown>;
  /**
   * Where the client stands: what came after it is sent before anything else, in order and once; or one `resync`, when
   * that is no longer known. Left out: from now on.
   */
  after?: MessageId;
}

export interface PublishPayload {
  channel: string;
  type: string;
  data: unknown;
  userId?: string;
  metadata?: Record<string, unknown>;
}

/** What clients send. */
export type ClientMessage =
  | { type: 'subscribe'; payload: SubscribePayload }
  | { type: 'unsubscribe'; payload: { channel: string } }
  | { type: 'publish'; payload: PublishPayload }
  /** Who the socket speaks for from now on: the first message, or a renewal on the open socket. Null signs out. */
  | { type: 'auth'; payload: { token: string | null } }
  | { type: 'ping'; payload?: Record<string, unknown> };

/** What the server sends. */
export type ServerMessage =
  | { type: 'connected'; payload: { socketId: string } }
  /** Answers `auth`: the account, and when its token ends (epoch ms); nulls for nobody, and for no end. */
  | { type: 'authenticated'; payload: { userId: string | null; expiresAt: number | null } }
  /**
   * `last` is where the client stands: everything after it follows. That is the newest message there is, or the id that
   * was named in `after`. A channel in which nothing was said has one as well.
   */
  | { type: 'subscribed'; payload: { channel: string; last: MessageId } }
  | { type: 'unsubscribed'; payload: { channel: string } }
  | { type: 'message'; payload: RealtimeMessage }
  /** What was missed is no longer kept: fetch what the channel is about anew. The client stands at `last` from here on. */
  | { type: 'resync'; payload: { channel: string; last: MessageId } }
  | { type: 'presence'; payload: { channel: string; data: { users: PresentUser[] } } }
  | { type: 'published'; payload: { channel: string; messageId: MessageId } }
  | { type: 'pong'; payload: Record<string, never> }
  /** With a channel: of the last thing that was asked for it, or of a subscription that has just ended. */
  | { type: 'error'; payload: { channel?: string; error: string; code: string } };

/** Less than zero when `a` came before `b`. */
export function compareMessageIds(a: MessageId, b: MessageId): number {
  const [msA = 0, seqA = 0] = a.split('-').map(Number);
  const [msB = 0, seqB = 0] = b.split('-').map(Number);
  return msA - msB || seqA - seqB;
}

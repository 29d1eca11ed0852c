import { z } from 'zod';
import {
  CHANNEL_HISTORY_LENGTH,
  DEFAULT_MESSAGE_LIMIT,
  MAX_CHANNEL_LENGTH,
  MAX_REALTIME_NAME_LENGTH,
} from '../realtime.ts';

const WELL_FORMED = /^[^\p{Cc}\p{Cs}]+$/u;

const channel = z
  .string()
  .min(1)
  .max(MAX_CHANNEL_LENGTH, `must have ${MAX_CHANNEL_LENGTH} characters at most`)
  .regex(WELL_FORMED, 'must not contain control characters');
const name = z
  .string()
  .min(1)
  .max(MAX_REALTIME_NAME_LENGTH)
  .regex(WELL_FORMED, 'must not contain control characters');
const metadata = z.record(z.string(), z.unknown());

/** Limits the digits, so that the parts of an id can be compared as numbers. */
const messageId = z
  .string()
  .regex(/^\d{1,15}(-\d{1,15})?$/, 'must be the id of a message, such as 1763760000000-0')
  .transform((id) => (id.includes('-') ? id : `${id}-0`));

const messageFields = {
  channel,
  type: name,
  /** Any JSON value. Default: null. */
  data: z.unknown().default(null),
  metadata: metadata.nullish(),
};

export const clientMessage = z.discriminatedUnion(
  'type',
  [
    z.object({
      type: z.literal('subscribe'),
      payload: z.object({
        channel,
        /** A `userId` or `metadata` lists the user in the channel's presence, if its rule allows that. */
        userId: name.nullish(),
        metadata: metadata.nullish(),
        /**
         * The last message that the client has received. The server first sends the messages after it, in order and once,
         * or one `resync` if it no longer stores them. Without it, only new messages are sent.
         */
        after: messageId.nullish(),
      }),
    }),
    z.object({ type: z.literal('unsubscribe'), payload: z.object({ channel }) }),
    z.object({ type: z.literal('publish'), payload: z.object({ ...messageFields, userId: name.nullish() }) }),
    /** Authenticates the socket: as its first message, or later with a renewed token. Null signs out. */
    z.object({
      type: z.literal('auth'),
      payload: z.object({ token: z.string().min(1).max(8_000).nullable() }),
    }),
    z.object({ type: z.literal('ping'), payload: z.unknown().optional() }),
  ],
  { error: 'must be one of subscribe, unsubscribe, publish, auth, ping' },
);

/** The body of `POST publish`. */
export const publishRequest = z.object(messageFields);

export const presenceQuery = z.object({ channel });

/** The end of a range; a millisecond without a sequence number includes all of its messages. */
const lastId = z
  .string()
  .transform((text) => (/^\d+$/.test(text) ? `${text}-999999999999999` : text))
  .pipe(messageId);

/** The range includes `start` and `end`; `-` and `+` stand for the oldest and the newest stored message. */
export const messagesQuery = z.object({
  channel,
  limit: z.coerce.number().int().min(1).max(CHANNEL_HISTORY_LENGTH).default(DEFAULT_MESSAGE_LIMIT),
  start: z.union([z.literal('-').transform(() => undefined), messageId]).optional(),
  // In a query string, a `+` that is not escaped is a space.
  end: z.union([z.literal(['+', ' ']).transform(() => undefined), lastId]).optional(),
});

export type ParsedClientMessage = z.infer<typeof clientMessage>;
export type ParsedPublishRequest = z.infer<typeof publishRequest>;
/** A message that a client sends. */
export type ClientMessage = z.input<typeof clientMessage>;

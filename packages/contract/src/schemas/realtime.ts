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

/** Numbers that compare as numbers do, whatever a stranger writes. */
const messageId = z
  .string()
  .regex(/^\d{1,15}(-\d{1,15})?$/, 'must be the id of a message, such as 1763760000000-0')
  .transform((id) => (id.includes('-') ? id : `${id}-0`));

const said = {
  channel,
  type: name,
  /** Anything that JSON can say; nothing is null. */
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
        userId: name.nullish(),
        metadata: metadata.nullish(),
        after: messageId.nullish(),
      }),
    }),
    z.object({ type: z.literal('unsubscribe'), payload: z.object({ channel }) }),
    z.object({ type: z.literal('publish'), payload: z.object({ ...said, userId: name.nullish() }) }),
    z.object({
      type: z.literal('auth'),
      payload: z.object({ token: z.string().min(1).max(8_000).nullable() }),
    }),
    z.object({ type: z.literal('ping') }),
  ],
  { error: 'must be one of subscribe, unsubscribe, publish, auth, ping' },
);

/** The body of POST publish. */
export const publishRequest = z.object(said);

export const presenceQuery = z.object({ channel });

/** As the end of a range, a millisecond alone means all of it. */
const lastId = z
  .string()
  .transform((text) => (/^\d+$/.test(text) ? `${text}-999999999999999` : text))
  .pipe(messageId);

/** `start` and `end` belong to what is answered; `-` and `+` are the ends of what is kept. */
export const messagesQuery = z.object({
  channel,
  limit: z.coerce.number().int().min(1).max(CHANNEL_HISTORY_LENGTH).default(DEFAULT_MESSAGE_LIMIT),
  start: z.union([z.literal('-').transform(() => undefined), messageId]).optional(),
  // In an address, `+` that is not escaped is a space.
  end: z.union([z.literal(['+', ' ']).transform(() => undefined), lastId]).optional(),
});

export type ParsedClientMessage = z.infer<typeof clientMessage>;
export type ParsedPublishRequest = z.infer<typeof publishRequest>;

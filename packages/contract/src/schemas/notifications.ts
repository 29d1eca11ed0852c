import { z } from 'zod';
import {
  EMAIL_INCOMPLETE,
  MAX_EMAIL_ATTACHMENTS,
  MAX_EMAIL_CHARACTERS,
  MAX_EMAIL_RECIPIENTS,
} from '../notifications.ts';

/** `Ada <ada@example.org>`, `"Ada, Countess" <ada@example.org>` or the address alone. */
const NAMED = /^(?:"([^"\\<>]*)"|([^"\\<>@,;:]*))\s*<([^<>\s]+)>$/;
/** A line of a mail's head stays one line, and is written in the direction that it says. */
const ONE_LINE = /^[^\p{Cc}\p{Cs}\u2028\u2029\u202A-\u202E\u2066-\u2069]*$/u;
const MAX_ADDRESS_LENGTH = 254;
const MAX_NAME_LENGTH = 200;
const MAX_SUBJECT_LENGTH = 500;
/** Of 10 MB; what is larger is said in a sentence of its own. */
const MAX_BASE64_LENGTH = 16 * 1024 * 1024;

const plainAddress = z.email().max(MAX_ADDRESS_LENGTH);

const mailbox = z
  .string()
  .max(MAX_ADDRESS_LENGTH + MAX_NAME_LENGTH)
  .transform((given, context) => {
    const [, quoted, bare, inBrackets] = NAMED.exec(given.trim()) ?? [];
    const address = plainAddress.safeParse(inBrackets ?? given.trim());
    if (address.success && ONE_LINE.test(given)) {
      return { name: (quoted ?? bare ?? '').trim(), address: address.data };
    }
    context.addIssue({ code: 'custom', message: 'must be an address, or a name and an <address>' });
    return z.NEVER;
  });

/** One, or a list. */
const mailboxes = z.union([mailbox.transform((one) => [one]), z.array(mailbox)], {
  error: 'must be an address, or a list of addresses',
});

const content = z
  .string()
  .max(MAX_EMAIL_CHARACTERS, `must have ${MAX_EMAIL_CHARACTERS} characters at most`)
  .refine((text) => text.isWellFormed() && !text.includes('\0'), 'must not contain NUL or broken characters');

const line = (max: number) =>
  z.string().max(max, `must have ${max} characters at most`).regex(ONE_LINE, 'must be one line');

const attachment = z
  .object({
    filename: line(255)
      .trim()
      .refine((name) => name !== '' && !/[/\\]/.test(name), 'must be a name, without a path'),
    url: z
      .url({ protocol: /^https?$/, error: 'must be an http(s) address' })
      .max(2_000)
      .nullish(),
    content: z
      .string()
      .max(MAX_BASE64_LENGTH)
      // No blank may be read in two ways: of many, that would take time for ever.
      .regex(/^[A-Za-z0-9+/\s]*(?:=\s*){0,2}$/, 'must be base64')
      .nullish(),
    type: line(200)
      .regex(/^[\w.+-]+\/[\w.+-]+$/, 'must be a media type such as image/png')
      .nullish(),
    disposition: z.enum(['attachment', 'inline']).nullish(),
    cid: line(200)
      .regex(/^[^\s<>]+$/, 'must be one word')
      .nullish(),
  })
  .refine(({ url, content }) => (url == null) !== (content == null), 'must have either a "url" or "content"');

/** Is there anything in what somebody sent? */
const isGiven = (value: unknown) =>
  Array.isArray(value) ? value.length > 0 : typeof value === 'string' ? value.trim() !== '' : value != null;

const email = z.object({
  to: mailboxes,
  cc: mailboxes.nullish(),
  bcc: mailboxes.nullish(),
  /** With an @ an address, else a name. */
  from: line(MAX_ADDRESS_LENGTH + MAX_NAME_LENGTH).nullish(),
  replyTo: mailbox.nullish(),
  subject: line(MAX_SUBJECT_LENGTH).trim(),
  html: content.nullish(),
  text: content.nullish(),
  attachments: z.array(attachment).nullish(),
});

/** Without one of these, nothing else is looked at (docs/spec/product.md section 5); nor of a list that is too long. */
const complete = z.custom<z.input<typeof email>>().superRefine((given, context) => {
  const { to, cc, bcc, subject, html, text, attachments } = (given ?? {}) as Partial<z.input<typeof email>>;
  const fault = (message: string) => context.addIssue({ code: 'custom', message });
  if (!isGiven(to) || !isGiven(subject) || !(isGiven(html) || isGiven(text))) return fault(EMAIL_INCOMPLETE);
  if ([to, cc, bcc].reduce((sum, list) => sum + countOf(list), 0) > MAX_EMAIL_RECIPIENTS)
    fault(`An email may have ${MAX_EMAIL_RECIPIENTS} recipients at most.`);
  if (countOf(attachments) > MAX_EMAIL_ATTACHMENTS)
    fault(`An email may have ${MAX_EMAIL_ATTACHMENTS} attachments at most.`);
});

const countOf = (value: unknown) => (Array.isArray(value) ? value.length : isGiven(value) ? 1 : 0);

export const emailRequest = complete.pipe(email);

/** What `from` says: a name for the sender that there is, or another address. */
export function parseFrom(from: string): { name: string; address: string | null } | undefined {
  if (!from.includes('@')) return { name: from.trim(), address: null };
  return mailbox.safeParse(from).data;
}

/** Kinds that are left out stay as they are. */
export const notificationSettings = z.object({ notices: z.record(z.string().max(100), z.boolean()) });

/** `one` is about one thing alone, such as a post; mail programs send neither, and mean all. */
export const stopNoticesRequest = z.object({
  token: z.string().min(1).max(2_000),
  scope: z.enum(['one', 'all']).default('all'),
});

export type ParsedEmail = z.infer<typeof emailRequest>;

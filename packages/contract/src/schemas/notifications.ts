import { z } from 'zod';
import { asciiEmail, EMAIL } from '../email.ts';
import {
  EMAIL_INCOMPLETE,
  MAX_EMAIL_ATTACHMENTS,
  MAX_EMAIL_CHARACTERS,
  MAX_EMAIL_RECIPIENTS,
} from '../notifications.ts';
import { PRINTABLE, plainText } from './text.ts';

/** Matches `Ada <ada@example.org>` and `"Ada, Countess" <ada@example.org>`. */
const NAMED = /^(?:"([^"\\<>]*)"|([^"\\<>@,;:]*))\s*<([^<>\s]+)>$/;
const MAX_EMAIL_LENGTH = 254;
const MAX_NAME_LENGTH = 200;
const MAX_SUBJECT_LENGTH = 500;
/** The base64 of 10 MB, with some room: the backend's own error names the limit of attachments. */
const MAX_BASE64_LENGTH = 16 * 1024 * 1024;

const bareEmail = z
  .string()
  .transform(asciiEmail)
  .pipe(z.email({ pattern: EMAIL }).max(MAX_EMAIL_LENGTH));

const mailbox = z
  .string()
  .max(MAX_EMAIL_LENGTH + MAX_NAME_LENGTH)
  .transform((text, context) => {
    const [, quoted, unquoted, inBrackets] = NAMED.exec(text.trim()) ?? [];
    const email = bareEmail.safeParse(inBrackets ?? text.trim());
    if (email.success && PRINTABLE.test(text)) {
      return { name: (quoted ?? unquoted ?? '').trim(), address: email.data };
    }
    context.addIssue({ code: 'custom', message: 'must be an address, or a name and an <address>' });
    return z.NEVER;
  });

/** Accepts one mailbox or a list of them. */
const mailboxes = z.union([mailbox.transform((one) => [one]), z.array(mailbox).readonly()], {
  error: 'must be an address, or a list of addresses',
});

const content = plainText.max(MAX_EMAIL_CHARACTERS, `must have ${MAX_EMAIL_CHARACTERS} characters at most`);

const line = (max: number) =>
  z.string().max(max, `must have ${max} characters at most`).regex(PRINTABLE, 'must be one line');

const attachment = z
  .object({
    filename: line(255)
      .trim()
      .refine((name) => name !== '' && !/[/\\]/.test(name), 'must be a name, without a path'),
    /** The server fetches the file from this URL; either this or `content` is required. */
    url: z
      .url({ protocol: /^https?$/, error: 'must be an http(s) address' })
      .max(2_000)
      .nullish(),
    /** Base64. */
    content: z
      .string()
      .max(MAX_BASE64_LENGTH)
      // White space must match in one way only: with many blanks, backtracking would never end.
      .regex(/^[A-Za-z0-9+/\s]*(?:=\s*){0,2}$/, 'must be base64')
      .nullish(),
    /** Media type. Default: the type that the URL was served with, else `application/octet-stream`. */
    type: line(200)
      .regex(/^[\w.+-]+\/[\w.+-]+$/, 'must be a media type such as image/png')
      .nullish(),
    disposition: z.enum(['attachment', 'inline']).nullish(),
    /** The id by which the HTML refers to it: `<img src="cid:…">`. */
    cid: line(200)
      .regex(/^[^\s<>]+$/, 'must be one word')
      .nullish(),
  })
  .refine(({ url, content }) => (url == null) !== (content == null), 'must have either a "url" or "content"');

/** Returns whether a list has elements, a text is not blank, or another value is present. */
const isPresent = (value: unknown) =>
  Array.isArray(value) ? value.length > 0 : typeof value === 'string' ? value.trim() !== '' : value != null;

/** Recipients are e-mail addresses, with or without a name: `Ada <ada@example.org>`. */
const email = z.object({
  to: mailboxes,
  cc: mailboxes.nullish(),
  bcc: mailboxes.nullish(),
  /** A name, or an e-mail address of the service's own domain if it contains an @. Requires the secret key. */
  from: line(MAX_EMAIL_LENGTH + MAX_NAME_LENGTH).nullish(),
  replyTo: mailbox.nullish(),
  subject: line(MAX_SUBJECT_LENGTH).trim(),
  /** Either this or `text` is required. */
  html: content.nullish(),
  text: content.nullish(),
  attachments: z.array(attachment).readonly().nullish(),
});

/** Checks first that the mail is complete (docs/spec/product.md section 5) and that no list is too long. */
const completeEmail = z.custom<z.input<typeof email>>().superRefine((input, context) => {
  const { to, cc, bcc, subject, html, text, attachments } = (input ?? {}) as Partial<z.input<typeof email>>;
  const reject = (message: string) => context.addIssue({ code: 'custom', message });
  if (!isPresent(to) || !isPresent(subject) || !(isPresent(html) || isPresent(text)))
    return reject(EMAIL_INCOMPLETE);
  if ([to, cc, bcc].reduce((sum, list) => sum + countOf(list), 0) > MAX_EMAIL_RECIPIENTS)
    reject(`An email may have ${MAX_EMAIL_RECIPIENTS} recipients at most.`);
  if (countOf(attachments) > MAX_EMAIL_ATTACHMENTS)
    reject(`An email may have ${MAX_EMAIL_ATTACHMENTS} attachments at most.`);
});

const countOf = (value: unknown) => (Array.isArray(value) ? value.length : isPresent(value) ? 1 : 0);

export const emailRequest = completeEmail.pipe(email);

/** Parses `from`: a name for the configured sender, or another e-mail address with its name. */
export function parseFrom(from: string): { name: string; address: string | null } | undefined {
  if (!from.includes('@')) return { name: from.trim(), address: null };
  return mailbox.safeParse(from).data;
}

/** Changes the kinds that are named; the others keep their value. */
export const notificationSettings = z.object({ notices: z.record(z.string().max(100), z.boolean()) });

/** `one` stops the mails about one thing, such as a post. Mail programs send no scope and mean all mails. */
export const stopNoticesRequest = z.object({
  token: z.string().min(1).max(2_000),
  scope: z.enum(['one', 'all']).default('all'),
});

export type ParsedEmail = z.infer<typeof emailRequest>;
export type EmailRequest = z.input<typeof emailRequest>;
/** Says for each kind of mail about other people's actions whether the account wants it. */
export type NotificationSettings = z.infer<typeof notificationSettings>;

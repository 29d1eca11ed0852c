import { type AppEnvironment, AppError, parseWith, requireUser, type UserCaller } from '@fabrica/backend';
import { can } from '@fabrica/contract';
import type { Context } from 'hono';
import { z } from 'zod';
import { DOCUMENT_LIMITS } from '../../project/document-limits.ts';
import { LANGUAGE_CODES, type Language } from '../../project/languages.ts';
import { roles } from '../../project/roles.ts';
import { RELEASE_RULES, WAITING_STATES } from '../../project/translations.ts';
import { notAllowed } from '../access.ts';
import type { DeskContext, PostRequest } from '../desk-context.ts';

/** A verb on the translation of a post into one language. */
export interface LanguageRequest extends PostRequest {
  language: Language;
}

/** A verb on one segment in one language. */
export interface SegmentRequest extends LanguageRequest {
  segmentId: string;
}

const language = z.enum(LANGUAGE_CODES);
const segmentId = z.string().regex(/^[A-Za-z0-9_-]{1,100}$/, 'must be letters, digits, "-" or "_"');

/** Characters of a segment: as many as a whole text may have. */
const words = z
  .string()
  .max(100_000)
  .refine((text) => !text.includes('\0') && text.isWellFormed(), 'must be well-formed text');

/** Bytes of a body with a segment. */
export const MAX_SEGMENT_BYTES = 1024 * 1024;

export const textBody = z.strictObject({ text: words });
/** Says whether a language that is ready then is released at once; else readers go on with the words that they have. */
export const acceptBody = z.strictObject({ release: z.boolean().default(true) }).default({ release: true });
export const reasonBody = z.strictObject({ reason: z.string().trim().min(1).max(1_000) });
export const versionBody = z.strictObject({ version: z.int().min(1) });
export const ruleBody = z.strictObject({ rule: z.enum(RELEASE_RULES) });
export const commentBody = z.strictObject({ text: words.pipe(z.string().trim().min(1).max(5_000)) });
export const segmentsBody = z.strictObject({
  segments: z
    .array(z.strictObject({ id: segmentId, version: z.int().min(0) }))
    .min(1)
    .max(5_000),
});
export const answersBody = z.strictObject({
  title: words.max(DOCUMENT_LIMITS.title * 3),
  content: words,
  language: language.nullable().default(null),
  answers: z
    .array(z.strictObject({ field: z.enum(['title', 'content']), language, text: words }))
    .max(2 * LANGUAGE_CODES.length),
});
export const queueQuery = z.object({
  language: language.optional(),
  state: z.enum(WAITING_STATES).optional(),
  cursor: z.string().max(300).optional(),
});

/** Parses the language in the path. Throws NOT_FOUND for another one. */
function languageOf(c: Context<AppEnvironment>): Language {
  const parsed = language.safeParse(c.req.param('language'));
  if (!parsed.success) throw new AppError('NOT_FOUND', 'There is no such language.');
  return parsed.data;
}

export function languageRequest(desk: DeskContext, c: Context<AppEnvironment>): LanguageRequest {
  return {
    desk,
    caller: requireUser(c.var.caller),
    postId: c.req.param('id') ?? '',
    language: languageOf(c),
  };
}

export function segmentRequest(desk: DeskContext, c: Context<AppEnvironment>): SegmentRequest {
  return { ...languageRequest(desk, c), segmentId: c.req.param('segment') ?? '' };
}

export function parseQueueQuery(c: Context<AppEnvironment>) {
  return parseWith(queueQuery, c.req.query());
}

/** Tells whether an account may say that a translation is right. */
export function mayReview(caller: UserCaller): boolean {
  return can(roles, caller.role, 'translations.review');
}

/** Throws FORBIDDEN unless the account may review translations. */
export function requireReviewer(caller: UserCaller): void {
  if (!mayReview(caller)) throw notAllowed();
}

/** Returns the account of who may review translations. Throws UNAUTHENTICATED and FORBIDDEN for others. */
export function reviewerOf(c: Context<AppEnvironment>): UserCaller {
  const caller = requireUser(c.var.caller);
  requireReviewer(caller);
  return caller;
}

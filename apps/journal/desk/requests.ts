import { type AppEnvironment, AppError } from '@fabrica/backend';
import type { Context } from 'hono';
import { z } from 'zod';
import { plateMarks, writtenDocument } from '../project/document.ts';
import { DOCUMENT_LIMITS } from '../project/document-limits.ts';
import { LANGUAGE_CODES } from '../project/languages.ts';
import { MAX_PREVIEW_DAYS, PREVIEW_DAYS } from './previews.ts';
import { isTimeZone } from './publishing/local-time.ts';

/** Bytes of a body with a document: room for a long text in five languages, in any script. */
export const MAX_DOCUMENT_BYTES = 4 * 1024 * 1024;

const MAX_POSTS_AT_ONCE = 100;

const postId = z.string().regex(/^[A-Za-z0-9_-]{1,100}$/, 'must be letters, digits, "-" or "_"');

export const listQuery = z.object({
  state: z.enum(['draft', 'scheduled', 'published', 'unpublished']).optional(),
  language: z.enum(LANGUAGE_CODES).optional(),
  search: z.string().trim().max(200).optional(),
  cursor: z.string().max(300).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(20),
});

export const createBody = z.strictObject({ id: postId.optional(), document: writtenDocument });

/** Says beside a document who wrote the translations that it changes. */
export const writerQuery = z.object({ translatedBy: z.literal('machine').optional() });

export const accountsQuery = z.object({ name: z.string().trim().min(2).max(200) });

/** Asks for the alternative text of a stored picture, or for a long description, which names these marks. */
export const describeBody = z.strictObject({
  url: z.string().min(1).max(DOCUMENT_LIMITS.url),
  language: z.enum(LANGUAGE_CODES),
  long: z.strictObject({ marks: plateMarks }).optional(),
});

export const keepBody = z.strictObject({ document: writtenDocument });

export const publishBody = z
  .strictObject({
    /** Epoch ms, or a time on the clocks of the time zone. */
    at: z.union([z.int().min(0), z.string().max(20)]).optional(),
    timeZone: z.string().max(100).refine(isTimeZone, 'must be a time zone such as Europe/Berlin').optional(),
    replaces: z.int().min(0).optional(),
    /** Whether the change of the words is too small for readers to be told its date. */
    small: z.boolean().optional(),
    /** What readers are told about the change, in the language of the original. */
    note: z
      .string()
      .refine(
        (note) => note.isWellFormed() && !/\p{Cc}|\p{Bidi_Control}/u.test(note),
        'must be one line of text',
      )
      .trim()
      .max(DOCUMENT_LIMITS.changeNote)
      .optional(),
  })
  .refine(({ at, timeZone }) => typeof at !== 'string' || timeZone !== undefined, {
    path: ['timeZone'],
    message: 'is required with a local time',
  })
  .default({});

export const previewBody = z
  .strictObject({ days: z.int().min(1).max(MAX_PREVIEW_DAYS).default(PREVIEW_DAYS) })
  .default({ days: PREVIEW_DAYS });

export const idsBody = z.strictObject({ ids: z.array(postId).min(1).max(MAX_POSTS_AT_ONCE) });

export const revisionsQuery = z.object({ cursor: z.coerce.number().int().min(1).optional() });

/** Returns the version of If-Match. Throws PRECONDITION_REQUIRED without one. */
export function requireIfMatch(c: Context<AppEnvironment>): number {
  const given = c.req.header('if-match');
  const [, version] = /^(?:W\/)?"(\d{1,15})"$/.exec(given?.trim() ?? '') ?? [];
  if (version === undefined) {
    throw new AppError('PRECONDITION_REQUIRED', 'Name the version that you have in If-Match, as in "7".');
  }
  return Number(version);
}

export function etagOf(version: number): string {
  return `"${version}"`;
}

import { z } from 'zod';
import { IMAGE_FORMATS, IMAGE_WIDTHS } from '../storage.ts';

/** Paths of one call at most. */
const MAX_PATHS = 1_000;

/** A form's field comes as text, `options` as JSON. */
const flag = z.union([
  z.boolean(),
  z.enum(['true', 'false', '1', '0', '']).transform((value) => value === 'true' || value === '1'),
]);

/** What goes with an upload beside its path. */
export const uploadOptions = z.object({ upsert: flag.nullish().transform((value) => value ?? false) });

export const removeRequest = z.object({
  paths: z
    .array(z.string({ error: 'must be non-empty strings' }).min(1, 'must be non-empty strings'))
    .min(1, 'must name at least one file')
    .max(MAX_PATHS),
});

export const downloadQuery = z.object({
  path: z.string({ error: 'must be a non-empty string' }),
  filename: z.string().max(255).optional(),
});

/** The untouched original of a file. */
export const originalQuery = z.object({ path: z.string({ error: 'must be a non-empty string' }) });

const WIDTHS: readonly number[] = IMAGE_WIDTHS;

/** A picture in one of the listed widths. */
export const variantQuery = z.object({
  w: z.coerce.number().refine((width) => WIDTHS.includes(width), `must be one of ${IMAGE_WIDTHS.join(', ')}`),
  format: z.enum(IMAGE_FORMATS).default('auto'),
});

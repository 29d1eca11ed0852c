import { z } from 'zod';
import { IMAGE_FORMATS, IMAGE_SHAPES, IMAGE_WIDTHS, type ImageShapeName } from '../storage.ts';

/** The most paths in one call. */
const MAX_PATHS = 1_000;

/** A form sends the flag as text, `options` sends it as JSON. */
const flag = z.union([
  z.boolean(),
  z.enum(['true', 'false', '1', '0', '']).transform((value) => value === 'true' || value === '1'),
]);

const option = flag.nullish().transform((value) => value ?? false);

/** The options of an upload. */
export const uploadOptions = z.object({ upsert: option, convert: option });

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

/** The query of a call that returns the unchanged original of a file. */
export const originalQuery = z.object({ path: z.string({ error: 'must be a non-empty string' }) });

const WIDTHS: readonly number[] = IMAGE_WIDTHS;

/** The query of a call that returns an image in one of the widths. */
export const variantQuery = z.object({
  w: z.coerce.number().refine((width) => WIDTHS.includes(width), `must be one of ${IMAGE_WIDTHS.join(', ')}`),
  format: z.enum(IMAGE_FORMATS).default('auto'),
});

/** The query of a call that returns an image in one of the shapes. */
export const shapeQuery = z.object({ as: z.enum(Object.keys(IMAGE_SHAPES) as [ImageShapeName]) });

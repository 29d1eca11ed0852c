import { z } from 'zod';
import { MAX_AI_IMAGES, TOO_MANY_IMAGES } from '../ai.ts';
import { isAiImageUrl, SPEECH_FORMATS, TRANSCRIPT_FORMATS } from '../ai-media.ts';
import { languageTag, requiredText } from './text.ts';

/** The most characters of an image's prompt. */
const MAX_PROMPT = 32_000;
/** The most characters of a spoken text: the limit of the common endpoints. */
const MAX_SPOKEN = 4_096;
const MAX_URL_LENGTH = 4_000;
const MAX_IMAGES_PER_CALL = 10;
/** The allowed width and height of an image in pixels. */
const SIDES = { min: 64, max: 4_096 };

/** Only the service role may set it. */
const model = z.string().min(1).max(200).nullish();

const size = z
  .string()
  .regex(/^(auto|\d{2,4}x\d{2,4})$/, 'must be a width and a height such as 1024x1024, or auto')
  .refine(
    (size) => size === 'auto' || size.split('x').every((side) => +side >= SIDES.min && +side <= SIDES.max),
    `must have sides of ${SIDES.min} to ${SIDES.max}`,
  );

/**
 * With `images`, the call modifies those; without, it generates new ones. The fields `response_format` and
 * `moderation` of similar services are ignored: the response always has a URL, and callers do not set the moderation.
 */
export const imageRequest = z.object({
  prompt: requiredText(MAX_PROMPT, 'A prompt is required.'),
  /** The URLs of the images to modify. */
  images: z
    .array(
      z
        .string()
        .max(MAX_URL_LENGTH)
        .refine(isAiImageUrl, 'must be an HTTPS address that ends in jpg, jpeg, png, gif or webp'),
      { error: 'must be a list of addresses' },
    )
    .min(1, 'At least one image is required')
    .refine((list) => list.length <= MAX_AI_IMAGES, { error: TOO_MANY_IMAGES, params: { sentence: true } })
    .nullish(),
  /** The number of images. Default: 1. */
  n: z.number().int().min(1).max(MAX_IMAGES_PER_CALL).nullish(),
  /** `1024x1024`, or `auto`. */
  size: size.nullish(),
  quality: z.enum(['auto', 'low', 'medium', 'high', 'standard', 'hd']).nullish(),
  style: z.enum(['vivid', 'natural']).nullish(),
  background: z.enum(['auto', 'transparent', 'opaque']).nullish(),
  output_format: z.enum(['png', 'jpeg', 'webp']).nullish(),
  output_compression: z.number().int().min(0).max(100).nullish(),
  model,
});

export const speechRequest = z.object({
  text: requiredText(MAX_SPOKEN, 'A text is required.'),
  voice: z.string().min(1).max(100).nullish(),
  response_format: z.enum(SPEECH_FORMATS).nullish(),
  speed: z.number().min(0.25).max(4).nullish(),
  model,
});

const AUDIO_MISSING = 'Audio is required: an address, base64 or a list of bytes.';

/**
 * Accepts any list that is not empty: its numbers, which may be millions, are checked when they are converted to
 * bytes.
 */
const audio = z.custom<string | readonly unknown[]>(
  (value) => (typeof value === 'string' && value.trim() !== '') || (Array.isArray(value) && value.length > 0),
  AUDIO_MISSING,
);

export const transcribeRequest = z.object({
  /** An http(s) URL, base64, a `data:` URL, or a list of bytes. */
  audio,
  /** A language tag such as `en` or `pt-BR`, if it is known. */
  language: languageTag.nullish(),
  response_format: z.enum(TRANSCRIPT_FORMATS).nullish(),
  model,
});

export type ImageRequest = z.input<typeof imageRequest>;
export type SpeechRequest = z.input<typeof speechRequest>;
export type TranscribeRequest = z.input<typeof transcribeRequest>;

import { z } from 'zod';
import { MAX_AI_IMAGES } from '../ai.ts';
import { isAiImageUrl, SPEECH_FORMATS, TRANSCRIPT_FORMATS } from '../ai-media.ts';

/** Characters that a picture may be described in. */
const MAX_PROMPT = 32_000;
/** What the models of the usual endpoints speak at once. */
const MAX_SPOKEN = 4_096;
const MAX_ADDRESS = 4_000;
const MAX_PICTURES = 10;
const SIDES = { min: 64, max: 4_096 };

const said = (max: number, message: string) =>
  z
    .string({ error: message })
    .max(max)
    .refine((text) => text.trim() !== '', message);
const model = z.string().min(1).max(200).nullish();

const size = z
  .string()
  .regex(/^(auto|\d{2,4}x\d{2,4})$/, 'must be a width and a height such as 1024x1024, or auto')
  .refine(
    (given) => given === 'auto' || given.split('x').every((side) => +side >= SIDES.min && +side <= SIDES.max),
    `must have sides of ${SIDES.min} to ${SIDES.max}`,
  );

/**
 * With `images`, those are changed; without, one is made. `response_format` and `moderation`, which other services of this kind know,
 * are passed over: the answer is always an address, and how careful the model is is not for callers to say.
 */
export const imageRequest = z.object({
  prompt: said(MAX_PROMPT, 'A prompt is required.'),
  images: z
    .array(
      z
        .string()
        .max(MAX_ADDRESS)
        .refine(isAiImageUrl, 'must be an HTTPS address that ends in jpg, jpeg, png, gif or webp'),
      { error: 'must be a list of addresses' },
    )
    .min(1, 'At least one image is required')
    .max(MAX_AI_IMAGES, `Maximum ${MAX_AI_IMAGES} images allowed`)
    .nullish(),
  n: z.number().int().min(1).max(MAX_PICTURES).nullish(),
  size: size.nullish(),
  quality: z.enum(['auto', 'low', 'medium', 'high', 'standard', 'hd']).nullish(),
  style: z.enum(['vivid', 'natural']).nullish(),
  background: z.enum(['auto', 'transparent', 'opaque']).nullish(),
  output_format: z.enum(['png', 'jpeg', 'webp']).nullish(),
  output_compression: z.number().int().min(0).max(100).nullish(),
  model,
});

export const speechRequest = z.object({
  text: said(MAX_SPOKEN, 'A text is required.'),
  voice: z.string().min(1).max(100).nullish(),
  response_format: z.enum(SPEECH_FORMATS).nullish(),
  speed: z.number().min(0.25).max(4).nullish(),
  model,
});

const AUDIO_MISSING = 'Audio is required: an address, base64 or a list of bytes.';

/** Of a list, only that it is one: its millions of numbers are looked at when they are made bytes. */
const audio = z.custom<string | readonly unknown[]>(
  (given) => (typeof given === 'string' && given.trim() !== '') || (Array.isArray(given) && given.length > 0),
  AUDIO_MISSING,
);

export const transcribeRequest = z.object({
  audio,
  language: z
    .string()
    .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'must be a language such as en or pt-BR')
    .nullish(),
  response_format: z.enum(TRANSCRIPT_FORMATS).nullish(),
  model,
});

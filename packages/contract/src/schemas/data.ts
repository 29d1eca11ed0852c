import { z } from 'zod';
import { MAX_CHUNK_SIZE, MAX_SEARCH_RESULTS, MIN_CHUNK_SIZE } from '../data.ts';
import { languageTag } from './text.ts';

const MAX_URL_LENGTH = 4_000;
const MAX_FIELDS = 100;
const MAX_FIELD_LENGTH = 16_000;

const url = z.string().min(1).max(MAX_URL_LENGTH);
const chunkSize = z.number().int().min(MIN_CHUNK_SIZE).max(MAX_CHUNK_SIZE);

export const extractRequest = z.object({
  url,
  chunking: z.boolean().nullish(),
  chunkSize: chunkSize.nullish(),
});

/** The fields of an upload form beside its file; all of them are text. */
export const extractFields = z.object({
  chunking: z.enum(['true', 'false', '']).nullish(),
  chunkSize: z.coerce.number().pipe(chunkSize).nullish(),
});

export const SCRAPE_FORMATS = ['markdown', 'html', 'metadata', 'links', 'extract'] as const;

export const scrapeRequest = z.object({
  url,
  formats: z.array(z.enum(SCRAPE_FORMATS)).nullish(),
});

export const screenshotRequest = z.object({
  url,
  fullPage: z.boolean().nullish(),
  width: z.number().int().min(200).max(3_840).nullish(),
  height: z.number().int().min(200).max(4_320).nullish(),
});

const fields = z
  .record(z.string().min(1).max(200), z.union([z.string().max(MAX_FIELD_LENGTH), z.number(), z.boolean()]))
  .refine((record) => Object.keys(record).length <= MAX_FIELDS, `must be ${MAX_FIELDS} at most`);

export const fetchRequest = z.object({
  url,
  method: z
    .string()
    .transform((method) => method.toUpperCase())
    .pipe(z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']))
    .nullish(),
  headers: fields.nullish(),
  query: fields.nullish(),
  /** Text is sent unchanged, any other value as JSON. */
  body: z.unknown().optional(),
  async: z.boolean().nullish(),
});

export const searchRequest = z.object({
  q: z.string().trim().min(1).max(1_000),
  /** For search engines that support locations; SearXNG does not. */
  location: z.string().max(200).nullish(),
  hl: languageTag.nullish(),
  tbm: z.enum(['nws', 'isch', 'vid', 'shop']).nullish(),
  num: z.number().int().min(1).max(MAX_SEARCH_RESULTS).nullish(),
});

import {
  type Extracted,
  type Fetched,
  type FetchTriggered,
  MAX_CHUNK_SIZE,
  MAX_DOCUMENT_BYTES,
  MAX_SEARCH_RESULTS,
  MIN_CHUNK_SIZE,
  type Scraped,
  type SearchResponse,
} from '@fabrica/contract';
import { DataError } from './http/errors.ts';
import { type HttpClient, type HttpRequest, parseBody } from './http/http.ts';

interface Abortable {
  signal?: AbortSignal | undefined;
}

export interface ExtractOptions extends Abortable {
  /** Returns the text in chunks. */
  chunking?: boolean | undefined;
  /** The most characters of a chunk. Default: 1,000. */
  chunkSize?: number | undefined;
}

/** Extracts the text of a document: HTML, PDF, DOCX or plain text. With `chunking` it returns the chunks. */
export interface Extract<Source> {
  (source: Source, options: ExtractOptions & { chunking: true }): Promise<string[]>;
  (source: Source, options?: ExtractOptions & { chunking?: false | undefined }): Promise<string>;
}

export interface ScrapeOptions<Format extends keyof Scraped> extends Abortable {
  /** Default: all formats. */
  formats?: readonly Format[] | undefined;
}

export interface ScreenshotOptions extends Abortable {
  /** Captures the whole page and not only its visible part. */
  fullPage?: boolean | undefined;
  /** Pixels. */
  width?: number | undefined;
  /** Pixels. */
  height?: number | undefined;
}

/** A request that the backend sends. `{{name}}` in query, headers or body stands for a secret of the project. */
export interface OutgoingRequest extends Abortable {
  url: string;
  /** Default: GET. */
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
  query?: Readonly<Record<string, string | number | boolean>> | undefined;
  /** Text is sent unchanged, any other value as JSON. */
  body?: unknown;
}

export interface WebSearchOptions extends Abortable {
  type?: 'news' | 'images' | 'videos' | 'shopping' | undefined;
  /** A language tag such as `de` or `pt-BR`. Default: `en`. */
  language?: string | undefined;
  /** For search engines that support locations. */
  location?: string | undefined;
  /** The most results, from 1 to 100. Default: 10. */
  limit?: number | undefined;
}

/**
 * Fetches data from the web for a signed-in user. Every call throws a DataError: VALIDATION_FAILED, INVALID_URL and
 * PAYLOAD_TOO_LARGE before anything is sent; ADDRESS_REFUSED, FORBIDDEN, FETCH_FAILED, FETCH_TIMEOUT,
 * DOCUMENT_UNREADABLE, UNSUPPORTED_MEDIA_TYPE, SEARCH_NOT_CONFIGURED, SEARCH_FAILED, BROWSER_NOT_AVAILABLE; or the
 * reason of the caller's signal.
 */
export interface DataClient {
  extractFromUrl: Extract<string>;
  /** The file may have 10 MB at most. */
  extractFromBlob: Extract<Blob>;
  scrape<Format extends keyof Scraped = keyof Scraped>(
    url: string,
    options?: ScrapeOptions<Format>,
  ): Promise<Required<Pick<Scraped, Format>>>;
  /** Returns the URL of the screenshot (PNG), which is stored as the caller's file. */
  screenshot(url: string, options?: ScreenshotOptions): Promise<string>;
  /** Returns the response, whatever its status. */
  fetch(request: OutgoingRequest): Promise<Fetched>;
  /** Resolves when the request was started; its result is not reported. */
  fetchAsync(request: OutgoingRequest): Promise<FetchTriggered>;
  search(query: string, options?: WebSearchOptions): Promise<SearchResponse>;
}

const SEARCH_TYPES = { news: 'nws', images: 'isch', videos: 'vid', shopping: 'shop' } as const;

export function createDataClient({ http, projectId }: { http: HttpClient; projectId: string }): DataClient {
  const base = `/api/data/${encodeURIComponent(projectId)}`;

  /** `field` is a field that every response to this call has. */
  async function call<T extends object>(
    name: string,
    field: string,
    content: Pick<HttpRequest, 'json' | 'form' | 'signal'>,
  ): Promise<T> {
    const path = `${base}/${name}`;
    const response = await http.request({ service: 'data', method: 'POST', path, ...content });
    return parseBody<T>(response, field as keyof T);
  }

  async function extractFromUrl(url: string, { signal, ...options }: ExtractOptions = {}) {
    requireUrl(url);
    requireChunkSize(options.chunkSize);
    const field = fieldOf(options);
    const json = { url, ...options };
    return textOf(await call<Extracted>('extract-from-url', field, { json, signal }));
  }

  async function extractFromBlob(file: Blob, { signal, ...options }: ExtractOptions = {}) {
    if (!(file instanceof Blob)) throw new DataError('VALIDATION_FAILED', 'A file is required.');
    if (file.size > MAX_DOCUMENT_BYTES) {
      const megabytes = MAX_DOCUMENT_BYTES / 1024 / 1024;
      throw new DataError('PAYLOAD_TOO_LARGE', `The file is larger than ${megabytes} MB.`);
    }
    requireChunkSize(options.chunkSize);
    const form = new FormData();
    form.append('file', file, file instanceof File ? file.name : 'file');
    for (const [name, value] of Object.entries(options)) {
      if (value !== undefined) form.append(name, String(value));
    }
    return textOf(await call<Extracted>('extract-from-blob', fieldOf(options), { form, signal }));
  }

  return {
    extractFromUrl: extractFromUrl as Extract<string>,
    extractFromBlob: extractFromBlob as Extract<Blob>,
    async scrape(url, { signal, formats } = {}) {
      requireUrl(url);
      const field = formats ? (formats[0] ?? '') : 'metadata';
      if (field === '') throw new DataError('VALIDATION_FAILED', 'At least one format is required.');
      return call('scrape', field, { json: { url, formats }, signal });
    },
    async screenshot(url, { signal, ...options } = {}) {
      requireUrl(url);
      const json = { url, ...options };
      return (await call<{ url: string }>('screenshot', 'url', { json, signal })).url;
    },
    async fetch({ signal, ...request }) {
      requireUrl(request.url);
      return call('fetch', 'headers', { json: request, signal });
    },
    async fetchAsync({ signal, ...request }) {
      requireUrl(request.url);
      return call('fetch', 'message', { json: { ...request, async: true }, signal });
    },
    async search(query, { signal, type, language = 'en', location, limit } = {}) {
      if (typeof query !== 'string' || !query.trim()) {
        throw new DataError('VALIDATION_FAILED', 'A search needs words to look for.');
      }
      if (limit !== undefined && !isIntegerBetween(limit, 1, MAX_SEARCH_RESULTS)) {
        throw new DataError(
          'VALIDATION_FAILED',
          `The limit must be a number from 1 to ${MAX_SEARCH_RESULTS}.`,
        );
      }
      const json = { q: query, location, hl: language, tbm: type && SEARCH_TYPES[type], num: limit };
      return call('search', 'organic_results', { json, signal });
    },
  };
}

function fieldOf({ chunking }: ExtractOptions): 'chunks' | 'text' {
  return chunking ? 'chunks' : 'text';
}

function textOf(extracted: Extracted): string | string[] {
  return 'chunks' in extracted ? extracted.chunks : extracted.text;
}

function requireUrl(url: unknown): void {
  if (typeof url !== 'string' || !/^https?:\/\/[^/]/i.test(url) || !URL.canParse(url)) {
    throw new DataError('INVALID_URL', 'An address that begins with http:// or https:// is required.');
  }
}

function requireChunkSize(size: number | undefined): void {
  if (size === undefined || isIntegerBetween(size, MIN_CHUNK_SIZE, MAX_CHUNK_SIZE)) return;
  throw new DataError(
    'VALIDATION_FAILED',
    `The size of a chunk must be a number from ${MIN_CHUNK_SIZE} to ${MAX_CHUNK_SIZE}.`,
  );
}

function isIntegerBetween(value: number, min: number, max: number): boolean {
  return Number.isInteger(value) && value >= min && value <= max;
}

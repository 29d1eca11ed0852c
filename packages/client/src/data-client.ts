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
import { DataError, NetworkError } from './http/errors.ts';
import type { HttpClient, HttpRequest } from './http/http.ts';

interface Abortable {
  signal?: AbortSignal | undefined;
}

export interface ExtractOptions extends Abortable {
  /** Answers the text in parts. */
  chunking?: boolean | undefined;
  /** Characters of a part at most; 1,000. */
  chunkSize?: number | undefined;
}

/** The text of a document: HTML, PDF, DOCX or plain text; in parts, if `chunking` is asked for. */
export interface Extract<Source> {
  (source: Source, options: ExtractOptions & { chunking: true }): Promise<string[]>;
  (source: Source, options?: ExtractOptions & { chunking?: false | undefined }): Promise<string>;
}

export interface ScrapeOptions<Format extends keyof Scraped> extends Abortable {
  /** All of them, if left out. */
  formats?: readonly Format[] | undefined;
}

export interface ScreenshotOptions extends Abortable {
  /** All of the page, and not what is seen of it at first. */
  fullPage?: boolean | undefined;
  /** Pixels, both. */
  width?: number | undefined;
  height?: number | undefined;
}

/** `{{name}}` in query, headers or body stands for a secret of the project's. */
export interface OutgoingRequest extends Abortable {
  url: string;
  /** GET, if left out. */
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
  query?: Readonly<Record<string, string | number | boolean>> | undefined;
  /** Text is sent as it is, anything else as JSON. */
  body?: unknown;
}

export interface WebSearchOptions extends Abortable {
  type?: 'news' | 'images' | 'videos' | 'shopping' | undefined;
  /** Such as `de` or `pt-BR`; `en`, if left out. */
  language?: string | undefined;
  /** For engines that know places. */
  location?: string | undefined;
  /** Results at most: 1 to 100; 10, if left out. */
  limit?: number | undefined;
}

/**
 * What of the web a signed-in user may have fetched. All of it throws a DataError: VALIDATION_FAILED, INVALID_URL and
 * PAYLOAD_TOO_LARGE before anything is sent; ADDRESS_REFUSED, FORBIDDEN, FETCH_FAILED, FETCH_TIMEOUT,
 * DOCUMENT_UNREADABLE, UNSUPPORTED_MEDIA_TYPE, SEARCH_NOT_CONFIGURED, SEARCH_FAILED, BROWSER_NOT_AVAILABLE; or the
 * reason of the caller's signal.
 */
export interface DataClient {
  extractFromUrl: Extract<string>;
  /** Of 10 MB at most. */
  extractFromBlob: Extract<Blob>;
  scrape<Format extends keyof Scraped = keyof Scraped>(
    url: string,
    options?: ScrapeOptions<Format>,
  ): Promise<Required<Pick<Scraped, Format>>>;
  /** Answers the address of the picture (PNG), which is kept among the caller's files. */
  screenshot(url: string, options?: ScreenshotOptions): Promise<string>;
  /** An answer of any status is one; it is in `status`. */
  fetch(request: OutgoingRequest): Promise<Fetched>;
  /** Answers as soon as the request is on its way; how it ends is told to nobody. */
  fetchAsync(request: OutgoingRequest): Promise<FetchTriggered>;
  search(query: string, options?: WebSearchOptions): Promise<SearchResponse>;
}

const SEARCH_TYPES = { news: 'nws', images: 'isch', videos: 'vid', shopping: 'shop' } as const;

export function createDataClient({ http, projectId }: { http: HttpClient; projectId: string }): DataClient {
  const base = `/api/data/${encodeURIComponent(projectId)}`;

  /** `field` is one that every answer to this call has. */
  async function call<T extends object>(
    name: string,
    field: string,
    content: Pick<HttpRequest, 'json' | 'form' | 'signal'>,
  ): Promise<T> {
    const { body, status } = await http.request({
      service: 'data',
      method: 'POST',
      path: `${base}/${name}`,
      ...content,
    });
    if (typeof body !== 'object' || body === null || !(field in body)) throw new NetworkError({ status });
    return body as T;
  }

  async function extractFromUrl(url: string, { signal, ...options }: ExtractOptions = {}) {
    requireAddress(url);
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
      requireAddress(url);
      const field = formats ? (formats[0] ?? '') : 'metadata';
      if (field === '') throw new DataError('VALIDATION_FAILED', 'At least one format is required.');
      return call('scrape', field, { json: { url, formats }, signal });
    },
    async screenshot(url, { signal, ...options } = {}) {
      requireAddress(url);
      const answer = await call<{ url: string }>('screenshot', 'url', { json: { url, ...options }, signal });
      return answer.url;
    },
    async fetch({ signal, ...request }) {
      requireAddress(request.url);
      return call('fetch', 'headers', { json: request, signal });
    },
    async fetchAsync({ signal, ...request }) {
      requireAddress(request.url);
      return call('fetch', 'message', { json: { ...request, async: true }, signal });
    },
    async search(query, { signal, type, language = 'en', location, limit } = {}) {
      if (typeof query !== 'string' || !query.trim()) {
        throw new DataError('VALIDATION_FAILED', 'A search needs words to look for.');
      }
      if (limit !== undefined && !isWholeWithin(limit, 1, MAX_SEARCH_RESULTS)) {
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

function requireAddress(url: unknown): void {
  if (typeof url !== 'string' || !/^https?:\/\/[^/]/i.test(url) || !URL.canParse(url)) {
    throw new DataError('INVALID_URL', 'An address that begins with http:// or https:// is required.');
  }
}

function requireChunkSize(size: number | undefined): void {
  if (size === undefined || isWholeWithin(size, MIN_CHUNK_SIZE, MAX_CHUNK_SIZE)) return;
  throw new DataError(
    'VALIDATION_FAILED',
    `The size of a chunk must be a number from ${MIN_CHUNK_SIZE} to ${MAX_CHUNK_SIZE}.`,
  );
}

function isWholeWithin(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most;
}

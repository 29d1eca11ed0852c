/** What the calls of `/api/data` answer. */

export interface PageMetadata {
  title: string;
  description: string;
  url: string;
  domain: string;
  favicon?: string;
  image?: string;
  author?: string;
  publishedTime?: string;
  modifiedTime?: string;
  type?: string;
  siteName?: string;
  locale?: string;
  keywords: string[];
}

export interface PageLink {
  text: string;
  url: string;
  /** `internal` leads to the same host. */
  type: 'internal' | 'external';
}

export interface Scraped {
  markdown?: string;
  html?: string;
  metadata?: PageMetadata;
  links?: PageLink[];
  extract?: { title: string; description: string; headings: string[]; text: string };
}

/** The text of a document, or with `chunking` its parts. */
export type Extracted = { text: string } | { chunks: string[] };

export interface Fetched {
  status: number;
  headers: Record<string, string>;
  /** Parsed, where it was JSON; text otherwise. */
  body: unknown;
  durationMs: number;
}

export interface FetchTriggered {
  status: 'triggered';
  message: string;
}

export interface SearchResult {
  /** From 1. */
  position: number;
  title: string;
  link: string;
  snippet: string;
}

/** Results of a kind (`tbm`) stand under its own name as well. */
export interface SearchResponse {
  search_parameters: { q: string; hl: string };
  organic_results: SearchResult[];
  related_searches: string[];
  /** Of `nws`; the date as the engine has it, empty when it has none. */
  news_results?: (SearchResult & { date: string; source: string })[];
  /** Of `isch`. */
  image_results?: (SearchResult & { original: string; thumbnail: string })[];
  /** Of `vid`; an address, or empty. */
  video_results?: (SearchResult & { thumbnail: string })[];
  /** Of `shop`; empty when the engine names no price. */
  shopping_results?: (SearchResult & { price: string; source: string })[];
}

/** Bytes of a document at most, fetched or sent: 10 MB. */
export const MAX_DOCUMENT_BYTES = 10 * 1024 * 1024;
/** Results of a search, if the request names no number, and at most. */
export const DEFAULT_SEARCH_RESULTS = 10;
export const MAX_SEARCH_RESULTS = 100;
/** Characters of a chunk, if the request names none. */
export const DEFAULT_CHUNK_SIZE = 1_000;
export const MIN_CHUNK_SIZE = 50;
export const MAX_CHUNK_SIZE = 100_000;

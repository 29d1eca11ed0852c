/** The responses and the limits of `/api/data`. */

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
  /** `internal` for a link to the same host. */
  type: 'internal' | 'external';
}

export interface Scraped {
  markdown?: string;
  html?: string;
  metadata?: PageMetadata;
  links?: PageLink[];
  extract?: { title: string; description: string; headings: string[]; text: string };
}

/** The text of a document, or its chunks when `chunking` is set. */
export type Extracted = { text: string } | { chunks: string[] };

export interface Fetched {
  status: number;
  headers: Record<string, string>;
  /** Parsed if it was JSON, else text. */
  body: unknown;
  durationMs: number;
}

export interface FetchTriggered {
  status: 'triggered';
  message: string;
}

export interface SearchResult {
  /** Starts at 1. */
  position: number;
  title: string;
  link: string;
  snippet: string;
}

/** The response of a search. Results of one kind (`tbm`) are listed under its name too. */
export interface SearchResponse {
  search_parameters: { q: string; hl: string };
  organic_results: SearchResult[];
  related_searches: string[];
  /** For `nws`; the date is in the engine's own format, empty if it has none. */
  news_results?: (SearchResult & { date: string; source: string })[];
  /** For `isch`. */
  image_results?: (SearchResult & { original: string; thumbnail: string })[];
  /** For `vid`; the thumbnail is a URL or empty. */
  video_results?: (SearchResult & { thumbnail: string })[];
  /** For `shop`; the price is empty if the engine names none. */
  shopping_results?: (SearchResult & { price: string; source: string })[];
}

/** The most bytes of a document that is fetched or uploaded: 10 MB. */
export const MAX_DOCUMENT_BYTES = 10 * 1024 * 1024;
/** The number of results of a search that names no number. */
export const DEFAULT_SEARCH_RESULTS = 10;
export const MAX_SEARCH_RESULTS = 100;
/** The characters of a chunk if the request names no size. */
export const DEFAULT_CHUNK_SIZE = 1_000;
export const MIN_CHUNK_SIZE = 50;
export const MAX_CHUNK_SIZE = 100_000;

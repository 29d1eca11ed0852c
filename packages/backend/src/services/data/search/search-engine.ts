import type { SearchResponse } from '@fabrica/contract';

export interface Search {
  query: string;
  /** Language code, such as `en` or `pt-BR`. */
  language: string;
  /** Kind of results; web pages by default. */
  kind: 'nws' | 'isch' | 'vid' | 'shop' | undefined;
  /** Results at most. */
  limit: number;
}

/** Searches the web. */
export interface SearchEngine {
  /** Throws SEARCH_FAILED when the engine fails, or the signal’s reason. */
  search(search: Search, signal: AbortSignal): Promise<SearchResponse>;
}

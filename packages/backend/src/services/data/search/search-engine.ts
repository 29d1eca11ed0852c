import type { SearchResponse } from '@fabrica/contract';

export interface Search {
  query: string;
  /** `en`, `pt-BR`. */
  language: string;
  /** Pages, if left out. */
  kind: 'nws' | 'isch' | 'vid' | 'shop' | undefined;
  /** Results at most. */
  limit: number;
}

/** Whatever looks things up in the web. */
export interface SearchEngine {
  /** Throws SEARCH_FAILED when it does not answer as it should; the signal's reason. */
  search(search: Search, signal: AbortSignal): Promise<SearchResponse>;
}

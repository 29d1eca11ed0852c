import type { SearchResult } from '@fabrica/contract';
import type { Logger } from 'pino';
import type { GuardedFetcher } from '../../fetcher/index.ts';
import type { SaveFile } from '../storage/index.ts';
import type { AiModels } from './models.ts';
import type { AiUsage } from './usage/ai-usage.ts';

/** Looks something up in the web. */
export type Search = (
  query: string,
  signal: AbortSignal,
) => Promise<Pick<SearchResult, 'title' | 'link' | 'snippet'>[]>;

/** What the AI routes work with. */
export interface AiContext {
  models: AiModels;
  usage: AiUsage;
  /** For pictures and recordings that a request names by their addresses. */
  fetcher: GuardedFetcher;
  /** Where pictures and recordings are kept that models make. */
  saveFile: SaveFile;
  /** What models may look things up with; undefined: they cannot. */
  search: Search | undefined;
  log: Logger;
  /** Milliseconds that a model may take to its first byte. */
  timeout: number;
}

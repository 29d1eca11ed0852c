import type { SearchResult } from '@fabrica/contract';
import type { Logger } from 'pino';
import type { GuardedFetcher } from '../../fetcher/index.ts';
import type { Semaphore } from '../../runtime/semaphore.ts';
import type { SaveFile } from '../storage/index.ts';
import type { RefusedTemperatures } from './calls/refused-temperatures.ts';
import type { AiModels } from './models/models.ts';
import type { AiUsage } from './usage/ai-usage.ts';

/** Searches the web. */
export type Search = (
  query: string,
  signal: AbortSignal,
) => Promise<Pick<SearchResult, 'title' | 'link' | 'snippet'>[]>;

/** The parts that the AI routes depend on. */
export interface AiContext {
  models: AiModels;
  usage: AiUsage;
  /** Fetches images and recordings that a request names by URL. */
  fetcher: GuardedFetcher;
  /** Stores images and recordings that models make. */
  saveFile: SaveFile;
  /** Searches the web for models; `undefined` when no search engine is configured. */
  search: Search | undefined;
  log: Logger;
  /** Milliseconds that a model may be silent. */
  timeout: number;
  /** Milliseconds after which a reader of a stream is notified that the model is still silent. */
  keepAlive: number;
  /** Limits the calls of the language model. */
  semaphore: Semaphore;
  temperatures: RefusedTemperatures;
}

import type { Logger } from 'pino';
import type { RequestIds } from './observed/request-ids.ts';

/** Milliseconds from which a read is logged in any case. */
const SLOW_MS = 1_000;

export interface EndedRequest extends RequestIds {
  method: string;
  /** Without its query, which may carry tokens or what a person searched for. */
  path: string;
  status: number;
  /** The time of its beginning, of `performance.now()`. */
  started: number;
}

/** Logs a request that has ended, in one line, at the level `info` unless another is given. */
export type LogRequest = (request: EndedRequest, level?: 'info' | 'debug') => void;

/**
 * Creates the function by which every request is logged. Of reads that succeed within a second, only one in `oneReadIn`
 * is.
 */
export function createRequestLog(log: Logger, oneReadIn = 1): LogRequest {
  let reads = 0;
  return ({ method, path, status, started, ...ids }, level = 'info') => {
    if (!log.isLevelEnabled(level)) return;
    const ms = Math.round((performance.now() - started) * 10) / 10;
    if (oneReadIn > 1 && status < 400 && ms < SLOW_MS && (method === 'GET' || method === 'HEAD')) {
      reads += 1;
      if (reads % oneReadIn !== 1) return;
    }
    log[level]({ ...ids, method, path, status, ms });
  };
}

import type { Logger } from 'pino';
import type { RequestIds } from './observed/request-ids.ts';

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

/** Creates the function by which every request is logged. */
export function createRequestLog(log: Logger): LogRequest {
  return ({ method, path, status, started, ...ids }, level = 'info') => {
    if (!log.isLevelEnabled(level)) return;
    const ms = Math.round((performance.now() - started) * 10) / 10;
    log[level]({ ...ids, method, path, status, ms });
  };
}

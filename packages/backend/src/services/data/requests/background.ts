import type { Logger } from 'pino';
import { AppError } from '../../../core/errors.ts';

/** Runs work after its caller has received a response. */
export interface Background {
  /** Starts work. A failure is logged by its code alone, because its message may be private. */
  run(requestId: string, work: (signal: AbortSignal) => Promise<unknown>): void;
  /** Aborts all work, and waits until it has ended. */
  close(): Promise<void>;
}

export function createBackground(log: Logger): Background {
  const closing = new AbortController();
  const underWay = new Set<Promise<void>>();
  return {
    run(requestId, work) {
      const running = work(closing.signal).then(
        () => undefined,
        (error: unknown) => {
          const code = error instanceof AppError ? error.code : 'INTERNAL_ERROR';
          if (closing.signal.aborted) log.info({ requestId }, 'A request in the background was ended');
          else log.warn({ requestId, code }, 'A request in the background failed');
        },
      );
      underWay.add(running);
      running.finally(() => underWay.delete(running));
    },
    async close() {
      closing.abort(new Error('The service is closing.'));
      await Promise.all(underWay);
    },
  };
}

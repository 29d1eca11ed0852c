import type { Logger } from 'pino';
import { AppError } from '../../../core/errors.ts';

/** Work that goes on after its caller was answered. */
export interface Background {
  /** Starts it; a failure is logged by its code alone, for its words may be somebody's. */
  run(requestId: string, work: (signal: AbortSignal) => Promise<unknown>): void;
  /** Ends what is under way, and waits until it has ended. */
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

import { AppError } from '../../../core/errors.ts';

/** Seconds after which it is worth another try. */
const RETRY_AFTER = 5;

export interface TurnOptions {
  atOnce: number;
  /** So many may wait; whoever comes then is sent away. */
  waiting: number;
}

export interface Turns {
  /** Answers what gives the turn back. Throws RATE_LIMITED when too many wait, the signal's reason. */
  take(signal: AbortSignal): Promise<() => void>;
}

/** Lets so many act at once; the others wait, in the order in which they came. */
export function createTurns({ atOnce, waiting: most }: TurnOptions): Turns {
  const waiting: (() => void)[] = [];
  let acting = 0;

  function giveBack(): void {
    const next = waiting.shift();
    // Whoever waits takes over the place, which is not free in between.
    if (next) next();
    else acting -= 1;
  }

  function wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const come = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        waiting.splice(waiting.indexOf(come), 1);
        reject(signal.reason);
      };
      waiting.push(come);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  return {
    async take(signal) {
      signal.throwIfAborted();
      if (acting < atOnce) acting += 1;
      else if (waiting.length < most) await wait(signal);
      else {
        throw new AppError(
          'RATE_LIMITED',
          'Too many pictures of pages are being taken. Please try again in a moment.',
          { retryAfter: RETRY_AFTER },
        );
      }
      return giveBack;
    },
  };
}

import { AppError } from '../core/errors.ts';

/** Seconds after which it is worth another try. */
const RETRY_AFTER = 5;

export interface FairSemaphoreOptions {
  /** Of all callers together. */
  atOnce: number;
  /** Of one of them … */
  perCaller: number;
  /** … of whom so many more may wait. */
  waitingPerCaller: number;
}

export interface Turn {
  /** Who wants it; undefined: somebody whom only the limit of all holds back. */
  caller: string | undefined;
  signal: AbortSignal;
}

/** Lets so many act at once, that what they hold in memory stays within bounds, and no caller take all the places. */
export interface FairSemaphore {
  /** Throws RATE_LIMITED when too many of this caller's wait. */
  requireRoom(caller: string | undefined): void;
  /** Does the work when its turn has come. Throws RATE_LIMITED, the signal's reason, what the work throws. */
  run<T>(turn: Turn, work: () => Promise<T>): Promise<T>;
}

interface Waiting {
  caller: string | undefined;
  come(): void;
}

export function createFairSemaphore({
  atOnce,
  perCaller,
  waitingPerCaller,
}: FairSemaphoreOptions): FairSemaphore {
  const acting: (string | undefined)[] = [];
  const waiting: Waiting[] = [];

  const mayAct = (caller: string | undefined) =>
    acting.length < atOnce && (caller === undefined || countOf(acting, caller) < perCaller);

  function requireRoom(caller: string | undefined): void {
    if (caller === undefined || mayAct(caller)) return;
    const others = waiting.map((one) => one.caller);
    if (countOf(others, caller) < waitingPerCaller) return;
    throw new AppError(
      'RATE_LIMITED',
      'Too many of your requests are under way. Please try again in a moment.',
      { retryAfter: RETRY_AFTER },
    );
  }

  /** The first of those who wait that may act. */
  function letIn(): void {
    const index = waiting.findIndex(({ caller }) => mayAct(caller));
    const [next] = index < 0 ? [] : waiting.splice(index, 1);
    if (!next) return;
    acting.push(next.caller);
    next.come();
  }

  function enter({ caller, signal }: Turn): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        waiting.splice(waiting.indexOf(one), 1);
        reject(signal.reason);
      };
      const one: Waiting = {
        caller,
        come() {
          signal.removeEventListener('abort', leave);
          resolve();
        },
      };
      waiting.push(one);
      signal.addEventListener('abort', leave, { once: true });
      letIn();
    });
  }

  return {
    requireRoom,
    async run(turn, work) {
      turn.signal.throwIfAborted();
      requireRoom(turn.caller);
      await enter(turn);
      try {
        return await work();
      } finally {
        acting.splice(acting.indexOf(turn.caller), 1);
        letIn();
      }
    },
  };
}

function countOf(callers: readonly (string | undefined)[], caller: string): number {
  return callers.filter((one) => one === caller).length;
}

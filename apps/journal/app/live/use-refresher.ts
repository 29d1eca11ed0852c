import { NetworkError } from '@fabrica/client';
import { useCallback, useEffect, useEffectEvent, useRef } from 'react';

export interface Refresher {
  /** What is shown may be old: fetch it anew, soon. */
  request(): void;
  /** Nothing more is fetched. */
  stop(): void;
}

export interface RefresherOptions {
  /** Before each fetch, a wait of up to so many ms at random: a post has many readers, and all are told at once. */
  spreadMs?: number;
  /** From the end of a fetch to the next one, at least. */
  pauseMs?: number;
  /** A fetch that failed is tried again after so many ms, twice as many each time, a minute at most. */
  retryMs?: number;
}

const LONGEST_RETRY_MS = 60_000;

/** Answers how to ask for a fetch of what is shown; it sees what is shown when it begins. */
export function useRefresher(fetchAnew: () => Promise<void>): () => void {
  const fetchLatest = useEffectEvent(fetchAnew);
  const refresher = useRef<Refresher>(null);
  useEffect(() => {
    const created = createRefresher(() => fetchLatest());
    refresher.current = created;
    return () => created.stop();
  }, []);
  return useCallback(() => refresher.current?.request(), []);
}

/** However many announcements come: at most one fetch is under way, and one waits for its end. */
export function createRefresher(
  fetchAnew: () => Promise<void>,
  { spreadMs = 300, pauseMs = 1_000, retryMs = 2_000 }: RefresherOptions = {},
): Refresher {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let underWay = false;
  let again = false;
  let stopped = false;
  let failures = 0;
  let restUntil = 0;

  const schedule = () => {
    const rest = Math.max(0, restUntil - Date.now());
    timer = setTimeout(run, rest + Math.random() * spreadMs);
  };
  const run = async () => {
    timer = undefined;
    underWay = true;
    again = false;
    try {
      await fetchAnew();
      failures = 0;
    } catch (error) {
      // That there is no connection is no fault; of others a row is told once. The next try is the answer to either.
      if (failures === 0 && !stopped && !(error instanceof NetworkError)) reportError(error);
      failures += 1;
      again = true;
    }
    underWay = false;
    const backOff = Math.min(retryMs * 2 ** (failures - 1), LONGEST_RETRY_MS);
    restUntil = Date.now() + (failures > 0 ? backOff : pauseMs);
    if (again && !stopped) schedule();
  };

  return {
    request() {
      if (stopped || timer !== undefined) return;
      if (underWay) again = true;
      else schedule();
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

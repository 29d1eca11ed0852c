import { NetworkError } from '@fabrica/client';
import { useCallback, useEffect, useEffectEvent, useRef } from 'react';

interface Refresher {
  /** Asks for a refetch, because the data may be outdated. */
  request(): void;
  /** Stops all refetches. */
  stop(): void;
}

interface RefresherOptions {
  /** Milliseconds. Each fetch waits for a random part of them, because all readers of a post get a message at once. */
  spreadMs?: number;
  /** Minimum milliseconds from the end of a fetch to the next one. */
  pauseMs?: number;
  /** Milliseconds before the first retry of a failed fetch. They double with each retry, up to a minute. */
  retryMs?: number;
}

const MAX_RETRY_MS = 60_000;

/** Returns a function that asks for a refetch. `refetch` sees the props and state of the time when it runs. */
export function useRefresher(refetch: () => Promise<void>): () => void {
  const refetchLatest = useEffectEvent(refetch);
  const refresher = useRef<Refresher>(null);
  useEffect(() => {
    const created = createRefresher(() => refetchLatest());
    refresher.current = created;
    return () => created.stop();
  }, []);
  return useCallback(() => refresher.current?.request(), []);
}

/** Creates a refresher. However many requests come, one fetch runs at a time, and at most one more waits for it. */
export function createRefresher(
  refetch: () => Promise<void>,
  { spreadMs = 300, pauseMs = 1_000, retryMs = 2_000 }: RefresherOptions = {},
): Refresher {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running = false;
  let again = false;
  let stopped = false;
  let failures = 0;
  let pausedUntil = 0;

  const schedule = () => {
    const pause = Math.max(0, pausedUntil - Date.now());
    timer = setTimeout(run, pause + Math.random() * spreadMs);
  };
  const run = async () => {
    timer = undefined;
    running = true;
    again = false;
    try {
      await refetch();
      failures = 0;
    } catch (error) {
      // A lost connection is not reported, and of several failures in a row only the first one is.
      if (failures === 0 && !stopped && !(error instanceof NetworkError)) reportError(error);
      failures += 1;
      again = true;
    }
    running = false;
    const backOff = Math.min(retryMs * 2 ** (failures - 1), MAX_RETRY_MS);
    pausedUntil = Date.now() + (failures > 0 ? backOff : pauseMs);
    if (again && !stopped) schedule();
  };

  return {
    request() {
      if (stopped || timer !== undefined) return;
      if (running) again = true;
      else schedule();
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

import { useCallback, useEffect, useEffectEvent, useRef } from 'react';
import { createRefresher, type Refresher } from './create-refresher.ts';

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

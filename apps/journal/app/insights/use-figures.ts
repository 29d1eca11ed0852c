import { useCallback, useEffect, useRef, useState } from 'react';
import { useClient } from '../client/client-context.tsx';
import { type InsightsData, type InsightsDataQuery, loadInsightsData } from './load-insights-data.ts';

export interface ShownFigures {
  status: 'loading' | 'ready' | 'failed';
  /** Those before stay until others are there, so that nothing jumps. */
  figures: InsightsData | undefined;
  /** Asks once more. */
  load(): void;
}

/** The figures of a query; nothing is asked for while there is none. */
export function useFigures(query: InsightsDataQuery | undefined): ShownFigures {
  const client = useClient();
  const [shown, setShown] = useState<Pick<ShownFigures, 'status' | 'figures'>>({
    status: 'loading',
    figures: undefined,
  });
  /** What was asked for last; answers to anything earlier are no longer wanted. */
  const latest = useRef(0);
  const { from, to, scope, userId } = query ?? {};

  const load = useCallback(async () => {
    latest.current += 1;
    const mine = latest.current;
    if (!from || !to || !scope || !userId) return;
    setShown(({ figures }) => ({ status: 'loading', figures }));
    try {
      const figures = await loadInsightsData(client, { from, to, scope, userId });
      if (mine === latest.current) setShown({ status: 'ready', figures });
    } catch (error) {
      reportError(error);
      if (mine === latest.current) setShown({ status: 'failed', figures: undefined });
    }
  }, [client, from, to, scope, userId]);

  useEffect(() => {
    void load();
    return () => {
      latest.current += 1;
    };
  }, [load]);

  return { ...shown, load: () => void load() };
}

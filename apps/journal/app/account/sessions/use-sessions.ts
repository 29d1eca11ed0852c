import type { SessionInfo } from '@fabrica/contract';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useClient } from '../../client/client-context.tsx';

export interface SessionList {
  status: 'loading' | 'ready' | 'failed';
  /** This one first, then those used last. */
  sessions: readonly SessionInfo[];
  /** Reads the list anew. */
  load(): void;
  /** Takes one that has ended off the list. */
  remove(id: string): void;
}

/** Where the account is signed in. */
export function useSessions(): SessionList {
  const { auth } = useClient();
  const [list, setList] = useState<Pick<SessionList, 'status' | 'sessions'>>({
    status: 'loading',
    sessions: [],
  });
  /** What was asked for last; answers to anything earlier are no longer wanted. */
  const latest = useRef(0);

  const load = useCallback(async () => {
    latest.current += 1;
    const mine = latest.current;
    setList({ status: 'loading', sessions: [] });
    try {
      const sessions = (await auth.sessions()).toSorted(thisThenLastUsed);
      if (mine === latest.current) setList({ status: 'ready', sessions });
    } catch (error) {
      reportError(error);
      if (mine === latest.current) setList({ status: 'failed', sessions: [] });
    }
  }, [auth]);

  useEffect(() => {
    void load();
    return () => {
      latest.current += 1;
    };
  }, [load]);

  return {
    ...list,
    load: () => void load(),
    remove: (id) =>
      setList((shown) => ({ ...shown, sessions: shown.sessions.filter((session) => session.id !== id) })),
  };
}

function thisThenLastUsed(one: SessionInfo, other: SessionInfo): number {
  return Number(other.current) - Number(one.current) || other.lastUsedAt.localeCompare(one.lastUsedAt);
}

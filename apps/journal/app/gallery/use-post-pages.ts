import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { useClient } from '../client/client-context.tsx';
import { loadPlates, type PlatePage, type PlateQuery } from './load-gallery-page.ts';

/**
 * Walls that a reader added pages to, by history entry: who comes back from a post finds the wall as it was.
 * Only the browser ever writes here, and a document has few entries.
 */
const keptWalls = new Map<string, { first: PlatePage; pages: PlatePage[] }>();

/** The first page of such a wall: behind a newer one, those that were added would not go on where it ends. */
export function keptFirstPage(key: string): PlatePage | undefined {
  return keptWalls.get(key)?.first;
}

export interface PlateWall {
  pages: readonly PlatePage[];
  nextCursor: string | null;
  loading: boolean;
  /** How many of the pages stood there before the reader left and came back. */
  restored: number;
  /** Adds the next page and answers how many plates came; rejects when they could not be loaded. */
  loadMore(): Promise<number>;
}

/** The page that was loaded with the address, and those added to it since. */
export function usePlates(first: PlatePage, query: Omit<PlateQuery, 'cursor'>): PlateWall {
  const client = useClient();
  const { key } = useLocation();
  const [added, setAdded] = useState(() => {
    const kept = keptWalls.get(key);
    return kept?.first === first ? kept : { first, pages: [] };
  });
  const [restored] = useState(added.pages.length);
  const [loading, setLoading] = useState(false);
  // A new first page (another search, a reload) starts a new wall.
  const isNewWall = added.first !== first;
  const pages = isNewWall ? [] : added.pages;
  useEffect(() => {
    if (isNewWall) keptWalls.delete(key);
  }, [isNewWall, key]);
  const last = pages.at(-1) ?? first;

  return {
    pages: [first, ...pages],
    nextCursor: last.nextCursor,
    loading,
    restored,
    async loadMore() {
      setLoading(true);
      try {
        const next = await loadPlates(client, { ...query, cursor: last.nextCursor });
        const wall = { first, pages: [...pages, next] };
        keptWalls.set(key, wall);
        setAdded(wall);
        return next.plates.length;
      } finally {
        setLoading(false);
      }
    },
  };
}

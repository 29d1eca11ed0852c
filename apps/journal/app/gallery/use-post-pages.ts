import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { useClient } from '../client/client-context.tsx';
import { type GalleryPage, type GalleryQuery, loadGalleryPage } from './load-gallery-page.ts';

/**
 * The pages that a reader added to the grid, by the key of the history entry: a reader who comes back from a post finds
 * the grid unchanged. Only the browser writes to this map, and a document has few history entries.
 */
const savedPages = new Map<string, { first: GalleryPage; added: GalleryPage[] }>();

/** Returns the first page of a saved grid. The added pages continue that page, and not a newer one. */
export function savedFirstPage(key: string): GalleryPage | undefined {
  return savedPages.get(key)?.first;
}

interface PostPages {
  pages: readonly GalleryPage[];
  nextCursor: string | null;
  loading: boolean;
  /** Tells how many of the added pages were restored when the reader came back. */
  restored: number;
  /** Adds the next page and returns the number of its posts. Rejects when it could not be loaded. */
  loadMore(): Promise<number>;
}

/** Returns the page that came with the URL and the pages that the reader added to it. */
export function usePostPages(first: GalleryPage, query: Omit<GalleryQuery, 'cursor'>): PostPages {
  const client = useClient();
  const { key } = useLocation();
  const [grid, setGrid] = useState(() => {
    const saved = savedPages.get(key);
    return saved?.first === first ? saved : { first, added: [] };
  });
  const [restored] = useState(grid.added.length);
  const [loading, setLoading] = useState(false);
  // A new first page (another search, a reload) starts a new grid.
  const isNewGrid = grid.first !== first;
  const added = isNewGrid ? [] : grid.added;
  useEffect(() => {
    if (isNewGrid) savedPages.delete(key);
  }, [isNewGrid, key]);
  const last = added.at(-1) ?? first;

  return {
    pages: [first, ...added],
    nextCursor: last.nextCursor,
    loading,
    restored,
    async loadMore() {
      setLoading(true);
      try {
        const next = await loadGalleryPage(client, { ...query, cursor: last.nextCursor });
        const longer = { first, added: [...added, next] };
        savedPages.set(key, longer);
        setGrid(longer);
        return next.posts.length;
      } finally {
        setLoading(false);
      }
    },
  };
}

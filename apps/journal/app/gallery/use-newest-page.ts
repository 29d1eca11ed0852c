import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { useClient } from '../client/client-context.tsx';
import type { Language } from '../language/languages.ts';
import { loadPlates, type PlatePage } from './load-gallery-page.ts';
import { keptFirstPage } from './use-post-pages.ts';

/**
 * The page that came with the address, or that of the wall to which a reader comes back, until they have it loaded anew:
 * then from the top, focus on its first plate.
 */
export function useNewestPage(loaded: PlatePage, language: Language) {
  const client = useClient();
  const { key } = useLocation();
  const [shown, setShown] = useState(() => ({
    since: loaded,
    page: keptFirstPage(key) ?? loaded,
    isAnew: false,
  }));
  // Another search or another language brings a page of its own.
  const { page, isAnew } = shown.since === loaded ? shown : { page: loaded, isAnew: false };
  const wall = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each page that was loaded anew
  useEffect(() => {
    if (!isAnew) return;
    window.scrollTo({ top: 0, behavior: 'instant' });
    wall.current?.querySelector('a')?.focus({ preventScroll: true });
  }, [isAnew, page]);
  const loadNewest = async () => {
    const newest = await loadPlates(client, { language, search: '', cursor: null });
    setShown({ since: loaded, page: newest, isAnew: true });
  };
  return { page, wall, loadNewest };
}

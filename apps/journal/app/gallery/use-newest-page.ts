import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import type { Language } from '../../project/languages.ts';
import { useClient } from '../client/client-context.tsx';
import { type GalleryPage, loadGalleryPage } from './load-gallery-page.ts';
import { savedFirstPage } from './use-post-pages.ts';

/**
 * Returns the first page of the grid: the one that came with the URL, or the saved one when the reader comes back.
 * `loadNewest` replaces it by the newest posts, scrolls to the top and moves the focus to the first post.
 */
export function useNewestPage(loaded: GalleryPage, language: Language) {
  const client = useClient();
  const { key } = useLocation();
  const [shown, setShown] = useState(() => ({
    loaded,
    page: savedFirstPage(key) ?? loaded,
    isReplaced: false,
  }));
  // Another search or another language brings another page with the URL.
  const { page, isReplaced } = shown.loaded === loaded ? shown : { page: loaded, isReplaced: false };
  const grid = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each page that replaced another one
  useEffect(() => {
    if (!isReplaced) return;
    window.scrollTo({ top: 0, behavior: 'instant' });
    grid.current?.querySelector('a')?.focus({ preventScroll: true });
  }, [isReplaced, page]);
  const loadNewest = async () => {
    const newest = await loadGalleryPage(client, { language, search: '', cursor: null });
    setShown({ loaded, page: newest, isReplaced: true });
  };
  return { page, grid, loadNewest };
}

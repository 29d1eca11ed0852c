import { useEffect, useRef, useState } from 'react';
import { useClient } from '../client/client-context.tsx';
import type { Language } from '../language/languages.ts';
import { loadPlates, type PlatePage } from './load-plates.ts';

/** The page that came with the address, until the reader has it loaded anew: then from the top, focus on its first plate. */
export function useNewestPage(loaded: PlatePage, language: Language) {
  const client = useClient();
  const [anew, setAnew] = useState({ since: loaded, page: loaded });
  // Another search or another language brings a page of its own.
  const page = anew.since === loaded ? anew.page : loaded;
  const wall = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (page === loaded) return;
    window.scrollTo({ top: 0, behavior: 'instant' });
    wall.current?.querySelector('a')?.focus({ preventScroll: true });
  }, [page, loaded]);
  const loadNewest = async () => {
    setAnew({ since: loaded, page: await loadPlates(client, { language, search: '', cursor: null }) });
  };
  return { page, wall, loadNewest };
}

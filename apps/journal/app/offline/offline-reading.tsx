import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { useAuth } from '../client/client-context.tsx';
import { useLanguage } from '../language/language-provider.tsx';
import { cachePage, deleteCachedPages, isCached } from './cached-pages.ts';

/**
 * Caches the pages that are read for when there is no connection. Then a link to a page that is not cached leaves the reader
 * where they are, and says so: the page that is being read must not give way to an error.
 */
export function OfflineReading() {
  const { m } = useLanguage();
  useCachedPages();
  const isRefused = useRefusedLink();
  return (
    <p role="status" className="mx-auto w-fit max-w-[calc(100%-2rem)] not-empty:my-2">
      {isRefused && (
        <span className="notice block rounded-xs border border-hairline border-l-4 border-l-ink bg-raised px-4 py-3.5 text-[0.9375rem] font-medium text-ink shadow-lg">
          {m.layout.offline.stays}
        </span>
      )}
    </p>
  );
}

/** Caches each page that is shown, and deletes all of them at a sign-out: others may use this browser next. */
function useCachedPages(): void {
  const { key, pathname, search } = useLocation();
  const address = pathname + search;
  const { m, language } = useLanguage();
  const { status } = useAuth();
  const wasSignedIn = useRef(false);
  const { title, text } = m.layout.offline;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each navigation shows a page
  useEffect(() => cachePage(address, { title, text, language }), [key, address, title, text, language]);
  useEffect(() => {
    if (status === 'authenticated') wasSignedIn.current = true;
    if (status !== 'anonymous' || !wasSignedIn.current) return;
    wasSignedIn.current = false;
    deleteCachedPages().catch(reportError);
  }, [status]);
}

/** Tells whether a link or a search was refused since the connection was lost. */
function useRefusedLink(): boolean {
  const [isRefused, setRefused] = useState(false);
  useEffect(() => {
    const leave = (event: Event) => {
      const url = navigator.onLine ? undefined : destination(event);
      if (!url) return;
      event.preventDefault();
      event.stopPropagation();
      isCached(url).then((cached) => (cached ? window.location.assign(url) : setRefused(true)));
    };
    const allow = () => setRefused(false);
    window.addEventListener('click', leave, true);
    window.addEventListener('submit', leave, true);
    window.addEventListener('online', allow);
    return () => {
      window.removeEventListener('click', leave, true);
      window.removeEventListener('submit', leave, true);
      window.removeEventListener('online', allow);
    };
  }, []);
  return isRefused;
}

/** Returns the page of this site that a press on a link or a search leads to. */
function destination(event: Event): string | undefined {
  const { target } = event;
  if (!(target instanceof Element)) return undefined;
  if (event.type === 'submit')
    return target instanceof HTMLFormElement && target.method === 'get' ? target.action : undefined;
  const link = target.closest<HTMLAnchorElement>('a[href]');
  if (!link || link.target === '_blank' || link.hasAttribute('download')) return undefined;
  const { origin, pathname, search } = new URL(link.href);
  const isHere = pathname === window.location.pathname && search === window.location.search;
  // A link to a stored image opens it within the page, which needs no other page.
  const isFile = pathname.startsWith('/storage/');
  return origin === window.location.origin && !isHere && !isFile ? link.href : undefined;
}

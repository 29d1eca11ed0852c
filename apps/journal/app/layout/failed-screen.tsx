import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { useLanguage } from '../language/language-provider.tsx';
import { isCached } from '../offline/cached-pages.ts';
import { useSite } from '../site/site.ts';
import { buttonClass } from '../ui/button-class.ts';

/** Tells that a page could not be rendered or fetched, and offers another try. */
export function FailedScreen() {
  const { m } = useLanguage();
  const site = useSite();
  const { pathname, search } = useLocation();
  useCachedPage();
  return (
    <div className="page-width grid justify-items-start gap-5 py-20 sm:py-28">
      <title>{`${m.layout.failedTitle} · ${site.name}`}</title>
      <h1 className="display-title max-w-2xl">{m.layout.failedTitle}</h1>
      <p className="max-w-xl text-lg leading-relaxed text-muted">{m.layout.failedText}</p>
      {/* This link reloads the document, as the page's own code may have failed. */}
      <a href={`${pathname}${search}`} className={`${buttonClass()} mt-3`}>
        {m.layout.tryAgain}
      </a>
    </div>
  );
}

/** Loads the page that the browser has cached, after a step back without a connection. */
function useCachedPage(): void {
  useEffect(() => {
    if (navigator.onLine) return;
    isCached(window.location.href).then((cached) => cached && window.location.reload());
  }, []);
}

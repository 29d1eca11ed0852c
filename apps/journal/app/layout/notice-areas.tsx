import { Suspense, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useLocation } from 'react-router';
import { useLanguage } from '../language/language-provider.tsx';
import { loadLater } from '../ui/load-later.ts';
import { noticeList } from '../ui/notify.ts';
import { waitingToasts } from '../ui/toasts.tsx';
import { useTheme } from './theme.ts';

const NoticeArea = loadLater(async () => (await import('../ui/notice-area.tsx')).NoticeArea);
const ToastArea = loadLater(async () => (await import('../ui/toast-area.tsx')).ToastArea);

/**
 * Shows both notification areas. They are in every page from the start; what fills them loads after the page, which can
 * be read without it. Where the header folds, notices take up room below it rather than lie over the page.
 */
export function NoticeAreas() {
  const { m } = useLanguage();
  const theme = useTheme();
  const needed = useNeeded();
  const areas = useRef<HTMLDivElement>(null);
  useEffect(() => (areas.current ? uncoverFocus(areas.current) : undefined), []);
  const labels = { label: m.layout.notices, closeLabel: m.layout.closeNotice };
  // Named as the libraries name them, by the keys that lead to them.
  const [emptyFirst, emptySecond] = ['(F8)', 'altT'].map((key) => (
    <section key={key} aria-label={`${m.layout.notices} ${key}`} aria-live="polite" />
  ));
  return (
    <div ref={areas} className="notice-areas">
      <div data-area="top-center">
        <Suspense fallback={emptyFirst}>{needed ? <NoticeArea {...labels} /> : emptyFirst}</Suspense>
      </div>
      <div data-area="top-right">
        <Suspense fallback={emptySecond}>
          {needed ? <ToastArea {...labels} theme={theme} /> : emptySecond}
        </Suspense>
      </div>
    </div>
  );
}

/** Scrolls the focused control from below a notice that appears. Returns a function that ends this. */
function uncoverFocus(areas: HTMLElement): () => void {
  const observer = new ResizeObserver(() => {
    const focused = document.activeElement;
    if (!focused || focused === document.body || areas.contains(focused)) return;
    const { top, bottom, height } = areas.getBoundingClientRect();
    const control = focused.getBoundingClientRect();
    const isCovered = height > 0 && control.top < bottom && control.bottom > top;
    // What is larger than a control, such as the main text after a change of page, is not in use.
    if (isCovered && control.height < window.innerHeight / 2)
      window.scrollBy(0, control.top - bottom - GAP_PX);
  });
  observer.observe(areas);
  return () => observer.disconnect();
}

const GAP_PX = 8;

/**
 * Tells whether the areas are needed. On the gallery, where most readers start, their code loads with the first notice:
 * it shows none unless something fails. Elsewhere it is there before anything fails, such as the connection.
 */
function useNeeded(): boolean {
  const { pathname } = useLocation();
  const waiting = useSyncExternalStore(subscribe, isAnyWaiting, () => false);
  const [needed, setNeeded] = useState(false);
  useEffect(() => {
    if (waiting || pathname !== '/gallery') setNeeded(true);
  }, [waiting, pathname]);
  return needed;
}

function subscribe(listener: () => void): () => void {
  const ends = [noticeList.subscribe(listener), waitingToasts.subscribe(listener)];
  return () => {
    for (const end of ends) end();
  };
}

const isAnyWaiting = () => noticeList.getNotices().length > 0 || waitingToasts.any();

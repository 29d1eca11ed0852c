import { type ReactNode, Suspense, useEffect, useRef, useState, useSyncExternalStore } from 'react';
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
 * be read without it. Notices take up room below the header rather than lie over the page. The children are further notices.
 */
export function NoticeAreas({ children }: { children: ReactNode }) {
  const { m } = useLanguage();
  const theme = useTheme();
  const needed = useNeeded();
  const areas = useRef<HTMLDivElement>(null);
  useEffect(() => (areas.current ? uncoverControls(areas.current) : undefined), []);
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
      {children}
    </div>
  );
}

/**
 * Scrolls the controls of a scrolled page from below the notices that appear. Returns a function that ends this.
 */
function uncoverControls(areas: HTMLElement): () => void {
  const observer = new ResizeObserver(() => {
    const notices = [...areas.querySelectorAll('.notice')].map((notice) => notice.getBoundingClientRect());
    if (notices.length === 0) return;
    const covered = [...document.querySelectorAll<HTMLElement>(CONTROLS)]
      .map((control) => control.getBoundingClientRect())
      // What is as large as a card can be pressed beside a notice.
      .filter((control) => control.height > 0 && control.height < window.innerHeight / 2)
      .filter((control) => notices.some((notice) => overlap(control, notice)));
    if (covered.length === 0) return;
    const { bottom } = areas.getBoundingClientRect();
    window.scrollBy(0, Math.min(...covered.map(({ top }) => top)) - bottom - GAP_PX);
  });
  observer.observe(areas);
  return () => observer.disconnect();
}

function overlap(one: DOMRect, other: DOMRect): boolean {
  return one.left < other.right && one.right > other.left && one.top < other.bottom && one.bottom > other.top;
}

const CONTROLS = 'main :is(a[href], button, input, select, summary, textarea)';
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

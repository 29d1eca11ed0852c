import {
  type ReactNode,
  Suspense,
  startTransition,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { useLocation } from 'react-router';
import { useLanguage } from '../language/language-provider.tsx';
import { whenIdle } from '../live/while-visible.ts';
import { loadLater } from '../ui/load-later.ts';
import { noticeList } from '../ui/notify.ts';
import { waitingToasts } from '../ui/toasts.tsx';
import { useTheme } from './theme.ts';
import { uncoverControls } from './uncover-controls.ts';

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

/** Pages that are read or written on, where nothing fails before somebody does something. */
const QUIET_PAGES = /^\/(?:gallery|post\/[^/]+|admin(?:\/posts\/[^/]+)?)$/;
const FIRST_USES = ['scroll', 'pointerdown', 'keydown', 'focusin', 'submit'];

/**
 * Tells whether the areas are needed. Their code is there before anything fails, such as the connection: at once, but on a
 * quiet page, once it is idle after its first use or scroll. The first notice loads it in any case.
 */
function useNeeded(): boolean {
  const { pathname } = useLocation();
  const isQuiet = QUIET_PAGES.test(pathname);
  const waiting = useSyncExternalStore(subscribe, isAnyWaiting, () => false);
  const [needed, setNeeded] = useState(false);
  useEffect(() => {
    if (waiting || !isQuiet) setNeeded(true);
  }, [waiting, isQuiet]);
  useEffect(() => {
    let cancel = () => {};
    const stop = () => {
      for (const name of FIRST_USES) document.removeEventListener(name, load, true);
    };
    const load = () => {
      stop();
      cancel = whenIdle(() => startTransition(() => setNeeded(true)));
    };
    for (const name of FIRST_USES) document.addEventListener(name, load, true);
    return () => {
      stop();
      cancel();
    };
  }, []);
  return needed;
}

function subscribe(listener: () => void): () => void {
  const ends = [noticeList.subscribe(listener), waitingToasts.subscribe(listener)];
  return () => {
    for (const end of ends) end();
  };
}

const isAnyWaiting = () => noticeList.getNotices().length > 0 || waitingToasts.any();

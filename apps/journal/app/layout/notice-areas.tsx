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
import { noticeLists } from '../ui/toasts.tsx';
import { uncoverControls } from './uncover-controls.ts';

const NoticeArea = loadLater(async () => (await import('../ui/notice-area.tsx')).NoticeArea);

/** Both areas, with the keys that lead to them. */
const AREAS = [
  { place: 'top-center', hotkey: ['F8'], keys: 'F8' },
  { place: 'top-right', hotkey: ['altKey', 'KeyT'], keys: 'Alt+T' },
] as const;

/**
 * Shows both notification areas. They are in every page from the start; what fills them loads after the page, which can
 * be read without it. Notices take up room below the header rather than lie over the page. The children are further notices.
 */
export function NoticeAreas({ children }: { children: ReactNode }) {
  const { m } = useLanguage();
  const needed = useNeeded();
  const areas = useRef<HTMLDivElement>(null);
  useEffect(() => (areas.current ? uncoverControls(areas.current) : undefined), []);
  const labels = { label: m.layout.notices, closeLabel: m.layout.closeNotice };
  return (
    <div ref={areas} className="notice-areas">
      {AREAS.map(({ place, hotkey, keys }) => {
        const name = `${m.layout.notices} (${keys})`;
        const empty = <section aria-label={name} aria-live="polite" />;
        return (
          <div key={place} data-area={place}>
            <Suspense fallback={empty}>
              {needed ? <NoticeArea {...{ place, name, ...labels }} hotkey={[...hotkey]} /> : empty}
            </Suspense>
          </div>
        );
      })}
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

const lists = Object.values(noticeLists);

function subscribe(listener: () => void): () => void {
  const ends = lists.map((list) => list.subscribe(listener));
  return () => {
    for (const end of ends) end();
  };
}

const isAnyWaiting = () => lists.some((list) => list.getNotices().length > 0);

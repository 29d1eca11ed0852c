import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { useLocation } from 'react-router';
import { useLanguage } from '../language/language-provider.tsx';
import { noticeList } from '../ui/notify.ts';
import { useTheme } from './theme.ts';

const NoticeArea = lazy(() =>
  onceOnline(() => import('../ui/notice-area.tsx').then((module) => ({ default: module.NoticeArea }))),
);
const ToastArea = lazy(() =>
  onceOnline(() => import('../ui/toast-area.tsx').then((module) => ({ default: module.ToastArea }))),
);

/** Loads a module, and tries again as soon as the browser is online. The page works without it. */
function onceOnline<T>(load: () => Promise<T>): Promise<T> {
  return load().catch(async () => {
    await new Promise((resolve) => window.addEventListener('online', resolve, { once: true }));
    return onceOnline(load);
  });
}

/** Shows both notification areas. They load after the page, which can be read without them. */
export function NoticeAreas() {
  const { m } = useLanguage();
  const theme = useTheme();
  if (!useNeeded()) return null;
  const labels = { label: m.layout.notices, closeLabel: m.layout.closeNotice };
  return (
    <Suspense>
      <NoticeArea {...labels} />
      <ToastArea {...labels} theme={theme} />
    </Suspense>
  );
}

/**
 * Tells whether the areas are needed. On the gallery, where most readers start, they load with the first notice: it
 * shows none unless something fails.
 */
function useNeeded(): boolean {
  const { pathname } = useLocation();
  const waiting = useSyncExternalStore(
    noticeList.subscribe,
    () => noticeList.getNotices().length > 0,
    () => false,
  );
  const [needed, setNeeded] = useState(false);
  useEffect(() => {
    if (waiting || pathname !== '/gallery') setNeeded(true);
  }, [waiting, pathname]);
  return needed;
}

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

/** What does not load for want of a connection is loaded when that is back; the page goes on without it. */
function onceOnline<T>(load: () => Promise<T>): Promise<T> {
  return load().catch(async () => {
    await new Promise((resolve) => window.addEventListener('online', resolve, { once: true }));
    return onceOnline(load);
  });
}

/** Both notification areas; they come after the page, which does not need them to be read. */
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

/** Most readers come in by the gallery, which says nothing unless something fails: it waits for the first notice. */
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

import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';

/** Announces a new page to screen readers, and moves a lost focus to the start of its content. */
export function PageAnnouncer() {
  const { pathname } = useLocation();
  const [title, setTitle] = useState('');
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    setTitle(document.title);
    if (document.activeElement === document.body || document.activeElement === null) {
      document.getElementById('content')?.focus({ preventScroll: true });
    }
  }, [pathname]);
  return (
    <p aria-live="polite" className="sr-only">
      {title}
    </p>
  );
}

import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { isSamePage } from './canonical-address.ts';

/** Announces a new page to screen readers, and moves a lost focus to the start of its content. */
export function PageAnnouncer() {
  const { pathname, search } = useLocation();
  const address = pathname + search;
  const [title, setTitle] = useState('');
  const shown = useRef({ pathname, address });
  useEffect(() => {
    const before = shown.current;
    shown.current = { pathname, address };
    if (before.pathname === pathname || isSamePage(before.address, address)) return;
    setTitle(document.title);
    if (document.activeElement === document.body || document.activeElement === null) {
      document.getElementById('content')?.focus({ preventScroll: true });
    }
  }, [pathname, address]);
  return (
    <p aria-live="polite" className="sr-only">
      {title}
    </p>
  );
}

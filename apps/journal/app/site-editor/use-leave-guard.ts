import { useEffect } from 'react';
import { useBlocker } from 'react-router';

interface LeaveGuard {
  /** Whether somebody wants to go to another page of the site, and is to be asked. */
  isAsked: boolean;
  leave(): void;
  stay(): void;
}

/** Keeps a page with unsaved changes from being left by a link of the site; the browser asks before a reload or a closed tab. */
export function useLeaveGuard(changed: boolean): LeaveGuard {
  const { state, proceed, reset } = useBlocker(
    ({ currentLocation, nextLocation }) => changed && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (!changed) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [changed]);
  return { isAsked: state === 'blocked', leave: () => proceed?.(), stay: () => reset?.() };
}

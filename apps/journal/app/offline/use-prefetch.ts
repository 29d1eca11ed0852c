import { useSyncExternalStore } from 'react';

/**
 * Returns when links load the page that they lead to: as soon as they are pointed at, and never without a connection.
 * React Router reloads the whole page when the code of a route cannot be loaded, also while it only prefetches.
 */
export function usePrefetch(): 'intent' | 'none' {
  return useSyncExternalStore(subscribe, isOnline, () => true) ? 'intent' : 'none';
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

const isOnline = () => navigator.onLine;

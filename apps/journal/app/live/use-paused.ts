import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useClient } from '../client/client-context.tsx';

/** Milliseconds. A shorter gap ends before a reader misses anything. */
const PAUSED_AFTER_MS = 10_000;

/** Returns whether the page has lost its connection for a while, so that it shows no live changes. */
export function usePaused(): boolean {
  const { realtime } = useClient();
  const isConnected = useSyncExternalStore(
    (listener) => realtime.onState(listener),
    () => realtime.getState().status === 'connected',
    () => false,
  );
  const [isPaused, setPaused] = useState(false);
  const wasConnected = useRef(false);
  useEffect(() => {
    wasConnected.current ||= isConnected;
    setPaused(false);
    if (isConnected || !wasConnected.current) return;
    // A hidden tab disconnects on purpose.
    const showPaused = () => setPaused(document.visibilityState === 'visible');
    const timer = setTimeout(showPaused, PAUSED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isConnected]);
  return isPaused;
}

import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useClient } from '../client/client-context.tsx';

/** A shorter gap is closed before anybody misses anything. */
const PAUSED_AFTER_MS = 10_000;

/** Whether the connection that there was has been gone for a while, and what is shown no longer moves. */
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
    // A tab that nobody looks at has let go by itself.
    const tell = () => setPaused(document.visibilityState === 'visible');
    const timer = setTimeout(tell, PAUSED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isConnected]);
  return isPaused;
}

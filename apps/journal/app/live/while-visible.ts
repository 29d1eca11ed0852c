/** Milliseconds after which a hidden tab stops: a server holds ten thousand sockets, and not one for every open tab. */
const STOP_AFTER_MS = 5 * 60_000;
/** Milliseconds after which `start` runs even if the page is not idle yet. */
const IDLE_TIMEOUT_MS = 2_000;

/**
 * Runs `start` when the page is visible and idle. Runs the function that `start` returns when the tab has been hidden for
 * five minutes, and `start` again when it is visible again. Returns a function that ends this.
 */
export function whileVisible(start: () => () => void): () => void {
  let stop: (() => void) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let cancelWait = () => {};
  const begin = () => {
    stop ??= start();
  };
  const end = () => {
    stop?.();
    stop = undefined;
  };
  const update = () => {
    clearTimeout(timer);
    cancelWait();
    if (document.visibilityState === 'hidden') timer = setTimeout(end, STOP_AFTER_MS);
    else cancelWait = whenIdle(begin);
  };
  document.addEventListener('visibilitychange', update);
  update();
  return () => {
    document.removeEventListener('visibilitychange', update);
    clearTimeout(timer);
    cancelWait();
    end();
  };
}

/** Runs a function once the page is idle. Returns a function that cancels this. */
export function whenIdle(callback: () => void): () => void {
  // Safari has no `requestIdleCallback`.
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(callback, IDLE_TIMEOUT_MS / 10);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(callback, { timeout: IDLE_TIMEOUT_MS });
  return () => cancelIdleCallback(handle);
}

/** A tab that nobody has looked at for so long lets go: a server holds ten thousand sockets, not every open tab. */
const LET_GO_MS = 5 * 60_000;
/** What comes with the page goes first, but not for longer than this. */
const PATIENCE_MS = 2_000;

/**
 * Runs `start` as soon as the page has nothing better to do and is looked at, what it answers when the tab has been
 * hidden for a while, and both anew when it is shown again. The function that comes back ends it.
 */
export function whileWatched(start: () => () => void): () => void {
  let stop: (() => void) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let cancelWait = () => {};
  const begin = () => {
    stop ??= start();
  };
  const letGo = () => {
    stop?.();
    stop = undefined;
  };
  const look = () => {
    clearTimeout(timer);
    cancelWait();
    if (document.visibilityState === 'hidden') timer = setTimeout(letGo, LET_GO_MS);
    else cancelWait = whenIdle(begin);
  };
  document.addEventListener('visibilitychange', look);
  look();
  return () => {
    document.removeEventListener('visibilitychange', look);
    clearTimeout(timer);
    cancelWait();
    letGo();
  };
}

function whenIdle(act: () => void): () => void {
  // Safari has none.
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(act, PATIENCE_MS / 10);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(act, { timeout: PATIENCE_MS });
  return () => cancelIdleCallback(handle);
}

import type { WindowLike } from '../window.ts';

/** Milliseconds to wait for another tab: a frozen one never lets go, and the server's grace covers two at once. */
const LOCK_WAIT_MS = 10_000;

/** Runs `work` while no other tab runs work of this name, where the browser has Web Locks. */
export async function runExclusively<T>(
  window: WindowLike | undefined,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  const locks = window?.navigator.locks;
  if (!locks) return work();
  const impatience = new AbortController();
  const timer = setTimeout(() => impatience.abort(), LOCK_WAIT_MS);
  let began = false;
  try {
    return await locks.request(name, { signal: impatience.signal }, () => {
      began = true;
      clearTimeout(timer);
      return work();
    });
  } catch (error) {
    if (began) throw error;
    return work();
  } finally {
    clearTimeout(timer);
  }
}

import type { WindowLike } from '../../browser/window.ts';
import type { TabChannel } from './tab-channel.ts';

/**
 * Milliseconds to wait for another tab. A frozen tab never releases its lock, and the server accepts a used refresh
 * token for 10 s.
 */
const LOCK_TIMEOUT_MS = 9_000;

/** The means of coordination with the other tabs of this browser. */
export interface OtherTabs {
  window: WindowLike;
  channel: TabChannel;
}

/**
 * Runs `work` while no other tab runs work of this name. Without Web Locks (plain HTTP on a local network) the tab
 * announces its work and waits for the announced work of others; two tabs that start at the same moment both run.
 */
export async function runExclusively<T>(
  tabs: OtherTabs | undefined,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  if (!tabs) return work();
  const { locks } = tabs.window.navigator;
  if (!locks) return runAnnounced(tabs.channel, work);
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), LOCK_TIMEOUT_MS);
  let hasStarted = false;
  try {
    return await locks.request(name, { signal: timeout.signal }, () => {
      hasStarted = true;
      clearTimeout(timer);
      return work();
    });
  } catch (error) {
    if (hasStarted) throw error;
    return work();
  } finally {
    clearTimeout(timer);
  }
}

async function runAnnounced<T>(channel: TabChannel, work: () => Promise<T>): Promise<T> {
  await channel.waitForRefresh();
  channel.post('refresh begun');
  try {
    return await work();
  } finally {
    channel.post('refresh over');
  }
}

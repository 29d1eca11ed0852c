import type { WindowLike } from '../../browser/window.ts';
import type { TabChannel } from './tab-channel.ts';

/** Milliseconds to wait for another tab: a frozen one never lets go, and the server's grace of 10 s covers two. */
const LOCK_WAIT_MS = 9_000;

export interface OtherTabs {
  window: WindowLike;
  channel: TabChannel;
}

/**
 * Runs `work` while no other tab runs work of this name. Where there are no Web Locks (plain http on a local network)
 * a tab announces its work and waits for what others have announced; two that begin at the same moment both run.
 */
export async function runExclusively<T>(
  tabs: OtherTabs | undefined,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  if (!tabs) return work();
  const { locks } = tabs.window.navigator;
  if (!locks) return runAnnounced(tabs.channel, work);
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

async function runAnnounced<T>(channel: TabChannel, work: () => Promise<T>): Promise<T> {
  await channel.othersAtRest();
  channel.tell('refresh begun');
  try {
    return await work();
  } finally {
    channel.tell('refresh over');
  }
}

import type { BroadcastChannelLike, WindowLike } from '../../browser/window.ts';

/** Milliseconds to wait for another tab's refresh: after that it may have stopped halfway. */
const OTHER_REFRESH_TIMEOUT_MS = 2_000;

/** A message between tabs. It never carries a token: a tab that receives `changed` reads the shared storage. */
type TabMessage = 'changed' | 'refresh begun' | 'refresh over';

export interface TabChannel {
  /** Sends a message to this project's other tabs. */
  post(message: TabMessage): void;
  /** Resolves when no other tab has announced a refresh, after 2 s at most. */
  waitForRefresh(): Promise<void>;
}

interface TabChannelOptions {
  window: WindowLike;
  projectId: string;
  /** Closes the channel. */
  signal: AbortSignal;
  onChange(): void;
}

/** Opens a channel between the tabs of one browser. It does nothing where there is no BroadcastChannel. */
export function openTabChannel({ window, projectId, signal, onChange }: TabChannelOptions): TabChannel {
  let channel: BroadcastChannelLike | undefined;
  let otherRefresh: Promise<void> | undefined;
  let endWait = () => {};

  function onMessage({ data }: { readonly data: unknown }): void {
    if (data === 'changed') onChange();
    else if (data === 'refresh over') endWait();
    else if (data === 'refresh begun') onRefreshBegun();
  }

  function onRefreshBegun(): void {
    endWait();
    otherRefresh = new Promise((resolve) => {
      const timer = setTimeout(() => endWait(), OTHER_REFRESH_TIMEOUT_MS);
      endWait = () => {
        clearTimeout(timer);
        otherRefresh = undefined;
        resolve();
      };
    });
  }

  function connect(): void {
    if (channel || !window.BroadcastChannel) return;
    try {
      channel = new window.BroadcastChannel(`fabrica_session_${projectId}`);
      channel.addEventListener('message', onMessage);
    } catch {
      // The browser denies the page a channel and a storage alike: then tabs share nothing anyway.
    }
  }

  function disconnect(): void {
    channel?.close();
    channel = undefined;
    endWait();
  }

  connect();
  // An open channel keeps a page out of the back/forward cache.
  window.addEventListener('pagehide', disconnect, { signal });
  window.addEventListener('pageshow', connect, { signal });
  signal.addEventListener('abort', disconnect, { once: true });

  return {
    post: (message) => channel?.postMessage(message),
    waitForRefresh: () => otherRefresh ?? Promise.resolve(),
  };
}

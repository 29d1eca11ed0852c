import type { BroadcastChannelLike, WindowLike } from '../../browser/window.ts';

/** Milliseconds that another tab's refresh is waited for: one that takes longer may have stopped half way. */
const OTHER_REFRESH_WAIT_MS = 2_000;

/** No message carries a token: whoever hears of a change reads the shared storage. */
export type TabMessage = 'changed' | 'refresh begun' | 'refresh over';

export interface TabChannel {
  /** Says something to this project's other tabs. */
  tell(message: TabMessage): void;
  /** Resolves when no other tab says that it is refreshing, after 2 s at most. */
  othersAtRest(): Promise<void>;
}

export interface TabChannelOptions {
  window: WindowLike;
  projectId: string;
  /** Closes the channel. */
  signal: AbortSignal;
  onChange(): void;
}

/** What the tabs of one browser tell each other beside the storage's own events; without BroadcastChannel, nothing. */
export function openTabChannel({ window, projectId, signal, onChange }: TabChannelOptions): TabChannel {
  let channel: BroadcastChannelLike | undefined;
  let refreshing: Promise<void> | undefined;
  let endWait = () => {};

  function hear({ data }: { readonly data: unknown }): void {
    if (data === 'changed') onChange();
    else if (data === 'refresh over') endWait();
    else if (data === 'refresh begun') awaitRefresh();
  }

  function awaitRefresh(): void {
    endWait();
    refreshing = new Promise((resolve) => {
      const timer = setTimeout(() => endWait(), OTHER_REFRESH_WAIT_MS);
      endWait = () => {
        clearTimeout(timer);
        refreshing = undefined;
        resolve();
      };
    });
  }

  function connect(): void {
    if (channel || !window.BroadcastChannel) return;
    try {
      channel = new window.BroadcastChannel(`fabrica_session_${projectId}`);
      channel.addEventListener('message', hear);
    } catch {
      // Closed to the page along with its storage, which then shares nothing anyway.
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
    tell: (message) => channel?.postMessage(message),
    othersAtRest: () => refreshing ?? Promise.resolve(),
  };
}

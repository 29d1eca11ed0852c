import { PAGE_VIEW } from '@fabrica/contract';
import { openStorage } from '../browser/window.ts';
import type { AnalyticsClientOptions, AnalyticsWindow, EventData } from './analytics-types.ts';
import type { Tracker } from './tracker.ts';

/**
 * Counts events without a cookie and without a user's name. No method throws or blocks. In a browser it is on, unless
 * the reader has set Do Not Track or Global Privacy Control; elsewhere it is off until `enable`.
 */
export interface AnalyticsClient {
  log(type: string, data?: EventData): void;
  /** Logs a view of the current page, or of `path`, without query and fragment. */
  pageView(path?: string): void;
  /** Undoes `disable`. It does not override the reader's own setting for all sites. */
  enable(): void;
  /** Turns counting off in this browser. Discards the events that were not sent, and the session. */
  disable(): void;
  isEnabled(): boolean;
  /** Adds the user's id to later events. No event has a user's id before this is called. */
  setUserId(id: string | null): void;
  /** Removes the campaign, the channel and the referrer of this session. */
  clearAttribution(): void;
  /** Sends the waiting events. Resolves when they are sent, or stored for later. */
  flush(): Promise<void>;
  /** Removes listeners and timers. Waiting events stay for the next start. */
  destroy(): void;
}

/**
 * Creates the client of analytics. It decides at once whether to count. The rest is loaded with the first event, when
 * the page is idle, so that no reader waits for it. A reader who leaves earlier is not counted.
 */
export function createAnalyticsClient(options: AnalyticsClientOptions): AnalyticsClient {
  const { projectId, now } = options;
  const window: AnalyticsWindow | undefined = options.window;
  const storage = openStorage(() => window?.localStorage);
  const closing = new AbortController();
  const key = `fabrica_analytics_${projectId}`;
  let choice = window ? 'on' : 'off';
  let userId: string | null = null;
  let tracker: Promise<Tracker> | undefined;

  const isEnabled = () =>
    !refusesTracking(window) && (attempt(() => storage?.getItem(key)) ?? choice) === 'on';
  const choose = (next: 'on' | 'off') => {
    choice = next;
    attempt(() => storage?.setItem(key, next));
  };
  const load = async () => {
    await untilIdle(window);
    const module = await import('./tracker.ts');
    return new module.Tracker({ ...options, key, storage, isEnabled, signal: closing.signal });
  };
  const run = async (act: (tracker: Tracker) => unknown) => {
    tracker ??= load();
    const loaded = await tracker.catch(() => undefined);
    // A module that could not be loaded is requested again with the next event.
    if (loaded) await act(loaded);
    else tracker = undefined;
  };
  const log = (type: string, data?: EventData) => {
    if (!isEnabled()) return;
    const context = { at: now(), href: window?.location.href, userId };
    const copy = attempt(() => ({ ...data }));
    void run((loaded) => loaded.record(type, copy, context));
  };
  if (refusesTracking(window)) {
    // The reader may have set this only now: stored events are no longer sent.
    for (const name of ['queue', 'session']) attempt(() => storage?.removeItem(`${key}_${name}`));
  } else if (attempt(() => storage?.getItem(`${key}_queue`))) {
    // An earlier page could not send these events.
    void run(() => {});
  }
  return {
    log,
    pageView: (path) => log(PAGE_VIEW, { pathname: path }),
    isEnabled,
    enable: () => choose('on'),
    disable() {
      choose('off');
      void run((loaded) => loaded.clear());
    },
    setUserId(id) {
      userId = id;
    },
    clearAttribution: () => void run((loaded) => loaded.clearAttribution()),
    flush: () => run((loaded) => loaded.flush()),
    destroy: () => closing.abort(),
  };
}

/** Resolves when the page is idle, or with the next task where browsers cannot tell. */
function untilIdle(window: AnalyticsWindow | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (window?.requestIdleCallback) window.requestIdleCallback(resolve, { timeout: 2_000 });
    else setTimeout(resolve);
  });
}

/** Returns whether the reader does not want to be counted. Old browsers set this on the window, some as a word. */
function refusesTracking(window: AnalyticsWindow | undefined): boolean {
  const { doNotTrack, globalPrivacyControl } = window?.navigator ?? {};
  return globalPrivacyControl === true || /^(1|yes)$/.test(String(doNotTrack ?? window?.doNotTrack));
}

/** Returns undefined instead of throwing: a storage may be closed to the page, or full. */
function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

import { PAGE_VIEW } from '@fabrica/contract';
import { openStorage, type WindowLike } from '../browser/window.ts';
import type { AnalyticsWindow } from './analytics-window.ts';
import type { Tracker } from './tracker.ts';

/** What an event says besides its type; texts are cut at 256 characters. */
export type EventData = Readonly<Record<string, unknown>>;

/**
 * Counts what happens, without a cookie and without a name. Nothing here throws or keeps anybody waiting. In a browser
 * it is on unless the reader's do-not-track or Global Privacy Control is; elsewhere it is off until `enable`.
 */
export interface AnalyticsClient {
  log(type: string, data?: EventData): void;
  /** Somebody looks at a page: that of the address, or of `path`. Queries and fragments are left out. */
  pageView(path?: string): void;
  /** Takes `disable` back. It does not overrule what the reader has asked of all sites. */
  enable(): void;
  /** Remembered in this browser. What waits to be sent is thrown away, and the session forgotten. */
  disable(): void;
  isEnabled(): boolean;
  /** Names the user in the events from now on; nobody is named unless this is called. */
  setUserId(id: string | null): void;
  /** Forgets where this session came from: campaign, channel and referrer. */
  clearAttribution(): void;
  /** Sends what waits. Resolves when that is sent, or kept for later. */
  flush(): Promise<void>;
  /** Removes what was set up. What waits stays for the next start. */
  destroy(): void;
}

export interface AnalyticsClientOptions {
  projectId: string;
  /** Base address of the backend. */
  origin: string;
  fetch: typeof fetch;
  window: WindowLike | undefined;
  /** The page's language. */
  language: (() => string | undefined) | undefined;
  now: () => number;
}

/**
 * Whether to count is known at once; all else is loaded with the first event, when the page is idle, so that no
 * reader waits for it. Who leaves before is not counted.
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
  const choose = (made: 'on' | 'off') => {
    choice = made;
    attempt(() => storage?.setItem(key, made));
  };
  const load = async () => {
    await untilIdle(window);
    const module = await import('./tracker.ts');
    return new module.Tracker({ ...options, key, storage, isEnabled, signal: closing.signal });
  };
  const run = async (act: (tracker: Tracker) => unknown) => {
    tracker ??= load();
    const loaded = await tracker.catch(() => undefined);
    // A module that did not come is asked for again with the next event.
    if (loaded) await act(loaded);
    else tracker = undefined;
  };
  const log = (type: string, data?: EventData) => {
    if (!isEnabled()) return;
    const seen = { at: now(), href: window?.location.href, userId };
    const said = attempt(() => ({ ...data }));
    void run((loaded) => loaded.record(type, said, seen));
  };
  if (refusesTracking(window)) {
    // It may have been asked for only now: what was kept before is sent no more.
    for (const kept of ['queue', 'session']) attempt(() => storage?.removeItem(`${key}_${kept}`));
  } else if (attempt(() => storage?.getItem(`${key}_queue`))) {
    // What an earlier page could not send.
    void run(() => {});
  }
  return {
    log,
    pageView: (path) => log(PAGE_VIEW, { pathname: path }),
    isEnabled,
    enable: () => choose('on'),
    disable() {
      choose('off');
      void run((loaded) => loaded.forget());
    },
    setUserId(id) {
      userId = id;
    },
    clearAttribution: () => void run((loaded) => loaded.clearAttribution()),
    flush: () => run((loaded) => loaded.flush()),
    destroy: () => closing.abort(),
  };
}

/** Not all browsers tell when they are at rest. */
function untilIdle(window: AnalyticsWindow | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (window?.requestIdleCallback) window.requestIdleCallback(resolve, { timeout: 2_000 });
    else setTimeout(resolve);
  });
}

/** Old browsers say it on the window, some in words. */
function refusesTracking(window: AnalyticsWindow | undefined): boolean {
  const { doNotTrack, globalPrivacyControl } = window?.navigator ?? {};
  return globalPrivacyControl === true || /^(1|yes)$/.test(String(doNotTrack ?? window?.doNotTrack));
}

/** A storage may be closed to the page, or full. */
function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

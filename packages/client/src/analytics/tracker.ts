import { type AnalyticsEvent, EVENT_TEXT_LENGTH, MAX_EVENT_BYTES, PAGE_VIEW } from '@fabrica/contract';
import type { StorageLike } from '../browser/window.ts';
import { AnalyticsSessions } from './analytics-session.ts';
import type { AnalyticsClientOptions, AnalyticsWindow, EventData } from './analytics-types.ts';
import { EventDelivery } from './event-delivery.ts';
import { EventQueue } from './event-queue.ts';

interface TrackerOptions extends AnalyticsClientOptions {
  /** Prefix of the keys in the storage. */
  key: string;
  storage: StorageLike | undefined;
  isEnabled: () => boolean;
  signal: AbortSignal;
}

/** The circumstances of an event. */
interface EventContext {
  /** Epoch milliseconds. */
  at: number;
  href: string | undefined;
  userId: string | null;
}

/** Builds events and passes them on for delivery. */
export class Tracker {
  readonly #options: TrackerOptions;
  readonly #window: AnalyticsWindow | undefined;
  readonly #queue: EventQueue;
  readonly #sessions: AnalyticsSessions;
  readonly #delivery: EventDelivery;
  /** Origin of the site that linked to this document, until a page view has reported it. */
  #referrer: string | undefined;

  constructor(options: TrackerOptions) {
    const { key, storage, window, origin, projectId } = options;
    this.#options = options;
    this.#window = window;
    this.#referrer = findReferrer(this.#window);
    this.#queue = new EventQueue(`${key}_queue`, storage);
    this.#sessions = new AnalyticsSessions(`${key}_session`, storage);
    this.#delivery = new EventDelivery({
      ...options,
      queue: this.#queue,
      url: `${origin}/api/analytics/${encodeURIComponent(projectId)}/log`,
      lock: storage && key,
    });
  }

  record(type: string, data: EventData | undefined, context: EventContext): void {
    const { isEnabled, signal } = this.#options;
    if (signal.aborted || !isEnabled()) return;
    try {
      this.#queue.append(this.#build(type, data, context));
      this.#delivery.onAppend();
    } catch {
      // A browser in which this fails is not counted; the page must not break.
    }
  }

  clearAttribution(): void {
    this.#sessions.clearAttribution();
  }

  flush(): Promise<void> {
    return this.#delivery.flush();
  }

  /** Removes all stored data. */
  clear(): void {
    this.#queue.clear();
    this.#sessions.clear();
  }

  #build(type: string, data: EventData | undefined, { at, href, userId }: EventContext): AnalyticsEvent {
    const isPageView = type === PAGE_VIEW;
    const page = { at, href, referrer: this.#referrer, isPageView };
    const { session, hasNewReferrer } = this.#sessions.touch(page);
    if (isPageView) this.#referrer = undefined;
    const fields = {
      pathname: href && new URL(href).pathname,
      referrer: hasNewReferrer ? session.referrer : undefined,
      screen_width: this.#window?.innerWidth,
      language: this.#options.language?.() || this.#window?.navigator.language,
      channel: session.channel,
      ...session.utm,
    };
    const fixed = {
      type,
      timestamp: new Date(at).toISOString(),
      session_id: session.id,
      user_id: userId ?? undefined,
    };
    const build = (eventData: EventData | undefined) => shorten({ ...fields, ...eventData, ...fixed });
    return (build(shorten(data ?? {})) ?? build({})) as AnalyticsEvent;
  }
}

/** Returns the data with its texts cut, or undefined if it is too large or cannot be JSON. */
function shorten(data: object): EventData | undefined {
  try {
    const text = JSON.stringify(data, (name, value: unknown) =>
      typeof value === 'string' ? cut(name === 'pathname' ? withoutQuery(value) : value) : value,
    );
    return new TextEncoder().encode(text).length <= MAX_EVENT_BYTES ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

/** Removes query and fragment, which may hold tokens and searches. */
function withoutQuery(path: string): string {
  return path.replace(/[?#].*/s, '');
}

/** Cuts a text to its first 256 characters, and removes half of a surrogate pair at its end. */
function cut(text: string): string {
  return text.slice(0, EVENT_TEXT_LENGTH).replace(/[\uD800-\uDBFF]$/, '');
}

/** Returns the origin of another site that linked here. The path and the query are not read. */
function findReferrer(window: AnalyticsWindow | undefined): string | undefined {
  const origin = window?.document?.referrer.match(/^https?:\/\/[^/?#]+/)?.[0];
  return origin === window?.location.origin ? undefined : origin;
}

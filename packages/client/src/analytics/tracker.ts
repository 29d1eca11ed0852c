import { type AnalyticsEvent, EVENT_TEXT_LENGTH, MAX_EVENT_BYTES, PAGE_VIEW } from '@fabrica/contract';
import type { StorageLike } from '../browser/window.ts';
import type { AnalyticsClientOptions, EventData } from './analytics-client.ts';
import { AnalyticsSessions } from './analytics-session.ts';
import type { AnalyticsWindow } from './analytics-window.ts';
import { EventDelivery } from './event-delivery.ts';
import { EventQueue } from './event-queue.ts';

export interface TrackerOptions extends AnalyticsClientOptions {
  /** Beginning of the keys under which things are kept. */
  key: string;
  storage: StorageLike | undefined;
  isEnabled: () => boolean;
  signal: AbortSignal;
}

/** The moment of an event. */
export interface EventContext {
  /** Epoch milliseconds. */
  at: number;
  href: string | undefined;
  userId: string | null;
}

/** Makes events of what is logged, and has them sent. */
export class Tracker {
  readonly #options: TrackerOptions;
  readonly #window: AnalyticsWindow | undefined;
  readonly #queue: EventQueue;
  readonly #sessions: AnalyticsSessions;
  readonly #delivery: EventDelivery;
  /** Origin of the site that linked to this document, until a page view has told it. */
  #referrer: string | undefined;

  constructor(options: TrackerOptions) {
    const { key, storage, window, origin, projectId } = options;
    this.#options = options;
    this.#window = window;
    this.#referrer = otherOrigin(this.#window);
    this.#queue = new EventQueue(`${key}_queue`, storage);
    this.#sessions = new AnalyticsSessions(`${key}_session`, storage);
    this.#delivery = new EventDelivery({
      ...options,
      queue: this.#queue,
      url: `${origin.replace(/\/+$/, '')}/api/analytics/${encodeURIComponent(projectId)}/log`,
      lock: storage && key,
    });
  }

  record(type: string, data: EventData | undefined, seen: EventContext): void {
    const { isEnabled, signal } = this.#options;
    if (signal.aborted || !isEnabled()) return;
    try {
      this.#queue.append(this.#build(type, data, seen));
      this.#delivery.added();
    } catch {
      // A browser that is odd enough for this is not counted; its reader must not notice.
    }
  }

  clearAttribution(): void {
    this.#sessions.clearAttribution();
  }

  flush(): Promise<void> {
    return this.#delivery.flush();
  }

  /** Of what is kept, nothing stays. */
  forget(): void {
    this.#queue.clear();
    this.#sessions.clear();
  }

  #build(type: string, data: EventData | undefined, { at, href, userId }: EventContext): AnalyticsEvent {
    const isPageView = type === PAGE_VIEW;
    const arrival = { at, href, referrer: this.#referrer, isPageView };
    const { session, arrived } = this.#sessions.touch(arrival);
    if (isPageView) this.#referrer = undefined;
    const fields = {
      pathname: href && new URL(href).pathname,
      referrer: arrived ? session.referrer : undefined,
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
    const build = (said: EventData | undefined) => shorten({ ...fields, ...said, ...fixed });
    return (build(shorten(data ?? {})) ?? build({})) as AnalyticsEvent;
  }
}

/** As it goes over the wire, texts cut; undefined when it has too much to say, or nothing that JSON can. */
function shorten(said: object): EventData | undefined {
  try {
    const text = JSON.stringify(said, (name, value: unknown) =>
      typeof value === 'string' ? cut(name === 'pathname' ? withoutQuery(value) : value) : value,
    );
    return new TextEncoder().encode(text).length <= MAX_EVENT_BYTES ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

/** Queries and fragments carry what is nobody else's business: tokens, searches. */
function withoutQuery(path: string): string {
  return path.replace(/[?#].*/s, '');
}

/** Half of a character that takes two is left out. */
function cut(text: string): string {
  return text.slice(0, EVENT_TEXT_LENGTH).replace(/[\uD800-\uDBFF]$/, '');
}

/** Its path and query are the other site's own business. */
function otherOrigin(window: AnalyticsWindow | undefined): string | undefined {
  const origin = window?.document?.referrer.match(/^https?:\/\/[^/?#]+/)?.[0];
  return origin === window?.location.origin ? undefined : origin;
}

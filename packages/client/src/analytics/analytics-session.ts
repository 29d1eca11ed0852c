import { VISIT_IDLE_MS } from '@fabrica/contract';
import { createStoredValue, type StoredValue } from '../browser/stored-value.ts';
import type { StorageLike } from '../browser/window.ts';
import { randomText } from '../random-text.ts';
import { findTrafficChannel } from './traffic-channel.ts';

/** Where a session came from. The values of its last campaign, by their names in addresses: `utm_source` … */
export interface Attribution {
  channel: string;
  utm: Readonly<Record<string, string>>;
  /** Origin of the page that linked here. */
  referrer?: string | undefined;
}

export interface AnalyticsSession extends Attribution {
  id: string;
  /** Of its last event, epoch milliseconds. */
  at: number;
}

/** What an event knows of its page. */
export interface PageContext {
  at: number;
  /** The page's whole address. */
  href: string | undefined;
  /** Origin of another site that linked to this document, up to its first page view. */
  referrer: string | undefined;
  /** Only page views tell it. */
  isPageView: boolean;
}

const UTM = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term'];

/** One session for all tabs of a project; it ends after 30 minutes without events (docs/spec/product.md section 9). */
export class AnalyticsSessions {
  readonly #kept: StoredValue<AnalyticsSession>;
  /** The address whose campaign is taken already. */
  #seen: string | undefined;

  constructor(key: string, storage: StorageLike | undefined) {
    this.#kept = createStoredValue(key, storage, isSession);
  }

  /** The session of an event. `arrived` when this page view tells of another site that linked here. */
  touch({ at, href, referrer, isPageView }: PageContext): { session: AnalyticsSession; arrived: boolean } {
    const kept = this.#kept.read();
    const known = kept && Math.abs(at - kept.at) < VISIT_IDLE_MS ? kept : undefined;
    const utm = href === this.#seen ? {} : readCampaign(href);
    this.#seen = href;
    const campaign = Object.keys(utm).length > 0;
    const session: AnalyticsSession = {
      id: known?.id ?? randomText(),
      at,
      utm: campaign || !known ? utm : known.utm,
      channel: campaign || !known ? findTrafficChannel(utm.utm_medium, referrer) : known.channel,
      referrer: (isPageView && referrer) || known?.referrer,
    };
    this.#kept.write(session);
    return { session, arrived: session.referrer !== known?.referrer };
  }

  clearAttribution(): void {
    const session = this.#kept.read();
    if (session) this.#kept.write({ id: session.id, at: session.at, channel: 'Direct', utm: {} });
  }

  clear(): void {
    this.#kept.clear();
  }
}

function readCampaign(href: string | undefined): Record<string, string> {
  const query = new URLSearchParams(href?.split('#')[0]?.split('?')[1]);
  const said = UTM.map((name) => [name, query.get(name)] as const);
  return Object.fromEntries(said.filter((entry): entry is [string, string] => Boolean(entry[1])));
}

function isSession(value: unknown): value is AnalyticsSession {
  const { id, at, channel, utm } = (value ?? {}) as Partial<AnalyticsSession>;
  return (
    typeof id === 'string' &&
    typeof at === 'number' &&
    typeof channel === 'string' &&
    typeof utm === 'object' &&
    utm !== null &&
    Object.entries(utm).every(([name, said]) => UTM.includes(name) && typeof said === 'string')
  );
}

import { VISIT_IDLE_MS } from '@fabrica/contract';
import { createStoredValue, type StoredValue } from '../browser/stored-value.ts';
import { randomText, type StorageLike } from '../browser/window.ts';
import { findTrafficChannel } from './traffic-channel.ts';

interface AnalyticsSession {
  id: string;
  /** Epoch milliseconds of its last event. */
  at: number;
  /** The channel that led to this session. */
  channel: string;
  /** The parameters of its last campaign by their names in URLs: `utm_source` … */
  utm: Readonly<Record<string, string>>;
  /** Origin of the page that linked here. */
  referrer?: string | undefined;
}

/** The page on which an event happens. */
interface PageContext {
  /** Epoch milliseconds. */
  at: number;
  /** The page's full URL. */
  href: string | undefined;
  /** Origin of another site that linked to this document, until its first page view. */
  referrer: string | undefined;
  /** Only page views report the referrer. */
  isPageView: boolean;
}

const UTM = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term'];

/**
 * Stores one session for all tabs of a project. It ends after 30 minutes without events (docs/spec/product.md section
 * 9).
 */
export class AnalyticsSessions {
  readonly #stored: StoredValue<AnalyticsSession>;
  /** The URL whose campaign was already read. */
  #lastHref: string | undefined;

  constructor(key: string, storage: StorageLike | undefined) {
    this.#stored = createStoredValue({ key, storage, parse: parseSession, clearOnFailure: true });
  }

  /**
   * Returns the session of an event. `hasNewReferrer` is true if this page view reports another site that linked
   * here.
   */
  touch(page: PageContext): { session: AnalyticsSession; hasNewReferrer: boolean } {
    const { at, href, referrer, isPageView } = page;
    const stored = this.#stored.read();
    const current = stored && Math.abs(at - stored.at) < VISIT_IDLE_MS ? stored : undefined;
    const utm = href === this.#lastHref ? {} : readCampaign(href);
    this.#lastHref = href;
    const hasNewSource = !current || Object.keys(utm).length > 0;
    const session: AnalyticsSession = {
      id: current?.id ?? randomText(),
      at,
      utm: hasNewSource ? utm : current.utm,
      channel: hasNewSource ? findTrafficChannel(utm.utm_medium, referrer) : current.channel,
      referrer: (isPageView && referrer) || current?.referrer,
    };
    this.#stored.write(session);
    return { session, hasNewReferrer: session.referrer !== current?.referrer };
  }

  clearAttribution(): void {
    const session = this.#stored.read();
    if (session) this.#stored.write({ id: session.id, at: session.at, channel: 'Direct', utm: {} });
  }

  clear(): void {
    this.#stored.clear();
  }
}

function readCampaign(href: string | undefined): Record<string, string> {
  const query = new URLSearchParams(href?.split('#')[0]?.split('?')[1]);
  const parameters = UTM.map((name) => [name, query.get(name)] as const);
  return Object.fromEntries(parameters.filter((entry): entry is [string, string] => Boolean(entry[1])));
}

function parseSession(json: unknown): AnalyticsSession | null {
  const { id, at, channel, utm } = (json ?? {}) as Partial<AnalyticsSession>;
  const isValid =
    typeof id === 'string' &&
    typeof at === 'number' &&
    typeof channel === 'string' &&
    typeof utm === 'object' &&
    utm !== null &&
    Object.entries(utm).every(([name, value]) => UTM.includes(name) && typeof value === 'string');
  return isValid ? (json as AnalyticsSession) : null;
}

import { vi } from 'vitest';
import { type ClientOptions, createClient, type FabricaClient } from '../src/client.ts';
import { BrowserStandIn, type TabOptions, type TabStandIn } from './browser-stand-in.ts';
// Loaded in advance, so that the first event does not wait for it.
import '../src/analytics/tracker.ts';

export type SentEvent = Record<string, unknown>;

interface LogCall {
  url: string;
  init: RequestInit;
  events: SentEvent[];
}

interface AnalyticsTabOptions extends TabOptions {
  href?: string;
  referrer?: string;
  navigator?: object;
  window?: object;
}

interface AnalyticsTab extends FabricaClient {
  window: TabStandIn & { document: { referrer: string; visibilityState: string } };
  navigator: { onLine: boolean };
}

/** A browser whose tabs log to a backend that a test scripts. It replaces the timers until it is closed. */
export class AnalyticsFixture {
  readonly browser = new BrowserStandIn();
  readonly calls: LogCall[] = [];
  /** Responds to the next call. It may throw, as a network failure does. */
  respond: (call: LogCall) => Response | Promise<Response> = logged;
  readonly #clients: FabricaClient[] = [];

  constructor() {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: Date.UTC(2026, 10, 22) });
  }

  /** Opens a tab with a client. */
  openTab({ href, referrer = '', navigator, window, ...options }: AnalyticsTabOptions = {}): AnalyticsTab {
    const tab = this.browser.openTab(href, options);
    Object.assign(tab.navigator, { language: 'fr-CA', onLine: true, ...navigator });
    const page = { innerWidth: 1280, document: { referrer, visibilityState: 'visible' } };
    const tabWindow = Object.assign(tab, page, window);
    const client = this.connect({ window: tabWindow });
    return { ...client, window: tabWindow, navigator: tab.navigator as AnalyticsTab['navigator'] };
  }

  connect(options: Partial<ClientOptions>): FabricaClient {
    const fetch = async (url: unknown, init: RequestInit = {}) => {
      const call = { url: String(url), init, events: JSON.parse(String(init.body)).events };
      this.calls.push(call);
      return this.respond(call);
    };
    const client = createClient({
      projectId: 'journal',
      origin: 'https://journal.example/',
      fetch: fetch as typeof globalThis.fetch,
      ...options,
    });
    this.#clients.push(client);
    return client;
  }

  /** Waits for pending imports and responses, and then advances the timers. */
  async advance(ms = 0): Promise<void> {
    for (let round = 0; round < 3; round++) {
      await vi.advanceTimersByTimeAsync(0);
      await vi.dynamicImportSettled();
    }
    await vi.advanceTimersByTimeAsync(ms);
  }

  /** Returns the types of the events of each call. */
  types(): unknown[][] {
    return this.calls.map(({ events }) => events.map(({ type }) => type));
  }

  close(): void {
    for (const client of this.#clients) {
      client.analytics.destroy();
      client.auth.destroy();
    }
    vi.useRealTimers();
  }
}

/** Returns the response to logged events. */
export function logged(): Response {
  return Response.json({ success: true });
}

export function notLogged(status: number, headers: Record<string, string> = {}): Response {
  return Response.json({ error: 'No.', code: 'NO' }, { status, headers });
}

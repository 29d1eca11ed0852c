import { vi } from 'vitest';
import { type ClientOptions, createClient, type FabricaClient } from '../src/client.ts';
import { BrowserStandIn, type TabOptions, type TabStandIn } from './browser-stand-in.ts';
// Here already when the first event asks for it.
import '../src/analytics/tracker.ts';

export type SentEvent = Record<string, unknown>;

export interface LogCall {
  url: string;
  init: RequestInit;
  events: SentEvent[];
}

interface PageFacts extends TabOptions {
  href?: string;
  referrer?: string;
  navigator?: object;
  window?: object;
}

export interface AnalyticsTab extends FabricaClient {
  window: TabStandIn & { document: { referrer: string; visibilityState: string } };
  navigator: { onLine: boolean };
}

/** A browser whose tabs log to a backend that answers as a test says. It stops the clock, until it is closed. */
export class AnalyticsFixture {
  readonly browser = new BrowserStandIn();
  readonly calls: LogCall[] = [];
  /** What the backend answers to the next call; it may throw, as a dead network does. */
  answer: (call: LogCall) => Response | Promise<Response> = accept;
  readonly #open: FabricaClient[] = [];

  constructor() {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: Date.UTC(2026, 10, 22) });
  }

  /** A tab of the browser, with a client. */
  openTab({ href, referrer = '', navigator, window, ...options }: PageFacts = {}): AnalyticsTab {
    const tab = this.browser.openTab(href, options);
    Object.assign(tab.navigator, { language: 'fr-CA', onLine: true, ...navigator });
    const page = { innerWidth: 1280, document: { referrer, visibilityState: 'visible' } };
    const shown = Object.assign(tab, page, window);
    const client = this.connect({ window: shown });
    return { ...client, window: shown, navigator: tab.navigator as AnalyticsTab['navigator'] };
  }

  connect(options: Partial<ClientOptions>): FabricaClient {
    const fetch = async (url: unknown, init: RequestInit = {}) => {
      const call = { url: String(url), init, events: JSON.parse(String(init.body)).events };
      this.calls.push(call);
      return this.answer(call);
    };
    const client = createClient({
      projectId: 'journal',
      origin: 'https://journal.example/',
      fetch: fetch as typeof globalThis.fetch,
      ...options,
    });
    this.#open.push(client);
    return client;
  }

  /** Lets all that is loaded or answered arrive, and then so much time pass. */
  async pass(ms = 0): Promise<void> {
    for (let round = 0; round < 3; round++) {
      await vi.advanceTimersByTimeAsync(0);
      await vi.dynamicImportSettled();
    }
    await vi.advanceTimersByTimeAsync(ms);
  }

  /** Of all events that came, those of each call together. */
  types(): unknown[][] {
    return this.calls.map(({ events }) => events.map(({ type }) => type));
  }

  close(): void {
    for (const client of this.#open) {
      client.analytics.destroy();
      client.auth.destroy();
    }
    vi.useRealTimers();
  }
}

export function accept(): Response {
  return Response.json({ success: true });
}

export function refuse(status: number, headers: Record<string, string> = {}): Response {
  return Response.json({ error: 'No.', code: 'NO' }, { status, headers });
}

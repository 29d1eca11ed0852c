import { type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core';
import { findChromium, findWholeChromium } from '../../scripts/find-programs.mjs';

/** A phone of the middle class on slow 4G: the profile of Lighthouse, with the throttling applied and not simulated. */
const CPU_SLOWDOWN = 4;
const NETWORK = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6 * 1024 * 1024) / 8,
  uploadThroughput: (750 * 1024) / 8,
};
const SCREEN = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
} as const;

/** Holds what the page has measured of itself so far; times are milliseconds since the navigation. */
export interface PageVitals {
  firstPaint: number;
  largestPaint: number;
  layoutShift: number;
  /** Tells when the page was first touched, as the browser's own clock has it. */
  touched: number;
  /** Tells when the header's menu was opened. */
  menuOpened: number;
  /** The longest delay from an input to the next frame since `startPress`. */
  longestInteraction: number;
}

/** A visit of one page by a phone with an empty cache. */
export interface Visit {
  page: Page;
  /** Transferred bytes, headers included, by URL. */
  transferred: ReadonlyMap<string, number>;
  /** Resolves when the browser has shown the first content. */
  painted: Promise<void>;
  read(): Promise<PageVitals>;
  close(): Promise<void>;
}

export interface Phone {
  /** Whether this browser has a back/forward cache. */
  keepsPages: boolean;
  visit(url: string, session?: { origin: string; tokens: string }): Promise<Visit>;
  close(): Promise<void>;
}

/** Starts a browser as a phone has it, with its back/forward cache where the installed one has it. */
export async function startPhone(): Promise<Phone> {
  const whole = findWholeChromium();
  const browser = await chromium.launch({
    executablePath: whole ?? findChromium(),
    args: ['--no-sandbox', '--disable-gpu'],
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  });
  return {
    keepsPages: whole !== undefined,
    async visit(url, session) {
      const context = await browser.newContext({
        ...SCREEN,
        ...(session && {
          storageState: {
            cookies: [],
            origins: [
              {
                origin: session.origin,
                localStorage: [{ name: 'fabrica_tokens_journal', value: session.tokens }],
              },
            ],
          },
        }),
      });
      return visitPage(context, url);
    },
    close: () => browser.close(),
  };
}

async function visitPage(context: BrowserContext, url: string): Promise<Visit> {
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await page.addInitScript(measureItself);
  const transferred = await throttle(devtools);
  // The browser tells of the first paint: asking the page for it would keep a slow processor busy.
  await devtools.send('Page.enable');
  await devtools.send('Page.setLifecycleEventsEnabled', { enabled: true });
  const painted = new Promise<void>((resolve) => {
    devtools.on('Page.lifecycleEvent', ({ name }) => name === 'firstContentfulPaint' && resolve());
  });
  await page.goto(url, { waitUntil: 'commit' });
  return {
    page,
    transferred,
    painted,
    read: () => page.evaluate(() => (window as unknown as { vitals: PageVitals }).vitals),
    close: () => context.close(),
  };
}

async function throttle(devtools: CDPSession): Promise<Map<string, number>> {
  const urls = new Map<string, string>();
  const transferred = new Map<string, number>();
  devtools.on('Network.requestWillBeSent', ({ requestId, request }) => urls.set(requestId, request.url));
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const url = urls.get(requestId) ?? '';
    transferred.set(url, (transferred.get(url) ?? 0) + encodedDataLength);
  });
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', NETWORK);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  return transferred;
}

/** Runs in the page before its own scripts. */
function measureItself(): void {
  const vitals = {
    firstPaint: 0,
    largestPaint: 0,
    layoutShift: 0,
    touched: 0,
    menuOpened: 0,
    longestInteraction: 0,
  };
  Object.assign(window, { vitals });
  const observe = (options: PerformanceObserverInit, note: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({
      buffered: true,
      ...options,
    });
  observe({ type: 'paint' }, ({ name, startTime }) => {
    if (name === 'first-contentful-paint') vitals.firstPaint = startTime;
  });
  observe({ type: 'largest-contentful-paint' }, ({ startTime }) => {
    vitals.largestPaint = startTime;
  });
  observe({ type: 'layout-shift' }, (entry) => {
    const { value, hadRecentInput } = entry as PerformanceEntry & { value: number; hadRecentInput: boolean };
    if (!hadRecentInput) vitals.layoutShift += value;
  });
  observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit, (entry) => {
    const { interactionId, duration } = entry as PerformanceEventTiming;
    if (interactionId > 0) vitals.longestInteraction = Math.max(vitals.longestInteraction, duration);
  });
  document.addEventListener(
    'pointerdown',
    ({ timeStamp }) => {
      vitals.touched ||= timeStamp;
    },
    true,
  );
  document.addEventListener(
    'toggle',
    ({ target }) => {
      if (target instanceof HTMLElement && target.closest('header')) vitals.menuOpened ||= performance.now();
    },
    true,
  );
}

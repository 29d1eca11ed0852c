import type { BrowserContext, CDPSession, Page, Request } from 'playwright-core';
import { AppError } from '../../../core/errors.ts';
import { settledWithin } from '../../../runtime/within-time.ts';
import type { BrowserProcess } from './browser-process.ts';
import { PROXY_STATUS } from './filtering-proxy.ts';
import type { ProxyCredentials } from './proxy-credentials.ts';

/** CSS pixels; a longer page is cut off. */
const MAX_HEIGHT = 10_000;
/** Pixels of a screenshot at most (60 MB of noise). */
const MAX_PIXELS = 20_000_000;
/** Timeouts of a page in milliseconds. */
const MAX_QUIET_MS = 2_000;
/** Milliseconds after which a page that does not close retires its browser. */
const CLOSE_MS = 3_000;

export interface ScreenshotRequest {
  /** URL with http or https. */
  url: string;
  fullPage: boolean;
  /** CSS pixels, both. */
  width: number;
  height: number;
}

/** Milliseconds. */
export interface PageTimeouts {
  /** A page that loads for longer is captured as it is. */
  settle: number;
  /** A loaded page is captured when it has sent no request for so long. */
  quiet: number;
}

interface ScreenshotOptions {
  process: BrowserProcess;
  signal: AbortSignal;
  /** The account whose look-ups the page's are counted among. */
  account: string | undefined;
  timeouts: PageTimeouts;
  /** Called when the page is closed, which may be after the screenshot was returned. */
  onClosed(): void;
}

/**
 * Has the scripts of all frames open no dialogs and windows, as browsers do without a user's click. Chromium stops a page
 * and draws it darker while a window of its opens.
 */
const OPEN_NOTHING = 'alert = print = () => {}; confirm = () => false; prompt = open = () => null;';

/** Captures a page in a context of its own, without cookies or storage, which is closed afterwards. */
export async function takeScreenshot(
  request: ScreenshotRequest,
  options: ScreenshotOptions,
): Promise<Uint8Array> {
  const { process, signal, account, timeouts, onClosed } = options;
  const { chromium, proxy } = process;
  const removePage = process.addPage();
  const credentials = proxy.issueCredentials(account);
  const { username, password } = credentials;
  const opening = chromium.newContext({
    viewport: { width: request.width, height: request.height },
    proxy: { server: proxy.url, bypass: '<-loopback>', username, password },
    serviceWorkers: 'block',
    acceptDownloads: false,
    permissions: [],
  });
  const interrupted = Promise.withResolvers<never>();
  const abort = () => interrupted.reject(signal.reason);
  const onCrash = () => interrupted.reject(browserCrashed());
  signal.addEventListener('abort', abort, { once: true });
  chromium.on('disconnected', onCrash);
  try {
    const screenshot = opening.then((context) =>
      openAndCapture(context, { request, credentials, timeouts, onCrash }),
    );
    return await Promise.race([screenshot, interrupted.promise]);
  } catch (error) {
    throw chromium.isConnected() ? error : browserCrashed();
  } finally {
    signal.removeEventListener('abort', abort);
    chromium.off('disconnected', onCrash);
    credentials.revoke();
    closeContext(opening, process).finally(() => {
      removePage();
      onClosed();
    });
  }
}

interface PageVisit {
  request: ScreenshotRequest;
  credentials: ProxyCredentials;
  timeouts: PageTimeouts;
  onCrash(): void;
}

async function openAndCapture(
  context: BrowserContext,
  { request, credentials, timeouts, onCrash }: PageVisit,
): Promise<Buffer> {
  await context.addInitScript({ content: OPEN_NOTHING });
  const page = await context.newPage();
  page.on('crash', onCrash);
  // Windows that links open are no part of the screenshot.
  context.on('page', (other) => other.close().catch(() => undefined));
  const navigation = watchNavigation(page, credentials);
  const settled = watchRequests(page, timeouts.quiet);
  const show = async () => {
    await page.goto(request.url, { waitUntil: 'commit', timeout: 0 }).catch((cause) => {
      throw navigation.failure() ?? pageNotLoaded(cause);
    });
    await settledWithin(timeouts.settle, settled());
    if (page.url().startsWith('chrome-error:')) throw navigation.failure() ?? pageNotLoaded(undefined);
    return capture(await context.newCDPSession(page), request);
  };
  return Promise.race([navigation.refused, show()]);
}

interface Navigation {
  /** Rejects when the page navigates to where the proxy does not let it. */
  refused: Promise<never>;
  /** Returns why the proxy refused the last navigation, if it did. */
  failure(): AppError | undefined;
}

function watchNavigation(page: Page, credentials: ProxyCredentials): Navigation {
  const refused = Promise.withResolvers<never>();
  let last: Request | undefined;
  const failure = () => last && credentials.failureAt(new URL(last.url()));
  const onFailure = (request: Request) => {
    const reason = request === last && failure();
    if (reason) refused.reject(reason);
  };
  page.on('request', (request) => {
    if (isOfPage(request, page)) last = request;
  });
  page.on('requestfailed', onFailure);
  page.on('response', (response) => {
    if (PROXY_STATUS in response.headers()) onFailure(response.request());
  });
  return { refused: refused.promise, failure };
}

/** Returns whether a request is for the page itself rather than for something in it. */
function isOfPage(request: Request, page: Page): boolean {
  try {
    return request.isNavigationRequest() && request.frame() === page.mainFrame();
  } catch {
    // The frame is gone.
    return false;
  }
}

/** Returns a function that waits until the page is loaded and has sent no request for a while. */
function watchRequests(page: Page, quietMs: number): () => Promise<void> {
  const pending = new Set<Request>();
  const quiet = Promise.withResolvers<void>();
  let loaded = false;
  let timer: NodeJS.Timeout | undefined;
  const check = () => {
    clearTimeout(timer);
    if (loaded && pending.size === 0) timer = setTimeout(quiet.resolve, quietMs).unref();
  };
  page.on('request', (request) => {
    pending.add(request);
    check();
  });
  for (const event of ['requestfinished', 'requestfailed'] as const) {
    page.on(event as 'requestfinished', (request) => {
      pending.delete(request);
      check();
    });
  }
  return async () => {
    await page.waitForLoadState('load', { timeout: 0 });
    loaded = true;
    check();
    await settledWithin(MAX_QUIET_MS, quiet.promise);
  };
}

async function capture(session: CDPSession, { fullPage, width, height }: ScreenshotRequest): Promise<Buffer> {
  if (!fullPage) {
    const { data } = await session.send('Page.captureScreenshot', { format: 'png' });
    return Buffer.from(data, 'base64');
  }
  const { cssContentSize } = await session.send('Page.getLayoutMetrics');
  const maxHeight = Math.max(height, Math.min(MAX_HEIGHT, Math.floor(MAX_PIXELS / width)));
  const fullHeight = Math.min(maxHeight, Math.max(height, Math.ceil(cssContentSize.height)));
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'png',
    clip: { x: 0, y: 0, width, height: fullHeight, scale: 1 },
    captureBeyondViewport: true,
  });
  return Buffer.from(data, 'base64');
}

async function closeContext(opening: Promise<BrowserContext>, process: BrowserProcess): Promise<void> {
  const closing = opening
    .then((context) => context.close())
    .then(
      () => true,
      () => true,
    );
  const closed = await settledWithin(CLOSE_MS, closing);
  if (!closed) process.retire();
}

function pageNotLoaded(cause: unknown): AppError {
  const isDownload = cause instanceof Error && /Download is starting|ERR_ABORTED/.test(cause.message);
  const sentence = isDownload
    ? 'The address leads to a file or to nothing, not to a page.'
    : 'The page did not come.';
  return new AppError('FETCH_FAILED', sentence, { cause });
}

function browserCrashed(): AppError {
  return new AppError('FETCH_FAILED', 'The browser broke off over this page. Please try again.');
}

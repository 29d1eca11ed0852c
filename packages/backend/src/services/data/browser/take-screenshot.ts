import { setTimeout as delay } from 'node:timers/promises';
import type { BrowserContext, CDPSession, Page, Request } from 'playwright-core';
import { AppError } from '../../../core/errors.ts';
import type { BrowserProcess } from './browser-process.ts';
import { PROXY_STATUS } from './filtering-proxy.ts';
import type { ProxyCredentials } from './proxy-credentials.ts';

/** CSS pixels; a page that is longer is cut off. */
const MAX_HEIGHT = 10_000;
/** Nor may a wide and long picture be larger than this (60 MB of noise). */
const MAX_PIXELS = 20_000_000;
/** A page that has loaded and never falls quiet is taken after so long. */
const MAX_QUIET_MS = 2_000;
/** A page that is not closed within this time takes the whole browser with it, once the others are done. */
const CLOSE_MS = 3_000;

export interface ScreenshotRequest {
  /** An http(s) address. */
  url: string;
  fullPage: boolean;
  /** CSS pixels, both. */
  width: number;
  height: number;
}

/** Milliseconds. */
export interface PageTimeouts {
  /** A page that goes on loading for longer is taken as it is. */
  settle: number;
  /** A page that is loaded is taken when it asks for nothing for so long. */
  quiet: number;
}

export interface ScreenshotOptions {
  process: BrowserProcess;
  signal: AbortSignal;
  patience: PageTimeouts;
  /** Called when nothing of the page is left, which may be after its picture is there. */
  onClosed(): void;
}

/** Opens the page as nobody who was ever there, takes its picture, and forgets all of it. */
export async function takeScreenshot(
  shot: ScreenshotRequest,
  options: ScreenshotOptions,
): Promise<Uint8Array> {
  const { process, signal, patience, onClosed } = options;
  const { chromium, proxy } = process;
  const leaveProcess = process.enter();
  const pass = proxy.open();
  const { username, password } = pass;
  const opening = chromium.newContext({
    viewport: { width: shot.width, height: shot.height },
    proxy: { server: proxy.address, bypass: '<-loopback>', username, password },
    serviceWorkers: 'block',
    acceptDownloads: false,
    permissions: [],
  });
  const interrupted = Promise.withResolvers<never>();
  const leave = () => interrupted.reject(signal.reason);
  const onCrash = () => interrupted.reject(browserCrashed());
  signal.addEventListener('abort', leave, { once: true });
  chromium.on('disconnected', onCrash);
  try {
    const picture = opening.then((context) => visit(context, { shot, pass, patience, onCrash }));
    return await Promise.race([picture, interrupted.promise]);
  } catch (error) {
    throw chromium.isConnected() ? error : browserCrashed();
  } finally {
    signal.removeEventListener('abort', leave);
    chromium.off('disconnected', onCrash);
    pass.end();
    closeContext(opening, process).finally(() => {
      leaveProcess();
      onClosed();
    });
  }
}

interface Visit {
  shot: ScreenshotRequest;
  pass: ProxyCredentials;
  patience: PageTimeouts;
  onCrash(): void;
}

async function visit(context: BrowserContext, { shot, pass, patience, onCrash }: Visit): Promise<Buffer> {
  const page = await context.newPage();
  page.on('crash', onCrash);
  // Windows that the page opens are no part of its picture.
  context.on('page', (other) => other.close().catch(() => undefined));
  const way = watchNavigation(page, pass);
  const settled = watchRequests(page, patience.quiet);
  const show = async () => {
    await page.goto(shot.url, { waitUntil: 'commit', timeout: 0 }).catch((cause) => {
      throw way.failure() ?? pageNotLoaded(cause);
    });
    await Promise.race([settled(), delay(patience.settle, undefined, { ref: false })]);
    if (page.url().startsWith('chrome-error:')) throw way.failure() ?? pageNotLoaded(undefined);
    return capture(await context.newCDPSession(page), shot);
  };
  return Promise.race([way.refused, show()]);
}

interface Navigation {
  /** Rejects when the page is led, or goes by itself, to where the proxy does not let it. */
  refused: Promise<never>;
  /** Why the page did not get to where it wanted to go last, if that was the proxy's doing. */
  failure(): AppError | undefined;
}

function watchNavigation(page: Page, pass: ProxyCredentials): Navigation {
  const refused = Promise.withResolvers<never>();
  let last: Request | undefined;
  const failure = () => last && pass.failureAt(new URL(last.url()));
  const onFailure = (request: Request) => {
    const reason = request === last && failure();
    if (reason) refused.reject(reason);
  };
  page.on('request', (request) => {
    if (isOwn(request, page)) last = request;
  });
  page.on('requestfailed', onFailure);
  page.on('response', (response) => {
    if (PROXY_STATUS in response.headers()) onFailure(response.request());
  });
  return { refused: refused.promise, failure };
}

/** Is this for the page itself, not for something in it? */
function isOwn(request: Request, page: Page): boolean {
  try {
    return request.isNavigationRequest() && request.frame() === page.mainFrame();
  } catch {
    // Of a frame that is there no more.
    return false;
  }
}

/** What is answered waits until the page is loaded, and has then asked for nothing for a while. */
function watchRequests(page: Page, quietMs: number): () => Promise<void> {
  const underWay = new Set<Request>();
  const quiet = Promise.withResolvers<void>();
  let loaded = false;
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    clearTimeout(timer);
    if (loaded && underWay.size === 0) timer = setTimeout(quiet.resolve, quietMs).unref();
  };
  page.on('request', (request) => {
    underWay.add(request);
    look();
  });
  for (const event of ['requestfinished', 'requestfailed'] as const) {
    page.on(event as 'requestfinished', (request) => {
      underWay.delete(request);
      look();
    });
  }
  return async () => {
    await page.waitForLoadState('load', { timeout: 0 });
    loaded = true;
    look();
    await Promise.race([quiet.promise, delay(MAX_QUIET_MS, undefined, { ref: false })]);
  };
}

async function capture(session: CDPSession, { fullPage, width, height }: ScreenshotRequest): Promise<Buffer> {
  if (!fullPage) {
    const { data } = await session.send('Page.captureScreenshot', { format: 'png' });
    return Buffer.from(data, 'base64');
  }
  const { cssContentSize } = await session.send('Page.getLayoutMetrics');
  const most = Math.max(height, Math.min(MAX_HEIGHT, Math.floor(MAX_PIXELS / width)));
  const whole = Math.min(most, Math.max(height, Math.ceil(cssContentSize.height)));
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'png',
    clip: { x: 0, y: 0, width, height: whole, scale: 1 },
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
  const closed = await Promise.race([closing, delay(CLOSE_MS, false, { ref: false })]);
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

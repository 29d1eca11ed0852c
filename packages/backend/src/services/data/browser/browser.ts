import type { Logger } from 'pino';
import { AppError } from '../../../core/errors.ts';
import type { Environment } from '../../../core/settings.ts';
import type { Gate } from '../../../fetcher/index.ts';
import { Semaphore } from '../../../runtime/semaphore.ts';
import { SCREENSHOT_LIMITS, type ScreenshotLimits } from '../settings.ts';
import { type BrowserProcess, startBrowserProcess } from './browser-process.ts';
import { findChromium } from './find-chromium.ts';
import { type PageTimeouts, type ScreenshotRequest, takeScreenshot } from './take-screenshot.ts';

/** Seconds after which a call that found too many waiting may try again. */
const RETRY_AFTER = 5;

interface ScreenshotCaller {
  signal: AbortSignal;
  /** The account whose share of the pages and of the look-ups is used; the service role has none. */
  account?: string | undefined;
}

/** Takes screenshots of pages on the public internet, and reaches nothing else. */
export interface Browser {
  /**
   * Returns a screenshot of the page as PNG. Throws BROWSER_NOT_AVAILABLE when none is installed, ADDRESS_REFUSED,
   * FETCH_FAILED when the page does not load, FETCH_TIMEOUT, or the signal’s reason.
   */
  screenshot(request: ScreenshotRequest, caller: ScreenshotCaller): Promise<Uint8Array>;
  close(): Promise<void>;
}

interface BrowserOptions {
  gate: Gate;
  /** Path of a Chromium; by default the one that is found on this machine. */
  executable?: string;
  /** Environment of this process: its `PATH` is searched before the usual folders. */
  environment?: Environment;
  log: Logger;
  /** Milliseconds without a call after which the process ends; 60 s by default. */
  idleMs?: number;
  limits?: ScreenshotLimits;
  /** Calls that may wait, 64. */
  waiting?: number;
  /** Milliseconds for a call, its wait included; 20 s. */
  timeoutMs?: number;
  /** Megabytes of memory for one page, 1024. A page that takes more is ended. */
  maxMegabytes?: number;
  /** Tells how long a page may load, 8 s, and must be quiet before it is captured, 0.5 s. */
  timeouts?: PageTimeouts;
}

/**
 * Creates a browser with one process for all calls. It starts with the first call and ends when there were none for a
 * while.
 */
export function createBrowser({
  gate,
  executable,
  environment = {},
  log,
  idleMs = 60_000,
  limits = SCREENSHOT_LIMITS,
  waiting = 64,
  timeoutMs = 20_000,
  maxMegabytes = 1_024,
  timeouts = { settle: 8_000, quiet: 500 },
}: BrowserOptions): Browser {
  const limit = new Semaphore({
    concurrency: limits.pages,
    maxWaiting: waiting,
    perKey: { concurrency: limits.pagesPerAccount, maxWaiting: limits.waitingPerAccount },
    fair: true,
    fullError: tooManyScreenshots,
  });
  const closing = new AbortController();
  /** The process that pages are opened in; `started` also has those that are still ending. */
  let running: Promise<BrowserProcess> | undefined;
  const started = new Set<Promise<BrowserProcess>>();
  let idle: NodeJS.Timeout | undefined;
  let calls = 0;
  let hasWarned = false;

  function start(): Promise<BrowserProcess> {
    if (running) return running;
    const found = executable ?? findChromium(environment.PATH ?? '');
    if (!found) throw notInstalled();
    const sandbox = canUseSandbox();
    if (!sandbox && !hasWarned) log.warn('Running as root: Chromium shows pages without its sandbox');
    hasWarned = true;
    const options = { gate, environment, executable: found, sandbox, maxMegabytes };
    const starting = startBrowserProcess(options).catch((err) => {
      log.error({ err }, 'Chromium does not start');
      throw doesNotStart(err);
    });
    running = starting;
    watch(starting);
    return starting;
  }

  async function watch(starting: Promise<BrowserProcess>): Promise<void> {
    started.add(starting);
    try {
      const { chromium, ended } = await starting;
      chromium.on('disconnected', () => started.delete(starting));
      await ended;
    } catch {
      started.delete(starting);
    }
    if (running === starting) running = undefined;
  }

  async function stop(): Promise<void> {
    clearTimeout(idle);
    running = undefined;
    await Promise.allSettled([...started].map(async (starting) => (await starting).close()));
  }

  /** Waits for a permit to open a page. Returns the function that ends its use. */
  async function begin({ signal, account }: ScreenshotCaller): Promise<() => void> {
    const release = await limit.acquire({ signal, key: account });
    clearTimeout(idle);
    calls += 1;
    return () => {
      release();
      calls -= 1;
      if (calls === 0 && !closing.signal.aborted) idle = setTimeout(stop, idleMs).unref();
    };
  }

  async function capture(request: ScreenshotRequest, caller: ScreenshotCaller): Promise<Uint8Array> {
    const { signal, account } = caller;
    await unlessAborted(() => requireReachable(gate, request.url, caller), signal);
    const end = await begin(caller);
    const opened = await unlessAborted(start, signal).catch((error) => {
      end();
      throw error;
    });
    const ended = AbortSignal.any([signal, AbortSignal.timeout(limits.pageMs)]);
    return takeScreenshot(request, { process: opened, signal: ended, account, timeouts, onClosed: end });
  }

  return {
    async screenshot(request, { signal, account }) {
      const timeoutSignal = AbortSignal.timeout(timeoutMs);
      try {
        const ended = AbortSignal.any([signal, timeoutSignal, closing.signal]);
        return await capture(request, { signal: ended, account });
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        if (closing.signal.aborted) throw isClosing();
        if (timeoutSignal.aborted || isTimeout(error))
          throw new AppError('FETCH_TIMEOUT', 'The page took too long to be shown.');
        throw error instanceof AppError ? error : notShown(error);
      }
    },
    async close() {
      closing.abort();
      await stop();
    },
  };
}

/**
 * Returns whether Chromium can use its sandbox, which it refuses as root. The sandbox keeps a page that breaks out of
 * its renderer from the machine, so the server should run as a user of its own. Where the machine does not allow the
 * sandbox (containers without user namespaces), the browser does not start.
 */
function canUseSandbox(): boolean {
  return process.getuid?.() !== 0;
}

/** Checks the URL before a browser is started. Throws INVALID_URL, and what the gate throws. */
async function requireReachable(gate: Gate, requestedUrl: string, caller: ScreenshotCaller): Promise<void> {
  const url = URL.parse(requestedUrl);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new AppError('INVALID_URL', 'This is no address that begins with http:// or https://.');
  }
  if (url.username || url.password) {
    throw new AppError('INVALID_URL', 'An address may not carry a name or a password.');
  }
  await gate.resolve(url.hostname, Number(url.port || (url.protocol === 'https:' ? 443 : 80)), caller);
}

/** Waits for a result until the signal is aborted; the work itself goes on. Throws the signal’s reason. */
async function unlessAborted<T>(act: () => Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([act(), aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** Returns whether this is the reason of a signal whose time is over. */
function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError';
}

function notInstalled(): AppError {
  return new AppError(
    'BROWSER_NOT_AVAILABLE',
    'There is no browser here to take pictures with. The operator can install Chromium.',
  );
}

function doesNotStart(cause: unknown): AppError {
  return new AppError(
    'BROWSER_NOT_AVAILABLE',
    'The browser that takes pictures does not start. The operator finds the reason in the log.',
    { cause },
  );
}

function tooManyScreenshots(): AppError {
  return new AppError(
    'RATE_LIMITED',
    'Too many pictures of pages are being taken. Please try again in a moment.',
    { retryAfter: RETRY_AFTER },
  );
}

function notShown(cause: unknown): AppError {
  return new AppError('FETCH_FAILED', 'The page could not be shown.', { cause });
}

function isClosing(): AppError {
  return new AppError('BROWSER_NOT_AVAILABLE', 'The server is closing.');
}

import type { Logger } from 'pino';
import { AppError } from '../../../core/errors.ts';
import type { Environment } from '../../../core/settings.ts';
import type { Gate } from '../../../fetcher/index.ts';
import { Semaphore } from '../../../runtime/semaphore.ts';
import type { Browser, Shot } from './browser.ts';
import { type BrowserProcess, startBrowserProcess } from './browser-process.ts';
import { findChromium } from './find-chromium.ts';
import { type Patience, takeShot } from './take-shot.ts';

/** Seconds after which a call that found too many waiting may try again. */
const RETRY_AFTER = 5;

export interface BrowserOptions {
  gate: Gate;
  /** The path of a Chromium; undefined: the one that is found on this machine. */
  executable: string | undefined;
  /** The environment of this process: its `PATH` is searched before the usual folders. */
  environment?: Environment;
  log: Logger;
  /** Milliseconds without a call after which the process ends; 60 s. */
  idleMs?: number;
  /** Pages at once, 2, and how many calls may wait for their turn, 16. */
  pages?: number;
  waiting?: number;
  /** Milliseconds for a call, its wait included; 20 s. */
  timeoutMs?: number;
  /** Of memory for one page; 1024. A page that takes more is ended. */
  maxMegabytes?: number;
  /** How long a page may load, 8 s, and is to be quiet before it is taken, 0.5 s. */
  patience?: Patience;
}

/** One process for all, from the first call until there were none for a while. */
export function createBrowser({
  gate,
  executable,
  environment = {},
  log,
  idleMs = 60_000,
  pages = 2,
  waiting = 16,
  timeoutMs = 20_000,
  maxMegabytes = 1_024,
  patience = { settle: 8_000, quiet: 500 },
}: BrowserOptions): Browser {
  const limit = new Semaphore({ concurrency: pages, maxWaiting: waiting, fullError: tooManyShots });
  const closing = new AbortController();
  /** The one that pages are opened in, and with it those that have still to end. */
  let running: Promise<BrowserProcess> | undefined;
  const started = new Set<Promise<BrowserProcess>>();
  let idle: NodeJS.Timeout | undefined;
  let calls = 0;
  let warned = false;

  function start(): Promise<BrowserProcess> {
    if (running) return running;
    const found = executable ?? findChromium(environment.PATH ?? '');
    if (!found) throw notInstalled();
    const sandbox = canUseSandbox();
    if (!sandbox && !warned) log.warn('Running as root: Chromium shows pages without its sandbox');
    warned = true;
    const starting = startBrowserProcess({
      gate,
      environment,
      executable: found,
      sandbox,
      maxMegabytes,
    }).catch((err) => {
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
    const closings = [...started].map(async (starting) => (await starting).close());
    await Promise.allSettled(closings);
  }

  /** Waits for a permit to open a page. Returns the function that ends its use. */
  async function begin(signal: AbortSignal): Promise<() => void> {
    const release = await limit.acquire({ signal });
    clearTimeout(idle);
    calls += 1;
    return () => {
      release();
      calls -= 1;
      if (calls === 0 && !closing.signal.aborted) idle = setTimeout(stop, idleMs).unref();
    };
  }

  async function show(shot: Shot, signal: AbortSignal): Promise<Uint8Array> {
    await unlessAborted(() => judge(gate, shot.url), signal);
    const end = await begin(signal);
    const opened = await unlessAborted(start, signal).catch((error) => {
      end();
      throw error;
    });
    return takeShot(shot, { process: opened, signal, patience, onClosed: end });
  }

  return {
    async screenshot(shot, signal) {
      const tooLong = AbortSignal.timeout(timeoutMs);
      try {
        return await show(shot, AbortSignal.any([signal, tooLong, closing.signal]));
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        if (closing.signal.aborted) throw isClosing();
        if (tooLong.aborted) throw new AppError('FETCH_TIMEOUT', 'The page took too long to be shown.');
        if (error instanceof AppError) throw error;
        throw new AppError('FETCH_FAILED', 'The page could not be shown.', { cause: error });
      }
    },
    async close() {
      closing.abort();
      await stop();
    },
  };
}

/**
 * Chromium refuses to run as root with its sandbox, which is what keeps a page that breaks out of its renderer from the
 * machine: run the server as a user of its own. For anybody else it is on, and where the machine does not allow it
 * (containers without user namespaces), the browser does not start.
 */
function canUseSandbox(): boolean {
  return process.getuid?.() !== 0;
}

/** Throws INVALID_URL, and what the gate throws: for this, no browser is started. */
async function judge(gate: Gate, address: string): Promise<void> {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new AppError('INVALID_URL', 'This is no address that begins with http:// or https://.');
  }
  if (url.username || url.password) {
    throw new AppError('INVALID_URL', 'An address may not carry a name or a password.');
  }
  await gate.resolve(url.hostname, Number(url.port || (url.protocol === 'https:' ? 443 : 80)));
}

/** Does not wait longer than the signal lets it; what is under way goes on. Throws the signal's reason. */
async function unlessAborted<T>(act: () => Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const leave = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', leave, { once: true });
  try {
    return await Promise.race([act(), aborted.promise]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}

function notInstalled(): AppError {
  return new AppError(
    'BROWSER_NOT_AVAILABLE',
    'There is no browser here to take pictures with. The operator can install Chromium, or name one in CHROMIUM_PATH.',
  );
}

function doesNotStart(cause: unknown): AppError {
  return new AppError(
    'BROWSER_NOT_AVAILABLE',
    'The browser that takes pictures does not start. The operator finds the reason in the log.',
    { cause },
  );
}

function tooManyShots(): AppError {
  return new AppError(
    'RATE_LIMITED',
    'Too many pictures of pages are being taken. Please try again in a moment.',
    { retryAfter: RETRY_AFTER },
  );
}

function isClosing(): AppError {
  return new AppError('BROWSER_NOT_AVAILABLE', 'The server is closing.');
}

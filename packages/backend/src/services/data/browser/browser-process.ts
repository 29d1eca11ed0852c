import type { Browser as Chromium } from 'playwright-core';
import type { Environment } from '../../../core/settings.ts';
import type { Gate } from '../../../fetcher/index.ts';
import { CHROMIUM_ARGUMENTS, UNWANTED_ARGUMENTS } from './chromium-arguments.ts';
import { type FilteringProxy, startFilteringProxy } from './filtering-proxy.ts';
import { killProcess, watchMemory } from './watch-memory.ts';

const START_MS = 15_000;
/** Milliseconds after which a browser that does not end by itself is killed. */
const CLOSE_TIMEOUT_MS = 3_000;

/** Variables that the browser receives of an environment that holds secrets: for programs, fonts and time. */
const ENVIRONMENT = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'FONTCONFIG_FILE', 'FONTCONFIG_PATH'];

interface BrowserProcessOptions {
  gate: Gate;
  /** Environment of this process. */
  environment: Environment;
  /** Path of a Chromium. */
  executable: string;
  /** Whether the system isolates pages that break out of the renderer. */
  sandbox: boolean;
  /** Megabytes of memory for one page. */
  maxMegabytes: number;
}

export interface BrowserProcess {
  chromium: Chromium;
  proxy: FilteringProxy;
  /** Settles when no page can be opened here any more, because the process has ended or is retired. */
  ended: Promise<void>;
  /** Counts a page that is open. Returns the function to call when it is closed. */
  addPage(): () => void;
  /** Ends the process as soon as its open pages are closed, because something in it does not close. */
  retire(): void;
  close(): Promise<void>;
}

/**
 * Starts a Chromium that is controlled through a pipe, so that it ends with this process. Its only way to the network is
 * a proxy of its own.
 */
export async function startBrowserProcess(options: BrowserProcessOptions): Promise<BrowserProcess> {
  const proxy = await startFilteringProxy({ gate: options.gate });
  let chromium: Chromium | undefined;
  try {
    const { chromium: launcher } = await import('playwright-core');
    chromium = await launcher.launch({
      executablePath: options.executable,
      chromiumSandbox: options.sandbox,
      args: [...CHROMIUM_ARGUMENTS],
      ignoreDefaultArgs: UNWANTED_ARGUMENTS,
      // There are no credentials here, so the proxy refuses what the browser itself wants to fetch. Loopback goes
      // through the proxy, too.
      proxy: { server: proxy.url, bypass: '<-loopback>' },
      timeout: START_MS,
      env: Object.fromEntries(ENVIRONMENT.map((name) => [name, options.environment[name]])),
      // The server ends the browser when it ends itself.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    });
    return await superviseBrowser(chromium, { proxy, maxMegabytes: options.maxMegabytes });
  } catch (error) {
    await Promise.allSettled([chromium?.close(), proxy.close()]);
    throw error;
  }
}

async function superviseBrowser(
  chromium: Chromium,
  { proxy, maxMegabytes }: { proxy: FilteringProxy; maxMegabytes: number },
): Promise<BrowserProcess> {
  const session = await chromium.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const pid = processInfo.find(({ type }) => type === 'browser')?.id;
  const ended = Promise.withResolvers<void>();
  let pages = 0;
  let retired = false;
  let stopWatching = () => {};
  chromium.on('disconnected', () => {
    stopWatching();
    ended.resolve();
    proxy.close();
  });

  async function close(): Promise<void> {
    const timer = setTimeout(() => killProcess(pid), CLOSE_TIMEOUT_MS);
    await chromium.close().catch(() => killProcess(pid));
    clearTimeout(timer);
    await proxy.close();
  }

  return {
    chromium,
    proxy,
    ended: ended.promise,
    addPage() {
      if (pages === 0) stopWatching = watchMemory(session, maxMegabytes);
      pages += 1;
      return () => {
        pages -= 1;
        if (pages > 0) return;
        stopWatching();
        if (retired) close();
      };
    },
    retire() {
      retired = true;
      ended.resolve();
    },
    close,
  };
}

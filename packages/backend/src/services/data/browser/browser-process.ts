import type { Browser as Chromium } from 'playwright-core';
import type { Environment } from '../../../core/settings.ts';
import type { Gate } from '../../../fetcher/index.ts';
import { CHROMIUM_ARGUMENTS, UNWANTED_ARGUMENTS } from './chromium-arguments.ts';
import { type FilteringProxy, startFilteringProxy } from './filtering-proxy.ts';
import { kill, watchMemory } from './watch-memory.ts';

const START_MS = 15_000;
/** A browser that does not end by itself within this time is killed. */
const CLOSE_TIMEOUT_MS = 3_000;

/** What the browser gets to know of our environment, which holds secrets: its way to programs, fonts and time. */
const ENVIRONMENT = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'FONTCONFIG_FILE', 'FONTCONFIG_PATH'];

export interface BrowserProcessOptions {
  gate: Gate;
  /** The environment of this process. */
  environment: Environment;
  /** The path of a Chromium. */
  executable: string;
  /** Whether the system keeps pages that break out from the rest of the machine. */
  sandbox: boolean;
  /** Of memory, for one page. */
  maxMegabytes: number;
}

export interface BrowserProcess {
  chromium: Chromium;
  proxy: FilteringProxy;
  /** Settles when no page can be opened here any more: the process is gone, or retired. */
  ended: Promise<void>;
  /** For each page, to be called off when it is closed. */
  enter(): () => void;
  /** Something in it does not let go: it is ended as soon as the pages that are open in it are done. */
  retire(): void;
  close(): Promise<void>;
}

/**
 * Starts a Chromium that is spoken to through a pipe, so that it ends when we do, and that knows no other way to the net
 * than a proxy of its own.
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
      // Without credentials: what the browser itself wants to fetch is refused. Loopback is asked of the proxy, too.
      proxy: { server: proxy.address, bypass: '<-loopback>' },
      timeout: START_MS,
      env: Object.fromEntries(ENVIRONMENT.map((name) => [name, options.environment[name]])),
      // The server ends the browser when it ends itself, in its own time.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    });
    return await watchOver(chromium, { proxy, maxMegabytes: options.maxMegabytes });
  } catch (error) {
    await Promise.allSettled([chromium?.close(), proxy.close()]);
    throw error;
  }
}

async function watchOver(
  chromium: Chromium,
  { proxy, maxMegabytes }: { proxy: FilteringProxy; maxMegabytes: number },
): Promise<BrowserProcess> {
  const session = await chromium.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const pid = processInfo.find(({ type }) => type === 'browser')?.id;
  const ended = Promise.withResolvers<void>();
  let pages = 0;
  let retired = false;
  let callOff = () => {};
  chromium.on('disconnected', () => {
    callOff();
    ended.resolve();
    proxy.close();
  });

  async function close(): Promise<void> {
    const tooLong = setTimeout(() => kill(pid), CLOSE_TIMEOUT_MS);
    await chromium.close().catch(() => kill(pid));
    clearTimeout(tooLong);
    await proxy.close();
  }

  return {
    chromium,
    proxy,
    ended: ended.promise,
    enter() {
      if (pages === 0) callOff = watchMemory(session, maxMegabytes);
      pages += 1;
      return () => {
        pages -= 1;
        if (pages > 0) return;
        callOff();
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

import { Semaphore, ThreadEnded } from '@fabrica/backend';
import type { Language } from '../../project/languages.ts';
import type { RenderedPage } from '../page-cache/page-cache.ts';
import { describeJob, loggedPath, type RenderPage, type RenderPageOptions } from './render-page.ts';
import type { RenderThreads } from './render-threads.ts';
import type { ThreadRead, ThreadResponse } from './render-worker.ts';

/** Pages that this thread renders at a time. The others wait. */
const PAGES_AT_ONCE = 4;

export interface Rendering {
  /** Renders a page in this thread, when it is its turn. */
  here: RenderPage;
  /** Renders a page that is the same for all readers: in another thread, while there are many pages to be rendered. */
  shared(url: URL, language: Language, reads: Reads): Promise<RenderedPage>;
  /** Resolves when no such page is in progress: some go on when their readers have gone. */
  idle(): Promise<void>;
}

/** The ways in which a page that is the same for all readers reads what it shows. */
interface Reads {
  fetch: typeof globalThis.fetch;
  /** Called with the URL of each read that goes another way, before it. */
  onRead(url: string): void;
}

export interface RenderingOptions
  extends Pick<
    RenderPageOptions,
    'backend' | 'config' | 'log' | 'readSite' | 'sendContact' | 'parseMarkdown'
  > {
  renderPage: RenderPage;
  threads: RenderThreads | undefined;
}

/** Decides where pages are rendered. */
export function createRendering(options: RenderingOptions): Rendering {
  const { log, readSite, sendContact, parseMarkdown, renderPage, threads } = options;
  const semaphore = new Semaphore({ concurrency: PAGES_AT_ONCE });
  const pages = new Set<Promise<RenderedPage>>();
  /** Has calls of the API come between pages: those of SQLite never wait, and would be rendered in one iteration of the event loop. */
  const here: RenderPage = async (...page) => {
    const release = await semaphore.acquire();
    try {
      return await renderPage(...page);
    } finally {
      setImmediate(release);
    }
  };

  async function inThread(url: URL, language: Language, reads: Reads): Promise<RenderedPage | undefined> {
    const render = threads?.take(pages.size);
    if (!render) return undefined;
    const task = {
      kind: 'render' as const,
      ...describeJob(url, language, options),
      site: await readSite(language),
      takesMessages: sendContact !== undefined,
    };
    try {
      return await render(task, {
        read: (read) => readForThread(reads.fetch, read),
        parse: parseMarkdown,
        reportFailure: (error) => log.error({ path: loggedPath(url.pathname), err: error }),
      });
    } catch (error) {
      if (error instanceof ThreadEnded) return undefined;
      throw error;
    }
  }

  return {
    here,
    shared(url, language, reads) {
      const page = inThread(url, language, reads).then((done) => done ?? here(url, language, reads));
      pages.add(page);
      const forget = () => pages.delete(page);
      page.then(forget, forget);
      return page;
    },
    async idle() {
      while (pages.size > 0) await Promise.allSettled(pages);
    },
  };
}

/** Makes a call of the backend for a thread. */
async function readForThread(
  fetch: typeof globalThis.fetch,
  { url, headers }: ThreadRead,
): Promise<ThreadResponse> {
  const response = await fetch(url, { headers });
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: await response.text(),
  };
}

import { whenIdle } from '../live/while-visible.ts';

/** Holds what is shown in place of a page that was never read. */
interface MissingPage {
  title: string;
  text: string;
  language: string;
}

const WORKER = '/service-worker.js';
/** The worker's cache. */
const PAGES = 'pages';

/**
 * Caches the page that is shown once it is idle, under the address that links have and under the one in the address bar. Returns a
 * function that gives this up. Development caches none.
 */
export function cachePage(address: string, missing: MissingPage): () => void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return () => {};
  return whenIdle(async () => {
    if (document.readyState !== 'complete') {
      await new Promise((resolve) => window.addEventListener('load', resolve, { once: true }));
    }
    // Without a worker, as where the browser refuses one, pages are read online only.
    await navigator.serviceWorker.register(WORKER).catch(() => undefined);
    const { active } = await navigator.serviceWorker.ready;
    const { href, origin } = window.location;
    for (const read of new Set([origin + address, withoutHash(href)]))
      active?.postMessage({ read, missing: missingPage(missing) });
  });
}

/** Deletes all pages of the cache. */
export async function deleteCachedPages(): Promise<void> {
  if ('caches' in window) await caches.delete(PAGES);
}

/** Tells whether a page is in the cache. */
export async function isCached(url: string): Promise<boolean> {
  if (!('caches' in window)) return false;
  return (await caches.match(withoutHash(url), { ignoreVary: true })) !== undefined;
}

function withoutHash(url: string): string {
  return url.split('#')[0] ?? url;
}

function missingPage({ title, text, language }: MissingPage): string {
  const style =
    ':root{color-scheme:light dark}body{max-width:34rem;margin:20vh auto;padding:0 1rem;font:1.125rem/1.6 serif}h1{font-weight:400}';
  return `<!doctype html><html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${style}</style><main><h1>${title}</h1><p>${text}</p></main></html>`;
}

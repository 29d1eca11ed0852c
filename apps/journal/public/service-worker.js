/*
 * Keeps the pages that were read, so that they can be read again without a connection (docs/decisions/reading-offline.md).
 * It answers for whole pages and their style sheets alone, from the network as long as there is one. Pages with `no-store` are
 * never kept.
 */
const PAGES = 'pages';
const MAX_PAGES = 50;
const STYLES = 'styles';
/** Each release may have another one. */
const MAX_STYLES = 5;
/** The key of the page that is shown in place of one that was never read. */
const MISSING = '/service-worker/missing';

addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => {
  // The browser asks the server while this worker starts.
  // It claims no open page: that would throw those out of the back/forward cache, and only navigations are answered.
  event.waitUntil(registration.navigationPreload?.enable());
});

addEventListener('fetch', (event) => {
  const { destination, method, mode } = event.request;
  if (mode === 'navigate' && method === 'GET') event.respondWith(respond(event));
  else if (destination === 'style') event.respondWith(respondWithStyles(event.request));
});

addEventListener('message', (event) => {
  const { read, missing } = event.data;
  event.waitUntil(Promise.all([keep(read), keepMissing(missing)]));
});

async function respond({ request, preloadResponse }) {
  try {
    return (await preloadResponse) ?? (await fetch(request));
  } catch {
    const cache = await caches.open(PAGES);
    const kept = (await cache.match(request.url, { ignoreVary: true })) ?? (await cache.match(MISSING));
    return kept ?? Response.error();
  }
}

async function respondWithStyles(request) {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match(request)) ?? Response.error();
  }
}

/** Keeps a page that is shown just now: browsers have it still and only ask whether it has changed. */
async function keep(url) {
  const response = await fetch(url);
  const control = response.headers.get('cache-control') ?? '';
  if (!response.ok || response.redirected || control.includes('no-store')) return;
  await keepStyles(await response.clone().text());
  const cache = await caches.open(PAGES);
  await cache.delete(url, { ignoreVary: true });
  await cache.put(url, response);
  const keys = (await cache.keys()).filter((key) => new URL(key.url).pathname !== MISSING);
  await Promise.all(keys.slice(0, -MAX_PAGES).map((key) => cache.delete(key, { ignoreVary: true })));
}

/** Keeps the style sheets of a page, which are named after their content. */
async function keepStyles(html) {
  const cache = await caches.open(STYLES);
  for (const [, href] of html.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)) {
    if (!(await cache.match(href))) await cache.add(href);
  }
  const keys = await cache.keys();
  await Promise.all(keys.slice(0, -MAX_STYLES).map((key) => cache.delete(key)));
}

async function keepMissing(html) {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    // The page is text alone: whatever else a message held would neither run nor load anything.
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
  };
  await (await caches.open(PAGES)).put(MISSING, new Response(html, { status: 503, headers }));
}

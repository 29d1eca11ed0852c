import { takeScripts } from '../security-headers.ts';
import type { SharedPart } from './brotli-parts.ts';
import type { PageBody } from './page-body.ts';

export interface FinishedDocument {
  body: PageBody;
  /** The CSP sources of its inline scripts. */
  scripts: string[];
}

const SCRIPT_PRELOAD = /<link rel="modulepreload"[^>]*? href="([^"]*)"[^>]*>/g;
/** Matches the imports of the module by which React Router starts the page: its manifest, then its routes as `route0`, … */
const MODULE_IMPORTS = /import "([^"]+)";\s*((?:import \* as route\d+ from "[^"]+";\s*)+)/y;
/** Matches the paths of pages that have their content by their scripts. */
const WRITTEN_BY_SCRIPTS = /^\/(?:admin|account)(?:\/|$)/;
/** Milliseconds after which a page no longer waits for its artwork: it may be on its way for long. */
const MAX_WAIT_MS = 3_000;
/**
 * Waits until the first artwork of the page is there, the reader has touched the page, or the time is over. Without an artwork,
 * it waits for the first paint, which there is none of in a window or a frame that is not seen.
 */
const WAIT_SCRIPT = [
  `const picture = document.querySelector('img[fetchpriority=high]');`,
  `if (picture ? !picture.complete : parent === window && !document.hidden) await new Promise((start) => {`,
  `if (picture) for (const name of ['load', 'error']) picture.addEventListener(name, start);`,
  `else new PerformanceObserver(start).observe({ type: 'paint', buffered: true });`,
  `for (const name of ['pointerdown', 'keydown', 'submit']) addEventListener(name, start, { capture: true, once: true });`,
  `setTimeout(start, ${MAX_WAIT_MS}); });`,
].join(' ');

export interface FinishOptions {
  nonce: string;
  styles: SharedPart | undefined;
  /** The path of the page. */
  pathname: string;
}

/**
 * Finishes a rendered document, a text with a character for each byte: takes the nonce of its scripts out and puts the style
 * sheet in. React leaves a `style` element that it does not know where it is. The scripts of a page that can be read without
 * them are loaded after its artwork or its first paint, so that the artwork and the fonts do not share the connection with them.
 */
export function finishDocument(page: string, { nonce, styles, pathname }: FinishOptions): FinishedDocument {
  const startsLater = styles !== undefined && !WRITTEN_BY_SCRIPTS.test(pathname);
  const { html, scripts } = takeScripts(startsLater ? startLater(page) : page, nonce);
  const end = html.indexOf('</head>');
  if (!styles) return { body: bytesOf(html), scripts };
  return {
    body: { before: bytesOf(html.slice(0, end)), styles, after: bytesOf(html.slice(end)) },
    scripts,
  };
}

/** Has the scripts of a page loaded after what it waits for: all are named before the first one arrives, and a press between two. */
function startLater(page: string): string {
  // Only the last place is safe: a script above the module that starts the page, such as JSON-LD, may hold these letters as well, and
  // the page's data below it has a backslash before each quotation mark. The pattern alone would look at each letter of the page.
  const at = page.lastIndexOf('import "');
  MODULE_IMPORTS.lastIndex = at;
  const [imports, manifest, routes = ''] = (at >= 0 && MODULE_IMPORTS.exec(page)) || [];
  if (imports === undefined) return page;
  const [names, urls] = [[...routes.matchAll(/as (route\d+)/g)], [...routes.matchAll(/from ("[^"]+")/g)]];
  const modules = [`"${manifest}"`, ...urls.map(([, url]) => url)].map((url) => `import(${url})`);
  const taken = names.map(([, name]) => name).join(', ');
  const preloaded: string[] = [];
  const body = page.indexOf('</head>');
  const head = page.slice(0, body).replace(SCRIPT_PRELOAD, (_, url: string) => {
    preloaded.push(url);
    return '';
  });
  const later = [
    WAIT_SCRIPT,
    `for (const href of ${JSON.stringify(preloaded)}) {`,
    `document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }));`,
    'await self.scheduler?.yield?.(); }',
    `const [, ${taken}] = await Promise.all([${modules.join(', ')}]);`,
  ].join(' ');
  return head + page.slice(body, at) + later + page.slice(at + imports.length);
}

function bytesOf(text: string): Buffer<ArrayBuffer> {
  return Buffer.from(text, 'latin1');
}

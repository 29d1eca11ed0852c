import { takeScripts } from '../security-headers.ts';
import type { SharedPart } from './brotli-parts.ts';
import type { PageBody } from './page-body.ts';

export interface FinishedDocument {
  body: PageBody;
  /** The CSP sources of its inline scripts. */
  scripts: string[];
}

const SCRIPT_PRELOAD = /<link rel="modulepreload"[^>]*>/g;
/** Matches the imports of the module by which React Router starts the page: its manifest, then its routes as `route0`, … */
const MODULE_IMPORTS = /import "([^"]+)";\s*((?:import \* as route\d+ from "[^"]+";\s*)+)/y;
/** Milliseconds after which a page no longer waits for its artwork: it may be on its way for long. */
const MAX_WAIT_MS = 3_000;
/** Waits until the first artwork of the page is there, the reader has touched the page, or the time is over. */
const WAIT_FOR_ARTWORK = [
  `const picture = document.querySelector('img[fetchpriority=high]');`,
  `if (picture && !picture.complete) await new Promise((go) => {`,
  `for (const name of ['load', 'error']) picture.addEventListener(name, go);`,
  `for (const name of ['pointerdown', 'keydown', 'submit']) addEventListener(name, go, { capture: true, once: true });`,
  `setTimeout(go, ${MAX_WAIT_MS}); });`,
].join(' ');

/**
 * Finishes a rendered document, a text with a character for each byte: takes the nonce of its scripts out and puts the style sheet in. React leaves a `style`
 * element that it does not know where it is. On a page with an artwork, the scripts are loaded after the artwork, so that
 * it does not share the connection with them.
 */
export function finishDocument(
  page: string,
  { nonce, styles }: { nonce: string; styles: SharedPart | undefined },
): FinishedDocument {
  const isPainted = styles && page.includes('<link rel="preload" as="image"');
  const { html, scripts } = takeScripts(isPainted ? startLater(page) : page, nonce);
  const end = html.indexOf('</head>');
  if (!styles) return { body: bytesOf(html), scripts };
  return {
    body: { before: bytesOf(html.slice(0, end)), styles, after: bytesOf(html.slice(end)) },
    scripts,
  };
}

/** Has the scripts of a page loaded once its artwork is there. */
function startLater(page: string): string {
  const html = page.replace(SCRIPT_PRELOAD, '');
  // No text of the page holds this quotation mark as it is. The pattern alone would look at each letter of the page.
  const start = html.indexOf('import "');
  MODULE_IMPORTS.lastIndex = start;
  const [imports, manifest, routes = ''] = (start >= 0 && MODULE_IMPORTS.exec(html)) || [];
  if (imports === undefined) return html;
  const [names, urls] = [[...routes.matchAll(/as (route\d+)/g)], [...routes.matchAll(/from ("[^"]+")/g)]];
  const modules = [`"${manifest}"`, ...urls.map(([, url]) => url)].map((url) => `import(${url})`);
  const taken = names.map(([, name]) => name).join(', ');
  const later = `${WAIT_FOR_ARTWORK} const [, ${taken}] = await Promise.all([${modules.join(', ')}]);`;
  return html.slice(0, start) + later + html.slice(start + imports.length);
}

function bytesOf(text: string): Buffer<ArrayBuffer> {
  return Buffer.from(text, 'latin1');
}

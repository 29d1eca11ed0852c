import type { PageLink } from '@fabrica/contract';

const MAX_LINKS = 2_000;
const MAX_HEADINGS = 500;
const MAX_TEXT = 500;
const MAX_META = 500;
const MAX_URL_LENGTH = 4_000;
const MAX_META_LENGTH = 4_000;
/** Characters of JSON-LD of a page at most. */
const MAX_JSON = 256 * 1024;

const HEADING = /^h[1-6]$/;
const JSON_LD = /^application\/ld\+json\s*(?:;|$)/i;

type Attributes = Record<string, string>;

/** Text that is collected until its element ends. */
interface TextCapture {
  name: string;
  parts: string[];
  length: number;
  limit: number;
  done(text: string): void;
}

/** Metadata, links and headings of a page, collected while it is parsed. */
export interface PageFacts {
  openElement(name: string, attributes: Attributes): void;
  closeElement(name: string): void;
  addText(text: string): void;
  /** Returns the base URL, or `undefined` for a page without one. */
  base(): string | undefined;
  /** Returns the `content` of the first <meta> with one of these names that is not empty. */
  meta(...names: string[]): string | undefined;
  title(): string;
  language(): string | undefined;
  canonical(): string | undefined;
  icon(): string | undefined;
  headings(): string[];
  links(): PageLink[];
  /** Returns the sources of JSON-LD, unparsed. */
  jsonLd(): string[];
}

/** Creates the facts of a page. `url` is the URL of the page. */
export function createPageFacts(url: string | undefined): PageFacts {
  const metas = new Map<string, string>();
  const links = new Map<string, PageLink>();
  const headings: string[] = [];
  const jsonLd: string[] = [];
  const titles: string[] = [];
  const host = url === undefined ? undefined : URL.parse(url)?.hostname;
  let captures: TextCapture[] = [];
  let jsonLength = 0;
  let base: string | undefined;
  let language: string | undefined;
  let canonical: string | undefined;
  let icon: string | undefined;

  function capture(name: string, limit: number, done: TextCapture['done']): void {
    finish(name);
    captures.push({ name, parts: [], length: 0, limit, done });
  }

  /** Ends the captures of a name. Links do not nest, nor do headings. */
  function finish(name: string): void {
    const ending = captures.filter((one) => one.name === name);
    if (ending.length === 0) return;
    captures = captures.filter((one) => one.name !== name);
    for (const { parts, done } of ending) done(parts.join(''));
  }

  function addLink(href: string | undefined, text: string): void {
    const to = absoluteUrl(href, base ?? url);
    if (to === undefined) return;
    const known = links.get(to);
    if (known) known.text ||= collapseSpaces(text);
    else if (links.size < MAX_LINKS) {
      const type = new URL(to).hostname === host ? 'internal' : 'external';
      links.set(to, { text: collapseSpaces(text), url: to, type });
    }
  }

  function addMeta({ name, property, itemprop, content }: Attributes): void {
    const key = (property ?? name ?? itemprop)?.trim().toLowerCase();
    const value = collapseSpaces(content?.slice(0, MAX_META_LENGTH));
    if (key && value && !metas.has(key) && metas.size < MAX_META) metas.set(key, value);
  }

  function addRelation({ rel = '', href }: Attributes): void {
    const relations = rel.toLowerCase().split(/\s+/);
    if (relations.includes('canonical')) canonical ??= href;
    if (relations.includes('icon')) icon ??= href;
  }

  return {
    openElement(name, attributes) {
      if (HEADING.test(name)) {
        capture('heading', MAX_TEXT, (text) => {
          if (collapseSpaces(text) && headings.length < MAX_HEADINGS) headings.push(collapseSpaces(text));
        });
      } else if (name === 'a' || name === 'area') {
        const { href, title, alt } = attributes;
        if (name === 'area') addLink(href, alt ?? '');
        else capture('a', MAX_TEXT, (text) => addLink(href, collapseSpaces(text) || (title ?? '')));
      } else if (name === 'frame' || name === 'iframe') addLink(attributes.src, attributes.title ?? '');
      else if (name === 'img') this.addText(` ${attributes.alt ?? ''} `);
      else if (name === 'meta') addMeta(attributes);
      else if (name === 'link') addRelation(attributes);
      else if (name === 'base') base ??= absoluteUrl(attributes.href, url);
      else if (name === 'html') language ??= attributes.lang || attributes['xml:lang'];
      else if (name === 'title') capture('title', MAX_TEXT, (text) => titles.push(collapseSpaces(text)));
      else if (name === 'script' && JSON_LD.test(attributes.type ?? '')) {
        capture('script', MAX_JSON - jsonLength, (text) => {
          jsonLength += text.length;
          jsonLd.push(text);
        });
      }
    },
    closeElement(name) {
      finish(HEADING.test(name) ? 'heading' : name);
    },
    addText(text) {
      for (const one of captures) {
        if (one.length >= one.limit) continue;
        one.parts.push(text.slice(0, one.limit - one.length));
        one.length += text.length;
      }
    },
    base: () => base ?? url,
    meta: (...names) => names.map((name) => metas.get(name)).find(Boolean),
    title: () => titles.find(Boolean) ?? '',
    language: () => language,
    canonical: () => canonical,
    icon: () => icon,
    headings: () => headings,
    links: () => [...links.values()],
    jsonLd: () => jsonLd,
  };
}

/** Returns a text without line ends and with single spaces. */
export function collapseSpaces(text: string | undefined): string {
  return (text ?? '').replace(/\s+/g, ' ').trim();
}

/** Returns an absolute URL with http or https, or `undefined` for any other and without a base. */
export function absoluteUrl(href: string | undefined, base: string | undefined): string | undefined {
  if (!href || href.length > MAX_URL_LENGTH) return undefined;
  const url = URL.parse(href, base)?.href;
  return url && /^https?:/.test(url) ? url : undefined;
}

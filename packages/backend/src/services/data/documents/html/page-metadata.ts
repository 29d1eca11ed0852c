import type { PageMetadata } from '@fabrica/contract';
import { absoluteUrl, collapseSpaces, type PageFacts } from './page-facts.ts';

/** Types of schema.org that describe the page itself, the most specific first. */
const KINDS = [/Article$|Posting$|Report$/, /^(?:Recipe|Product|Event|Book|Movie|VideoObject)$/, /Page$/];
const MAX_KEYWORDS = 100;

type Thing = Record<string, unknown>;

/** Returns the metadata of a page from OpenGraph and <meta>, and then from JSON-LD. `url` is the URL of the page. */
export function pageMetadata(facts: PageFacts, url: string): PageMetadata {
  const { meta } = facts;
  const thing = thingOf(facts.jsonLd());
  const base = facts.base() ?? url;
  const icon = absoluteUrl(facts.icon() ?? '/favicon.ico', facts.icon() ? base : url);
  const image = meta('og:image', 'og:image:url', 'twitter:image', 'image') ?? urlOf(thing.image);
  const optional = {
    favicon: icon,
    image: absoluteUrl(image, base),
    author: meta('author', 'article:author', 'citation_author', 'dc.creator') ?? namesOf(thing.author),
    publishedTime:
      meta('article:published_time', 'datepublished', 'date', 'citation_publication_date', 'dc.date') ??
      textOf(thing.datePublished),
    modifiedTime:
      meta('article:modified_time', 'datemodified', 'og:updated_time', 'last-modified') ??
      textOf(thing.dateModified),
    type: meta('og:type'),
    siteName: meta('og:site_name', 'application-name') ?? namesOf(thing.publisher),
    locale: meta('og:locale') ?? facts.language() ?? textOf(thing.inLanguage),
  };
  return {
    title: meta('og:title', 'twitter:title') ?? textOf(thing.headline) ?? facts.title(),
    description:
      meta('description', 'og:description', 'twitter:description') ?? textOf(thing.description) ?? '',
    url: absoluteUrl(facts.canonical(), base) ?? url,
    domain: URL.parse(url)?.hostname ?? '',
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)),
    keywords: keywordsOf(meta('keywords', 'news_keywords') ?? thing.keywords),
  };
}

/** Returns the thing of JSON-LD that describes the page. Invalid JSON is ignored. */
function thingOf(sources: readonly string[]): Thing {
  const things = sources.flatMap((source) => {
    try {
      return thingsIn(JSON.parse(source));
    } catch {
      return [];
    }
  });
  const found = KINDS.map((kind) => things.find((thing) => typesOf(thing).some((type) => kind.test(type))));
  return found.find(Boolean) ?? {};
}

function thingsIn(value: unknown): Thing[] {
  return (Array.isArray(value) ? value : [value]).filter(isThing).flatMap((thing) => {
    const graph = thing['@graph'];
    return [thing, ...(Array.isArray(graph) ? graph.filter(isThing) : [])];
  });
}

function typesOf(thing: Thing): string[] {
  return [thing['@type']].flat().filter((type) => typeof type === 'string');
}

function isThing(value: unknown): value is Thing {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string | undefined {
  return (typeof value === 'string' && collapseSpaces(value)) || undefined;
}

/** Returns the names of one thing or several. */
function namesOf(value: unknown): string | undefined {
  const names = [value].flat().map((one) => textOf(isThing(one) ? one.name : one));
  return names.filter(Boolean).join(', ') || undefined;
}

function urlOf(value: unknown): string | undefined {
  const [first] = [value].flat();
  return textOf(isThing(first) ? first.url : first);
}

function keywordsOf(value: unknown): string[] {
  const texts = [value].flat().filter((one) => typeof one === 'string');
  const keywords = texts.flatMap((text) => text.split(',')).map(collapseSpaces);
  return [...new Set(keywords.filter(Boolean))].slice(0, MAX_KEYWORDS);
}

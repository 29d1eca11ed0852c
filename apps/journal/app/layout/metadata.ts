import type { MetaDescriptor } from 'react-router';
import { resizedUrl } from '../images/image-urls.ts';
import { LANGUAGE_CODES, type Language } from '../language/languages.ts';

const SITE_NAME = 'Fabrica';
/** Pixels; those that show shared pages want 1,200 at least. */
const SHARED_WIDTH = 1280;
const LOCALES: Record<Language, string> = { en: 'en_US', es: 'es_ES', fr: 'fr_FR', de: 'de_DE' };

export interface Metadata {
  title: string;
  description: string;
  /** Path of the page, without a query: `/gallery`. */
  path: string;
  language: Language;
  /** The journal's own address, without a trailing slash. */
  publicUrl: string;
  /** Address of the picture to share, whole or from the root. */
  image?: string | undefined;
  type?: 'website' | 'article';
  author?: string | undefined;
  /** Epoch milliseconds. */
  publishedTime?: number;
  /** Epoch milliseconds. */
  modifiedTime?: number;
  /** JSON-LD, `@context` included. */
  structuredData?: Record<string, unknown>;
  /** Search results and missing pages are nothing to find by searching. */
  indexed?: boolean;
}

/** What a page says of itself to browsers, search engines and those it is shared with (docs/spec/product.md section 2). */
export function buildMetadata(metadata: Metadata): MetaDescriptor[] {
  const { title, description, type = 'website', language, structuredData, indexed = true } = metadata;
  const fullTitle = title === SITE_NAME ? title : `${title} · ${SITE_NAME}`;
  return [
    { title: fullTitle },
    { name: 'description', content: description },
    ...(indexed ? [] : [{ name: 'robots', content: 'noindex' }]),
    { property: 'og:site_name', content: SITE_NAME },
    { property: 'og:type', content: type },
    { property: 'og:title', content: title },
    { property: 'og:description', content: description },
    { property: 'og:url', content: canonicalAddress(metadata) },
    { property: 'og:locale', content: LOCALES[language] },
    ...LANGUAGE_CODES.filter((code) => code !== language).map((code) => ({
      property: 'og:locale:alternate',
      content: LOCALES[code],
    })),
    ...describeImage(metadata),
    { name: 'twitter:title', content: title },
    { name: 'twitter:description', content: description },
    ...describeArticle(metadata),
    ...(indexed ? describeLanguages(metadata) : []),
    ...(structuredData ? [{ 'script:ld+json': structuredData as Record<string, string> }] : []),
  ];
}

/** The one address of this page in this language: the default language has none in its query. */
function canonicalAddress({ publicUrl, path, language }: Metadata): string {
  return language === 'en' ? `${publicUrl}${path}` : `${publicUrl}${path}?lang=${language}`;
}

function describeLanguages(metadata: Metadata): MetaDescriptor[] {
  const { publicUrl, path } = metadata;
  return [
    { tagName: 'link', rel: 'canonical', href: canonicalAddress(metadata) },
    ...LANGUAGE_CODES.map((code) => ({
      tagName: 'link' as const,
      rel: 'alternate',
      hrefLang: code,
      href: `${publicUrl}${path}?lang=${code}`,
    })),
    { tagName: 'link', rel: 'alternate', hrefLang: 'x-default', href: `${publicUrl}${path}` },
  ];
}

function describeImage({ image, publicUrl }: Metadata): MetaDescriptor[] {
  const address = image && sharedImage(image, publicUrl);
  if (!address) return [{ name: 'twitter:card', content: 'summary' }];
  return [
    { property: 'og:image', content: address },
    { name: 'twitter:card', content: 'summary_large_image' },
    { name: 'twitter:image', content: address },
  ];
}

/**
 * The whole address of a picture for those that a page is shared with: as a JPEG of a width that all of them take.
 * Undefined for what is no address.
 */
export function sharedImage(image: string, publicUrl: string): string | undefined {
  const address = resizedUrl(image, SHARED_WIDTH, 'jpeg');
  return URL.canParse(address, publicUrl) ? new URL(address, publicUrl).href : undefined;
}

function describeArticle({ type, author, publishedTime, modifiedTime }: Metadata): MetaDescriptor[] {
  if (type !== 'article') return [];
  const properties = {
    'article:author': author,
    'article:published_time': toIso(publishedTime),
    'article:modified_time': toIso(modifiedTime),
  };
  return Object.entries(properties).flatMap(([property, content]) =>
    content ? [{ property, content }] : [],
  );
}

function toIso(time: number | undefined): string | undefined {
  return time === undefined ? undefined : new Date(time).toISOString();
}

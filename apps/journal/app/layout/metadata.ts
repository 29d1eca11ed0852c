import type { MetaDescriptor } from 'react-router';
import { DEFAULT_LANGUAGE, type Language } from '../../project/languages.ts';
import { isoTime } from '../../project/time.ts';
import { resizedUrl } from '../images/image-urls.ts';
import { type Messages, messagesOf } from '../language/load-messages.ts';
import type { Site } from '../site/site.ts';
import { SHARE_HEIGHT, SHARE_WIDTH, shapedUrl, siteIcon } from '../site/site-images.ts';

/** Pixels; sites that show shared pages ask for at least 1,200. */
const SHARED_WIDTH = 1280;
const LOCALES: Record<Language, string> = { en: 'en_US', es: 'es_ES', fr: 'fr_FR', de: 'de_DE' };

export interface Metadata {
  title: string;
  description: string;
  /** The path of the page without a query, such as `/gallery`. */
  path: string;
  /** The paths of the page in the languages where it has one of their own. */
  paths?: Readonly<Partial<Record<Language, string>>>;
  /** The parameters of the query that make it another page, such as the cursor of a list. */
  parameters?: Readonly<Record<string, string>>;
  language: Language;
  /** The languages that the page's text exists in, the original first. All of them without it, or when it is empty. */
  languages?: readonly Language[];
  /** The journal's URL without a trailing slash. */
  publicUrl: string;
  site: Pick<Site, 'name' | 'languages' | 'logo'>;
  /** The URL of the image to share, absolute or as a path. */
  image?: string | undefined;
  type?: 'website' | 'article';
  author?: string | undefined;
  /** Epoch milliseconds. */
  publishedTime?: number;
  /** Epoch milliseconds. */
  modifiedTime?: number;
  /** JSON-LD with its `@context`. */
  structuredData?: Record<string, unknown>;
  /** False keeps the page out of search engines, as for search results and missing pages. */
  indexed?: boolean;
}

/** Returns the tags that describe a page to browsers, search engines and social networks (docs/spec/product.md section 2). */
export function buildMetadata(metadata: Metadata): MetaDescriptor[] {
  const { title, description, type = 'website', site, structuredData, indexed = true } = metadata;
  const languages = languagesOf(metadata);
  const textLanguage = textLanguageOf(metadata);
  const fullTitle = title === site.name ? title : `${title} · ${site.name}`;
  return [
    { title: fullTitle },
    { name: 'description', content: description },
    ...(indexed ? [] : [{ name: 'robots', content: 'noindex' }]),
    { property: 'og:site_name', content: site.name },
    { property: 'og:type', content: type },
    { property: 'og:title', content: title },
    { property: 'og:description', content: description },
    { property: 'og:url', content: canonicalUrl({ ...metadata, language: textLanguage }) },
    { property: 'og:locale', content: LOCALES[textLanguage] },
    ...languages
      .filter((code) => code !== textLanguage)
      .map((code) => ({
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

/**
 * Returns the tags of a page that search engines leave out, for a route that is matched below the root. The texts are
 * picked from the messages; the title describes a page without a description.
 */
export function buildUnlisted(
  [root]: readonly [{ loaderData: Pick<Metadata, 'language' | 'publicUrl' | 'site'> }, ...unknown[]],
  path: string,
  textsOf: (m: Messages) => { title: string; metaDescription?: string },
): MetaDescriptor[] {
  const { language, publicUrl, site } = root.loaderData;
  const { title, metaDescription: description = title } = textsOf(messagesOf(language));
  return buildMetadata({ title, description, path, language, publicUrl, site, indexed: false });
}

/**
 * Returns the canonical URL of a page in a language, with English in its query too: without a language, the same URL is
 * a different page for each reader (docs/decisions/language-urls.md).
 */
export function canonicalUrl({
  publicUrl,
  path,
  paths = {},
  language,
  parameters,
}: Pick<Metadata, 'publicUrl' | 'path' | 'paths' | 'language' | 'parameters'>): string {
  const query = parameters ? new URLSearchParams({ ...parameters, lang: language }) : `lang=${language}`;
  return `${publicUrl}${paths[language] ?? path}?${query}`;
}

/** Returns the languages of the site that a page's text exists in, the original first. */
function languagesOf({
  languages = [],
  site,
}: Pick<Metadata, 'languages'> & { site: Pick<Site, 'languages'> }): readonly Language[] {
  const offered = languages.filter((code) => site.languages.includes(code));
  return offered.length > 0 ? offered : site.languages;
}

/** Returns the language of the page's text: the page of an untranslated text is not the canonical one of its language. */
function textLanguageOf(metadata: Metadata): Language {
  const [original = DEFAULT_LANGUAGE] = languagesOf(metadata);
  return languagesOf(metadata).includes(metadata.language) ? metadata.language : original;
}

interface Alternate {
  /** The code of a language, or `x-default`. */
  hrefLang: string;
  /** The canonical URL of the page in the language. */
  href: string;
}

/** Returns the URLs of a page in each language that it exists in, and the one for readers of all others. */
export function alternatesOf(
  page: Pick<Metadata, 'publicUrl' | 'path' | 'paths' | 'parameters' | 'languages'> & {
    site: Pick<Site, 'languages'>;
  },
): Alternate[] {
  const languages = languagesOf(page);
  const alternate = (hrefLang: string, language: Language) => ({
    hrefLang,
    href: canonicalUrl({ ...page, language }),
  });
  return [
    ...languages.map((code) => alternate(code, code)),
    alternate(
      'x-default',
      languages.find((code) => code === page.site.languages[0]) ?? languages[0] ?? DEFAULT_LANGUAGE,
    ),
  ];
}

function describeLanguages(metadata: Metadata): MetaDescriptor[] {
  return [
    {
      tagName: 'link',
      rel: 'canonical',
      href: canonicalUrl({ ...metadata, language: textLanguageOf(metadata) }),
    },
    ...alternatesOf(metadata).map((alternate) => ({
      tagName: 'link' as const,
      rel: 'alternate',
      ...alternate,
    })),
  ];
}

/**
 * Describes the picture beside a shared page: the page's own, else the site's. A vector image is not shared, because social
 * networks show none.
 */
function describeImage({ image = '', publicUrl, site, title }: Metadata): MetaDescriptor[] {
  const isShared = image !== '' && !/\.svg(\?|$)/i.test(image) && URL.canParse(image, publicUrl);
  const shaped = isShared ? shapedUrl(image, 'share') : siteIcon(site, 'share');
  const url = new URL(shaped ?? image, publicUrl).href;
  const alt = isShared ? title : site.name;
  const size = [
    { property: 'og:image:width', content: String(SHARE_WIDTH) },
    { property: 'og:image:height', content: String(SHARE_HEIGHT) },
  ];
  return [
    { property: 'og:image', content: url },
    // Of an image from elsewhere, the size is not known.
    ...(shaped ? size : []),
    { property: 'og:image:alt', content: alt },
    { name: 'twitter:card', content: 'summary_large_image' },
    { name: 'twitter:image', content: url },
    { name: 'twitter:image:alt', content: alt },
  ];
}

/**
 * Returns the absolute URL of an image for social networks: a JPEG of a width that all of them accept. Returns undefined
 * when the image is not a valid URL.
 */
export function sharedImage(image: string, publicUrl: string): string | undefined {
  const url = resizedUrl(image, SHARED_WIDTH, 'jpeg');
  return URL.canParse(url, publicUrl) ? new URL(url, publicUrl).href : undefined;
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
  return time === undefined ? undefined : isoTime(time);
}

import type { MetaDescriptor } from 'react-router';
import type { Language } from '../../project/languages.ts';
import { shorten, toOneLine } from '../../project/shorten.ts';
import { isoTime } from '../../project/time.ts';
import type { Byline } from '../desk/document.ts';
import { messagesOf } from '../language/load-messages.ts';
import { buildMetadata, canonicalUrl, sharedImage } from '../layout/metadata.ts';
import type { Site } from '../site/site.ts';
import { siteIcon } from '../site/site-images.ts';
import type { PostPage } from './load-post.ts';
import { ANNOTATIONS_TYPE, annotationsPath } from './marks/annotation-page.ts';
import { addressOf } from './post-address.ts';
import type { Credits } from './present-post.ts';

/** A post's description has at most this many characters of its content (docs/spec/product.md section 9). */
const DESCRIPTION_LENGTH = 160;

interface PostMetadataOptions {
  /** The post's id in the URL. */
  id: string;
  language: Language;
  /** The journal's base URL, without a trailing slash. */
  publicUrl: string;
  site: Site;
}

/** Returns the metadata of a post's page, which is an article. */
export function describePost(
  post: PostPage,
  { language, publicUrl, site }: PostMetadataOptions,
): MetaDescriptor[] {
  const { path, paths } = addressOf(post);
  const authors = authorsOf(post);
  const modifiedTime = lastChange(post);
  const image = sharedImage(post.image.url, publicUrl);
  const description = shorten(toOneLine(post.content), DESCRIPTION_LENGTH);
  const pictures = [{ words: post.imageWords }, ...(post.pictures ?? [])];
  const hasMarks = pictures.some(({ words }) => (words.marks ?? []).length > 0);
  const metadata = buildMetadata({
    title: post.title,
    description,
    path,
    paths,
    language,
    languages: post.languages,
    publicUrl,
    site,
    image: post.image.url,
    type: 'article',
    author: authors.join(', ') || undefined,
    publishedTime: post.createdAt,
    modifiedTime,
    structuredData: {
      '@context': 'https://schema.org',
      '@type': 'Article',
      headline: post.title,
      description,
      ...(image && { image: [image] }),
      datePublished: isoTime(post.createdAt),
      dateModified: isoTime(modifiedTime),
      ...(authors.length > 0 && { author: authors.map((name) => ({ '@type': 'Person', name })) }),
      ...(post.textLanguage && { inLanguage: post.textLanguage }),
      ...translationFacts(post, { publicUrl, site }),
      mainEntityOfPage: canonicalUrl({ publicUrl, path, paths, language }),
      publisher: {
        '@type': 'Organization',
        name: site.name,
        url: publicUrl,
        logo: { '@type': 'ImageObject', url: `${publicUrl}${siteIcon(site, 'icon-512')}` },
      },
    },
  });
  const href = `${publicUrl}${annotationsPath(post.id)}`;
  return hasMarks
    ? [...metadata, { tagName: 'link', rel: 'alternate', type: ANNOTATIONS_TYPE, href }]
    : metadata;
}

/** Returns when the words of a post changed last, or else when they appeared. */
export function lastChange({ change, createdAt }: Pick<PostPage, 'change' | 'createdAt'>): number {
  return change?.at ?? createdAt;
}

/** Returns the metadata of a page whose post does not exist. */
export function describeMissingPost({
  id,
  language,
  publicUrl,
  site,
}: PostMetadataOptions): MetaDescriptor[] {
  const { title, text } = messagesOf(language).post.notFound;
  const path = `/post/${encodeURIComponent(id)}`;
  return buildMetadata({ title, description: text, path, language, publicUrl, site, indexed: false });
}

/** Returns what search engines may know of a translation: what it translates, and who or what wrote it. */
function translationFacts(
  post: PostPage,
  { publicUrl, site }: Pick<PostMetadataOptions, 'publicUrl' | 'site'>,
): Record<string, unknown> {
  const { translation } = post;
  if (!translation) return {};
  const { source, by, reviewedBy } = translation;
  const people = namesOf(post, 'translator').map((name) => ({ '@type': 'Person', name }));
  const machine = { '@type': 'Organization', name: site.name, url: publicUrl };
  const translator = by === 'machine' || by === 'mixed' ? [...people, machine] : people;
  const original = source && canonicalUrl({ publicUrl, ...addressOf(post), language: source });
  return {
    translationOfWork: {
      '@type': 'Article',
      ...(original && { '@id': original, url: original, inLanguage: source }),
    },
    ...(translator.length > 0 && { translator }),
    ...(reviewedBy && { editor: { '@type': 'Person', name: reviewedBy } }),
  };
}

/** Returns the names of the authors: those that the post names, else that of its account. */
export function authorsOf(post: Credits): string[] {
  const named = namesOf(post, 'author');
  return named.length > 0 || post.author === null ? named : [post.author];
}

/** Returns the names of the people who have a role in a post. */
export function namesOf({ byline }: Pick<Credits, 'byline'>, wanted: Byline[number]['role']): string[] {
  return byline.filter(({ role }) => role === wanted).map(({ name }) => name);
}

import type { MetaDescriptor } from 'react-router';
import type { Language } from '../language/languages.ts';
import { messagesOf } from '../language/load-messages.ts';
import { buildMetadata, canonicalUrl, sharedImage } from '../layout/metadata.ts';
import type { Site } from '../site/site.ts';
import { siteIcon } from '../site/site-images.ts';
import type { PostPage } from './load-post.ts';

/** A post's description has this many characters of its content (docs/spec/product.md section 9). */
const DESCRIPTION_LENGTH = 160;

export interface PostMetadataOptions {
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
  const path = `/post/${post.id}`;
  const image = sharedImage(post.image.url, publicUrl);
  const description = firstCharacters(post.content, DESCRIPTION_LENGTH);
  return buildMetadata({
    title: post.title,
    description,
    path,
    language,
    languages: post.languages,
    publicUrl,
    site,
    image: post.image.url,
    type: 'article',
    author: post.author ?? undefined,
    publishedTime: post.createdAt,
    modifiedTime: post.updatedAt,
    structuredData: {
      '@context': 'https://schema.org',
      '@type': 'Article',
      headline: post.title,
      description,
      ...(image && { image: [image] }),
      datePublished: new Date(post.createdAt).toISOString(),
      dateModified: new Date(post.updatedAt).toISOString(),
      ...(post.author && { author: { '@type': 'Person', name: post.author } }),
      ...(post.textLanguage && { inLanguage: post.textLanguage }),
      mainEntityOfPage: canonicalUrl({ publicUrl, path, language }),
      publisher: {
        '@type': 'Organization',
        name: site.name,
        url: publicUrl,
        logo: { '@type': 'ImageObject', url: `${publicUrl}${siteIcon(site, 'icon-512')}` },
      },
    },
  });
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

/** Returns the first characters of a text, without half a surrogate pair at the end. */
function firstCharacters(text: string, count: number): string {
  return text.slice(0, count).replace(/[\uD800-\uDBFF]$/, '');
}

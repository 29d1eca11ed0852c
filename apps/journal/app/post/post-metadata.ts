import type { MetaDescriptor } from 'react-router';
import type { Language } from '../language/languages.ts';
import { messagesOf } from '../language/load-messages.ts';
import { buildMetadata, sharedImage } from '../layout/metadata.ts';
import type { PostPage } from './load-post.ts';

/** Characters of the content that describe a post (docs/spec/product.md section 9). */
const DESCRIPTION_LENGTH = 160;

export interface PageFacts {
  /** As it is in the address. */
  id: string;
  language: Language;
  /** The journal's own address, without a trailing slash. */
  publicUrl: string;
}

/** What a post's page says of itself: an article. */
export function describePost(post: PostPage, { language, publicUrl }: PageFacts): MetaDescriptor[] {
  const path = `/post/${post.id}`;
  const image = sharedImage(post.image.url, publicUrl);
  const description = firstCharacters(post.content, DESCRIPTION_LENGTH);
  return buildMetadata({
    title: post.title,
    description,
    path,
    language,
    publicUrl,
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
      inLanguage: language,
      mainEntityOfPage: `${publicUrl}${path}`,
      publisher: { '@type': 'Organization', name: messagesOf(language).layout.siteName, url: publicUrl },
    },
  });
}

export function describeMissingPost({ id, language, publicUrl }: PageFacts): MetaDescriptor[] {
  const { title, text } = messagesOf(language).post.notFound;
  const path = `/post/${encodeURIComponent(id)}`;
  return buildMetadata({ title, description: text, path, language, publicUrl, indexed: false });
}

/** No half of a surrogate pair at the end. */
function firstCharacters(text: string, count: number): string {
  return text.slice(0, count).replace(/[\uD800-\uDBFF]$/, '');
}

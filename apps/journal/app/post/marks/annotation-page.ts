import type { CoverDetails, PostDocument } from '../../../project/document.ts';
import type { JournalPost } from '../../../project/entities.ts';
import type { PlateMark } from '../../../project/marks.ts';

/** The type of a page of Web Annotations (https://www.w3.org/TR/annotation-protocol/). */
export const ANNOTATIONS_TYPE = 'application/ld+json; profile="http://www.w3.org/ns/anno.jsonld"';

/** Returns where the marks of a post are served. */
export function annotationsPath(postId: string): string {
  return `/post/${encodeURIComponent(postId)}/annotations.json`;
}

interface WriteOptions {
  /** The journal's URL without a trailing slash. */
  publicUrl: string;
  /** Returns the absolute URL of a picture. */
  imageUrl(url: string): string;
}

/**
 * Returns the marks on the pictures of a post as a page of Web Annotations of the W3C, with their notes in all languages; null for a
 * post without marks.
 */
export function annotationPage(
  post: Pick<JournalPost, 'id' | 'imageUrl' | 'cover' | 'pictures'>,
  { publicUrl, imageUrl }: WriteOptions,
): object | null {
  const page = `${publicUrl}${annotationsPath(post.id)}`;
  const cover = post.cover ? (JSON.parse(post.cover) as CoverDetails) : null;
  const pictures = post.pictures ? (JSON.parse(post.pictures) as PostDocument['pictures']) : [];
  const items = [{ url: post.imageUrl, marks: cover?.marks }, ...pictures].flatMap(({ url, marks = [] }) =>
    marks.map((mark) => annotationOf(mark, { page, source: imageUrl(url) })),
  );
  if (items.length === 0) return null;
  return { '@context': 'http://www.w3.org/ns/anno.jsonld', id: page, type: 'AnnotationPage', items };
}

/** A mark without a note is tied to its words by its letter, which is the fragment of its id. */
function annotationOf(
  { type, id, body, target }: PlateMark,
  { page, source }: { page: string; source: string },
) {
  return {
    id: `${page}#${id}`,
    type,
    ...(body.length > 0 && { body: body.map((note) => ({ ...note, format: 'text/plain' })) }),
    target: { source, selector: target.selector },
  };
}

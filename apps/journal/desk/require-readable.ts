import { AppError } from '@fabrica/backend';
import { findTooComplex } from '../project/check-markdown.ts';
import type { PostDocument } from '../project/document.ts';
import { LANGUAGE_CODES } from '../project/languages.ts';
import { faultOfForeign, foreignImages, type NamedImage } from '../project/own-images.ts';
import type { DeskContext } from './desk-context.ts';
import type { Originals } from './translations/original.ts';
import { readPost } from './working-copy.ts';

/**
 * Throws VALIDATION_FAILED for a document with Markdown that is too complex, in any language. What the former document has
 * already is left as it is.
 */
export async function requireReadable(
  { parse }: Originals,
  document: PostDocument,
  former?: PostDocument,
): Promise<void> {
  if (document.contentFormat !== 'markdown') return;
  const textsOf = ({ content, translations }: PostDocument) =>
    new Map([
      ['content', content],
      ...LANGUAGE_CODES.map(
        (language) => [`translations.${language}.content`, translations[language]?.content ?? ''] as const,
      ),
    ]);
  const known = former && textsOf(former);
  const written = [...textsOf(document)].filter(([field, text]) => text !== '' && text !== known?.get(field));
  const details = await findTooComplex(parse, written);
  if (details.length === 0) return;
  const message =
    'This text is too complex to be read as Markdown. Please write it more simply, or as plain text.';
  throw new AppError('VALIDATION_FAILED', message, { details });
}

/** Throws VALIDATION_FAILED for a document with an image of another site that the post, where there is one, does not have yet. */
export async function requireOwnImages(
  desk: DeskContext,
  document: PostDocument,
  postId: string | undefined,
): Promise<void> {
  const foreign = foreignImages(imagesOf(document), desk.imageOrigins);
  if (foreign.length === 0) return;
  const former = postId === undefined ? undefined : await readPost(desk, postId);
  const known = new Set(former && imagesOf(former.document).map(([, url]) => url));
  const details = foreign.filter(([, url]) => !known.has(url)).map(faultOfForeign);
  if (details.length === 0) return;
  throw new AppError('VALIDATION_FAILED', 'An image is on another site. Please upload it here.', { details });
}

function imagesOf({ cover, pictures }: PostDocument): NamedImage[] {
  return [
    ...(cover ? [['cover', cover.url] as const] : []),
    ...pictures.map(({ url }) => ['pictures', url] as const),
  ];
}

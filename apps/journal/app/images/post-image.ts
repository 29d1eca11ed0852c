import type { JournalPost } from '../entities.ts';
import { isBright, placeholderImage } from './placeholder-image.ts';
import type { DisplayedImage } from './responsive-image.tsx';

/** Selects the columns of a post that describe its image. */
export type PostImageColumns = Pick<
  JournalPost,
  'imageUrl' | 'imageWidth' | 'imageHeight' | 'imagePlaceholder'
>;

/** A placeholder's longer side has this many pixels. */
const PLACEHOLDER_SIZES = { card: 14, hero: 32 } as const;

/** Returns a post's image as pages show it: as one of many cards in the gallery, or alone and large. */
export function postImage(
  { imageUrl, imageWidth, imageHeight, imagePlaceholder }: PostImageColumns,
  shownAs: keyof typeof PLACEHOLDER_SIZES,
): DisplayedImage {
  return {
    url: imageUrl,
    width: imageWidth,
    height: imageHeight,
    placeholder: placeholderImage(imagePlaceholder, PLACEHOLDER_SIZES[shownAs]),
    isBright: isBright(imagePlaceholder),
  };
}

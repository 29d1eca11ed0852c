import type { CoverDetails } from '../../project/document.ts';
import type { JournalPost } from '../../project/entities.ts';
import { isBright, placeholderImage } from './placeholder-image.ts';
import type { DisplayedImage } from './responsive-image.tsx';

/** Selects the columns of a post that describe its image. */
type PostImageColumns = Pick<JournalPost, 'imageUrl' | 'imageWidth' | 'imageHeight' | 'imagePlaceholder'> &
  Partial<Pick<JournalPost, 'cover'>>;

/** A placeholder's longer side has this many pixels. */
const PLACEHOLDER_SIZES = { card: 14, hero: 32 } as const;

/** Returns a post's image as pages show it: as one of many cards in the gallery, or alone and large. */
export function postImage(
  { imageUrl, imageWidth, imageHeight, imagePlaceholder, cover }: PostImageColumns,
  shownAs: keyof typeof PLACEHOLDER_SIZES,
): DisplayedImage {
  const focal = coverDetailsOf(cover)?.focal;
  return {
    url: imageUrl,
    width: imageWidth,
    height: imageHeight,
    placeholder: placeholderImage(imagePlaceholder, PLACEHOLDER_SIZES[shownAs]),
    isBright: isBright(imagePlaceholder),
    ...(focal && { focal }),
  };
}

/** Returns what is said about an image, as the server has checked it before it stored it. */
export function coverDetailsOf(cover: string | null | undefined): CoverDetails | null {
  return cover ? (JSON.parse(cover) as CoverDetails) : null;
}

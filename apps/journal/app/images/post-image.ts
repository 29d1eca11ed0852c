import type { JournalPost } from '../entities.ts';
import { placeholderImage } from './placeholder-image.ts';
import type { PictureSource } from './responsive-image.tsx';

/** Of a post, what tells of its image. */
export type PostImage = Pick<JournalPost, 'imageUrl' | 'imageWidth' | 'imageHeight' | 'imagePlaceholder'>;

/** Pixels of a placeholder's longer side. */
const PLACEHOLDER_SIZES = { plate: 14, hero: 32 } as const;

/** A post's image as pages show it: one of many on the wall, or alone and large. */
export function pictureOf(
  { imageUrl, imageWidth, imageHeight, imagePlaceholder }: PostImage,
  shownAs: keyof typeof PLACEHOLDER_SIZES,
): PictureSource {
  return {
    address: imageUrl,
    width: imageWidth,
    height: imageHeight,
    placeholder: placeholderImage(imagePlaceholder, PLACEHOLDER_SIZES[shownAs]),
  };
}

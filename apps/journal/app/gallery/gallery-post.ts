import type { JournalPost } from '../../project/entities.ts';
import { postImage } from '../images/post-image.ts';
import type { CARD_COLUMNS, GalleryPost } from './card-columns.ts';

type CardRow = Pick<JournalPost, (typeof CARD_COLUMNS)[number]> & Partial<Pick<JournalPost, 'cover'>>;

/** Returns a row as its card shows it. Searches find posts without `cover`. */
export function galleryPost({
  imageUrl,
  imageWidth,
  imageHeight,
  imagePlaceholder,
  cover = null,
  ...post
}: CardRow): GalleryPost {
  return {
    ...post,
    artwork: postImage({ imageUrl, imageWidth, imageHeight, imagePlaceholder, cover }, 'card'),
  };
}

import type { JournalPost } from '../../project/entities.ts';
import type { LocalizableTitle } from '../../project/localize.ts';
import type { DisplayedImage } from '../images/responsive-image.tsx';
import type { Excerpt } from './load-excerpts.ts';

/** The columns of a post's titles. */
export const TITLES = ['title', 'titleEn', 'titleEs', 'titleFr', 'titleDe'] as const;

/** The columns that a card shows, but for what is said about the image. */
export const CARD_COLUMNS = [
  'id',
  ...TITLES,
  'imageUrl',
  'imageWidth',
  'imageHeight',
  'imagePlaceholder',
  'createdAt',
  'language',
] as const;

/** The columns of a post that its card shows, and its artwork. */
export type GalleryPost = LocalizableTitle &
  Pick<JournalPost, 'id' | 'createdAt' | 'language'> & {
    artwork: DisplayedImage;
    /** Set where a search has found the post. */
    excerpt?: Excerpt | undefined;
  };

import type { Language } from '../../language/languages.ts';
import type { TranslationFault } from '../translation/translate-part.ts';

/** An image that lies in the storage. What is optional was not kept by earlier versions of the page. */
export interface UploadedImage {
  /** Which file it is. */
  fingerprint: string;
  /** As posts name it. */
  url: string;
  /** Where it lies in the storage. */
  path?: string;
  /** Pixels, as it is seen. */
  width?: number | null;
  height?: number | null;
  /** A thumbhash in base64. */
  placeholder?: string | null;
}

/** What earlier tries of the same draft already got done, so that a retry need not do it again. */
export interface Achieved {
  /** The post's id: a create whose answer was lost is found again by it. */
  postId?: string;
  image?: UploadedImage;
  /** Translations by source text and language. */
  translations?: readonly { source: string; language: Language; text: string }[];
  /** Those that were tried last and did not come. */
  faults?: readonly { source: string; language: Language; fault: TranslationFault }[];
}

/** Where `Achieved` is kept between tries. */
export interface AchievedStore {
  read(): Achieved;
  write(achieved: Achieved): void;
}

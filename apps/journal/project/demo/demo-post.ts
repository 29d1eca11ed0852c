import type { Language } from '../../app/language/languages.ts';
import type { DemoAuthorKey } from './authors.ts';

/** A post of the demo content: an original text in all four languages, and the plate that it belongs to. */
export interface DemoPost {
  slug: string;
  /** File name in `images`. */
  plate: string;
  author: DemoAuthorKey;
  /** How long before the first start it counts as published. */
  daysAgo: number;
  title: Record<Language, string>;
  /** 200 to 400 words in each language; paragraphs are parted by a blank line. */
  content: Record<Language, string>;
}

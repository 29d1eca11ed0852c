import { join } from 'node:path';
import type { Language } from '../languages.ts';

/** Names the fictitious authors of the demo content. */
export const authors = {
  mara: { key: 'mara', displayName: 'Dr Mara Lindqvist' },
  tomas: { key: 'tomas', displayName: 'Dr Tomás Arrieta' },
  ines: { key: 'ines', displayName: 'Inès Vautrin', isIllustrator: true },
} as const satisfies Record<string, DemoAuthor>;

type DemoAuthorKey = keyof typeof authors;

export interface DemoAuthor {
  key: string;
  displayName: string;
  /** Whether the artworks of the author's posts are their own. */
  isIllustrator?: boolean;
}

/** Returns the e-mail address of a demo author, which nobody can have. */
export function emailOf({ key }: DemoAuthor): string {
  return `${key}@example.org`;
}

/** Returns the path of the file that stands for a demo which was removed. */
export function removedMarker({ dataDir }: { dataDir: string }): string {
  return join(dataDir, 'demo.removed');
}

/** Describes a post of the demo content, which has an original text in each of the four languages. */
export interface DemoPost {
  slug: string;
  /** File name in `images`. */
  artwork: string;
  author: DemoAuthorKey;
  /** Days between the post's publication and the first start. */
  daysAgo: number;
  title: Record<Language, string>;
  /** 200 to 400 words in each language; blank lines separate the paragraphs. */
  content: Record<Language, string>;
}

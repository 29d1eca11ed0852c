/** The limits of a document, in characters (code points) where nothing else is said. */
export const DOCUMENT_LIMITS = {
  title: 300,
  content: 100_000,
  url: 2_000,
  alt: 1_000,
  caption: 2_000,
  credit: 300,
  /** What is said of a picture at length. */
  description: 4_000,
  /** What is said of a mark on a picture. */
  note: 500,
  /** Marks of a picture: the letters of the alphabet, which are those of all pictures of a post. */
  marks: 26,
  /** Characters of a cover as JSON. */
  coverJson: 200_000,
  /** What an author tells readers about a change. */
  changeNote: 300,
  name: 200,
  slug: 80,
  /** People in a byline. */
  byline: 50,
  /** Pictures of a post beside its cover. */
  pictures: 24,
  /** Characters of these as JSON. */
  picturesJson: 200_000,
  /** References of a post. */
  sources: 500,
  /** Characters of all references as JSON. */
  sourcesJson: 300_000,
} as const;

/** Why a part of a document is not taken, as far as the desk says it in its reader's language. */
export type DocumentFault = 'missing' | 'taken' | 'too-long' | 'too-complex';

/** Matches `the-heart-of-a-child`: what a slug is made of. No id that Fabrica generates looks like this. */
export const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

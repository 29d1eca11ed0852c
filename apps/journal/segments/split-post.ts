import { SEGMENT_PARTS, type SegmentKind, type SegmentPart } from '../project/translations.ts';
import { hashWords } from './hash-words.ts';
import type { SplitText } from './slot.ts';
import { splitLine, splitText, type TextFormat } from './split-text.ts';

/** The texts of an original. */
export interface PostTexts {
  title: string;
  content: string;
  /** Null is plain, as in the columns of a post. */
  contentFormat: TextFormat | null;
  /** What is said about its image. */
  alt?: string | undefined;
  caption?: string | undefined;
}

/** A segment of an original, before it has an id. */
export interface SegmentText {
  part: SegmentPart;
  kind: SegmentKind;
  text: string;
  hash: string;
}

export type SplitPost = Record<SegmentPart, SplitText>;

/** Splits the texts of an original, without white space around them, as readers get them. */
export function splitPost({ title, content, contentFormat, alt = '', caption = '' }: PostTexts): SplitPost {
  return {
    title: splitLine(title.trim(), 'title'),
    content: splitText(content.trim(), contentFormat ?? 'plain'),
    alt: splitLine(alt.trim(), 'alt'),
    caption: splitLine(caption.trim(), 'caption'),
  };
}

/** Returns the segments of an original in their order: title, text, alternative text and caption of the image. */
export function segmentsOf(post: SplitPost): SegmentText[] {
  return SEGMENT_PARTS.flatMap((part) =>
    post[part].slots.map(({ kind, text }) => ({ part, kind, text, hash: hashWords(text) })),
  );
}

/** Tells whether readers of a language get a segment with its release: what is said about the image may be missing. */
export function isReleased({ part }: Pick<SegmentText, 'part'>): boolean {
  return part === 'title' || part === 'content';
}

/** Returns the hashes that a release names: those of the title and of the text. */
export function releasedHashes(texts: Pick<PostTexts, 'title' | 'content' | 'contentFormat'>): string[] {
  return segmentsOf(splitPost(texts))
    .filter(isReleased)
    .map(({ hash }) => hash);
}

import { isReleased, type PostTexts, segmentsOf, splitPost } from '../segments/split-post.ts';

/** Returns the hashes that a release names: those of the title and of the text. */
export function releasedHashes(texts: Pick<PostTexts, 'title' | 'content' | 'contentFormat'>): string[] {
  return segmentsOf(splitPost(texts))
    .filter(isReleased)
    .map(({ hash }) => hash);
}

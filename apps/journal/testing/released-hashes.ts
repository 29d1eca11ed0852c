import { parseHere } from '../project/markdown/parse-tree.ts';
import { isReleased, type PostTexts, segmentsOf, splitPost } from '../segments/split-post.ts';

/** Returns the hashes that a release names: those of the title and of the text. */
export async function releasedHashes(
  texts: Pick<PostTexts, 'title' | 'content' | 'contentFormat'>,
): Promise<string[]> {
  return segmentsOf(await splitPost(texts, async (text) => parseHere(text)))
    .filter(isReleased)
    .map(({ hash }) => hash);
}

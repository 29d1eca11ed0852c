import type { FabricaClient } from '@fabrica/client';
import type { JournalPost } from '../../../project/entities.ts';
import type { Language } from '../../../project/languages.ts';
import { localizedColumn } from '../../../project/localize.ts';
import { parseHere } from '../../../project/markdown/parse-tree.ts';
import { type Comparison, compareTexts } from './compare-texts.ts';

/** Loads a post's original and compares its translation with it. Rejects when there is no connection. */
export async function loadComparison(
  client: Pick<FabricaClient, 'db'>,
  id: string,
  language: Language,
): Promise<Comparison> {
  const [post] = await client.db.table<JournalPost>('journalPosts').list({
    where: { id },
    select: [
      ...(['title', 'content', 'contentFormat', 'sources', 'translations'] as const),
      ...[localizedColumn('title', language), localizedColumn('content', language)],
    ],
    limit: 1,
  });
  if (!post) throw new Error('The post is gone.');
  return compareTexts(post as JournalPost, language, async (text) => parseHere(text));
}

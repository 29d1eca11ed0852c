import type { FabricaClient } from '@fabrica/client';
import type { Introduction, JournalPost } from '../../../project/entities.ts';
import type { Language } from '../../../project/languages.ts';
import type { LocalizableTitle } from '../../../project/localize.ts';
import { CARD_COLUMNS, type GalleryPost, TITLES } from '../../gallery/card-columns.ts';
import { galleryPost } from '../../gallery/gallery-post.ts';

/** Plates that stand below a post, and other posts that its author's card names. */
const PLATES = 3;

/** Holds the posts to read after one: the next newer one, if there is one, and older ones, the nearest first. */
export interface ReadOnPosts {
  newer: readonly GalleryPost[];
  older: readonly GalleryPost[];
  /** Other posts of the same account. */
  byAuthor: readonly (LocalizableTitle & Pick<JournalPost, 'id' | 'language'>)[];
  /** What the author says of themselves, in the reader's language if there is such a sentence. */
  introduction: Pick<Introduction, 'language' | 'sentence'> | null;
}

export const NOTHING_TO_READ: ReadOnPosts = { newer: [], older: [], byAuthor: [], introduction: null };

/**
 * Loads the posts beside one in time, by the index of the gallery, and others of its author. Where too few are older, more of the
 * newer ones make up for them. Rejects with the client's error.
 */
export async function loadReadOn(
  client: FabricaClient,
  {
    id,
    userId,
    createdAt,
    language: original,
  }: Pick<JournalPost, 'id' | 'userId' | 'createdAt' | 'language'>,
  language: Language,
): Promise<ReadOnPosts> {
  const table = client.db.table<JournalPost>('journalPosts');
  const nearest = (side: 'gt' | 'lt') =>
    table.list({
      where: { published: 1, createdAt: { [side]: createdAt } },
      orderBy: { createdAt: side === 'gt' ? 'asc' : 'desc' },
      limit: PLATES,
      select: [...CARD_COLUMNS, 'cover'],
    });
  const ofAuthor = table.list({
    where: { published: 1, userId },
    orderBy: { updatedAt: 'desc' },
    limit: PLATES + 1,
    select: ['id', 'language', ...TITLES],
  });
  const introductions = client.db.table<Introduction>('introductions').list({ where: { userId } });
  const [newer, older, own, sentences] = await Promise.all([
    nearest('gt'),
    nearest('lt'),
    ofAuthor,
    introductions,
  ]);
  const inLanguage = (code: string | null) => sentences.find((one) => one.language === code);
  const said = inLanguage(language) ?? inLanguage(original) ?? sentences[0];
  const first = newer.slice(0, Math.max(1, PLATES - older.length));
  const byAuthor = own.filter((post) => post.id !== id).slice(0, PLATES);
  return {
    // Only the placeholders of what is shown are decoded.
    newer: first.map(galleryPost),
    older: older.slice(0, PLATES - first.length).map(galleryPost),
    byAuthor,
    introduction: said ? { language: said.language, sentence: said.sentence } : null,
  };
}

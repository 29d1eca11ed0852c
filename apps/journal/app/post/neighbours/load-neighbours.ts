import type { FabricaClient } from '@fabrica/client';
import type { JournalPost } from '../../../project/entities.ts';
import type { Language } from '../../../project/languages.ts';
import { localizeTitle, shownLanguage } from '../../../project/localize.ts';
import { postImage } from '../../images/post-image.ts';
import type { DisplayedImage } from '../../images/responsive-image.tsx';

/** Holds what a link to another post shows. */
export interface Neighbour {
  id: string;
  title: string;
  /** `null` when it is not known. */
  titleLanguage: Language | null;
  image: DisplayedImage;
}

/** Holds the published posts right after and before a post in time; `null` where there is none. */
export interface Neighbours {
  newer: Neighbour | null;
  older: Neighbour | null;
}

const COLUMNS = [
  'id',
  'title',
  'titleEn',
  'titleEs',
  'titleFr',
  'titleDe',
  'imageUrl',
  'imageWidth',
  'imageHeight',
  'imagePlaceholder',
  'language',
] as const;

/** Loads the posts beside the one of this time, each by the index of the gallery. Rejects with the client's error. */
export async function loadNeighbours(
  createdAt: number,
  { client, language }: { client: FabricaClient; language: Language },
): Promise<Neighbours> {
  const nearest = async (side: 'gt' | 'lt'): Promise<Neighbour | null> => {
    const [post] = await client.db.table<JournalPost>('journalPosts').list({
      where: { published: 1, createdAt: { [side]: createdAt } },
      orderBy: { createdAt: side === 'gt' ? 'asc' : 'desc' },
      limit: 1,
      select: [...COLUMNS],
    });
    return post
      ? {
          id: post.id,
          title: localizeTitle(post, language),
          titleLanguage: shownLanguage(post, 'title', language),
          image: postImage(post, 'card'),
        }
      : null;
  };
  const [newer, older] = await Promise.all([nearest('gt'), nearest('lt')]);
  return { newer, older };
}

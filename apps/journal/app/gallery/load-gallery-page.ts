import type { FabricaClient } from '@fabrica/client';
import type { JournalPost } from '../entities.ts';
import type { Language } from '../language/languages.ts';
import type { LocalizableTitle } from '../language/localize.ts';
import type { PictureSource } from '../pictures/picture.tsx';
import { buildSearchFilter } from './search-filter.ts';

/** What a card shows of a post. */
export type Plate = LocalizableTitle & Pick<JournalPost, 'id' | 'createdAt'> & { picture: PictureSource };

export interface PlateQuery {
  language: Language;
  /** Empty: all posts. */
  search: string;
  /** Where the page before this one ended. */
  cursor: string | null;
}

export interface PlatePage {
  plates: Plate[];
  nextCursor: string | null;
  /** The first plate's number, counted from the oldest; null where plates are not numbered (search results). */
  firstNumber: number | null;
}

/** Posts a page of the gallery shows. */
export const PLATES_PER_PAGE = 24;

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
  'createdAt',
] as const;

/** Placeholders come drawn with the page; who adds to it in the browser fetches what draws them then. */
const drawing = () => import('../pictures/picture-of.ts');

/** Published posts, newest first; rejects with the client's error. */
export async function loadPlates(
  client: FabricaClient,
  { language, search, cursor }: PlateQuery,
): Promise<PlatePage> {
  const posts = client.db.table<JournalPost>('journalPosts');
  const [{ pictureOf }, { rows, nextCursor }] = await Promise.all([
    drawing(),
    posts.page({
      where: search ? { AND: [{ published: 1 }, buildSearchFilter(search, language)] } : { published: 1 },
      orderBy: { createdAt: 'desc' },
      limit: PLATES_PER_PAGE,
      select: [...COLUMNS],
      ...(cursor ? { cursor } : {}),
    }),
  ]);
  const newest = rows[0];
  const firstNumber =
    search || !newest
      ? null
      : await posts.count({ where: { published: 1, createdAt: { lte: newest.createdAt } } });
  const plates = rows.map(({ imageUrl, imageWidth, imageHeight, imagePlaceholder, ...plate }) => ({
    ...plate,
    picture: pictureOf({ imageUrl, imageWidth, imageHeight, imagePlaceholder }, 'plate'),
  }));
  return { plates, nextCursor, firstNumber };
}

import type { FabricaClient } from '@fabrica/client';
import type { JournalPost, SearchablePost } from '../../project/entities.ts';
import type { Language } from '../../project/languages.ts';
import type { LocalizableTitle } from '../../project/localize.ts';
import type { DisplayedImage } from '../images/responsive-image.tsx';
import { buildSearchFilter } from './search-filter.ts';

/** The columns of a post that its card shows, and its artwork. */
export type GalleryPost = LocalizableTitle &
  Pick<JournalPost, 'id' | 'createdAt' | 'language'> & { artwork: DisplayedImage };

export interface GalleryQuery {
  language: Language;
  /** Empty for all posts. */
  search: string;
  /** `nextCursor` of the page before; null for the first page. */
  cursor: string | null;
  /** Is called with the error when counting the posts takes too long, without which the page is shown. */
  reportFailure?(error: unknown): void;
}

export interface GalleryPage {
  posts: GalleryPost[];
  nextCursor: string | null;
  /**
   * The number of the first post, counted from the oldest one; null for search results, which have no numbers, and where
   * counting so many posts takes too long.
   */
  firstNumber: number | null;
}

export const POSTS_PER_PAGE = 24;

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
  'language',
] as const;

const NOTHING_FOUND: GalleryPage = { posts: [], nextCursor: null, firstNumber: null };

/** Loads the code that decodes placeholders. The first page has them decoded, so a browser needs it only for more posts. */
const importPostImage = () => import('../images/post-image.ts');

/** Returns a page of published posts, newest first. Rejects with the client's error. */
export async function loadGalleryPage(
  client: FabricaClient,
  { language, search, cursor, reportFailure }: GalleryQuery,
): Promise<GalleryPage> {
  const searched = search ? buildSearchFilter(search, language) : undefined;
  if (search && !searched) return NOTHING_FOUND;
  const table = client.db.table<JournalPost>('journalPosts');
  const options = {
    orderBy: { createdAt: 'desc' },
    limit: POSTS_PER_PAGE,
    select: COLUMNS,
    ...(cursor ? { cursor } : {}),
  } as const;
  const page = searched
    ? client.db
        .table<SearchablePost>('searchablePosts')
        .page({ ...options, where: { published: 1, ...searched } })
    : table.page({ ...options, select: [...COLUMNS, 'cover'], where: { published: 1 } });
  const [{ postImage }, { rows, nextCursor }] = await Promise.all([importPostImage(), page]);
  const newest = rows[0];
  const firstNumber =
    search || !newest
      ? null
      : await table
          .count({ where: { published: 1, createdAt: { lte: newest.createdAt } } })
          // The count alone takes longer with more posts: the page goes without numbers rather than say that it failed.
          .catch((error: unknown) => {
            if (!isStatementTimeout(error)) throw error;
            reportFailure?.(error);
            return null;
          });
  const posts = rows.map(({ imageUrl, imageWidth, imageHeight, imagePlaceholder, ...row }) => {
    // Searches find posts without what is said about their images.
    const { cover, ...post } = { cover: null, ...row };
    return {
      ...post,
      artwork: postImage({ imageUrl, imageWidth, imageHeight, imagePlaceholder, cover }, 'card'),
    };
  });
  return { posts, nextCursor, firstNumber };
}

/** Compares the code, because the built pages have their own copy of the client's error classes. */
function isStatementTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'STATEMENT_TIMEOUT';
}

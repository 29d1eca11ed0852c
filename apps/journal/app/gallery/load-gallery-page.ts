import type { FabricaClient } from '@fabrica/client';
import type { JournalPost, SearchablePost } from '../../project/entities.ts';
import type { Language } from '../../project/languages.ts';
import type { ParseMarkdown } from '../../project/markdown/parse-tree.ts';
import { CARD_COLUMNS, type GalleryPost } from './card-columns.ts';
import type { Excerpt, ExcerptQuery } from './load-excerpts.ts';
import { buildSearchElsewhere, buildSearchFilter } from './search-filter.ts';

export interface GalleryQuery {
  language: Language;
  /** Empty for all posts. */
  search: string;
  /** `nextCursor` of the page before; null for the first page. */
  cursor: string | null;
  /** Whether the search looks at the texts of the other languages. */
  elsewhere?: boolean;
  /** Parses the texts that a search has found; by default in this thread. */
  parseMarkdown?: ParseMarkdown;
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
  /** The number of all results; null for other pages, and where counting them takes too long. */
  results: number | null;
  /** Whether the results were found in the texts of other languages. */
  elsewhere: boolean;
}

export const POSTS_PER_PAGE = 24;

export const NO_POSTS: GalleryPage = {
  ...{ posts: [], nextCursor: null, firstNumber: null },
  ...{ results: null, elsewhere: false },
};

/** Loads the code that decodes placeholders. The first page has them decoded, so a browser needs it only for more posts. */
const importGalleryPost = () => import('./gallery-post.ts');

/** Returns a page of published posts, newest first. Rejects with the client's error. */
export async function loadGalleryPage(
  client: FabricaClient,
  { language, search, cursor, elsewhere = false, parseMarkdown: parse, reportFailure }: GalleryQuery,
): Promise<GalleryPage> {
  const build = elsewhere ? buildSearchElsewhere : buildSearchFilter;
  const searched = search ? build(search, language) : undefined;
  if (search && !searched) return NO_POSTS;
  const table = client.db.table<JournalPost>('journalPosts');
  const options = {
    orderBy: { createdAt: 'desc' },
    limit: POSTS_PER_PAGE,
    select: CARD_COLUMNS,
    ...(cursor ? { cursor } : {}),
  } as const;
  const results = client.db.table<SearchablePost>('searchablePosts');
  const page = searched
    ? results.page({ ...options, where: { published: 1, ...searched } })
    : table.page({ ...options, select: [...CARD_COLUMNS, 'cover'], where: { published: 1 } });
  const [{ galleryPost }, { rows, nextCursor }] = await Promise.all([importGalleryPost(), page]);
  const newest = rows[0];
  // The count alone takes longer with more posts: the page goes without numbers rather than say that it failed.
  const orNull = (count: Promise<number>) =>
    count.catch((error: unknown) => {
      if (!isStatementTimeout(error)) throw error;
      reportFailure?.(error);
      return null;
    });
  const firstNumber =
    search || !newest
      ? null
      : await orNull(table.count({ where: { published: 1, createdAt: { lte: newest.createdAt } } }));
  const isWhole = !cursor && nextCursor === null;
  const countResults = () =>
    isWhole ? rows.length : orNull(results.count({ where: { published: 1, ...searched } }));
  const posts = rows.map(galleryPost);
  if (!searched) return { posts, nextCursor, firstNumber, results: null, elsewhere };
  const [excerpts, count] = await Promise.all([
    excerptsOf(client, rows, { search, language, elsewhere, parse }),
    countResults(),
  ]);
  return {
    ...{ nextCursor, firstNumber, elsewhere },
    posts: posts.map((post) => ({ ...post, excerpt: excerpts.get(post.id) })),
    results: count,
  };
}

/** Loads the excerpts, with the code that searches alone need. */
async function excerptsOf(
  client: FabricaClient,
  rows: readonly { id: string }[],
  { parse, ...query }: Omit<ExcerptQuery, 'parse'> & { parse: ParseMarkdown | undefined },
): Promise<Map<string, Excerpt>> {
  if (rows.length === 0) return new Map();
  const { loadExcerpts } = await import('./load-excerpts.ts');
  const { parseHere } = await import('../../project/markdown/parse-tree.ts');
  const ids = rows.map(({ id }) => id);
  return loadExcerpts(client, ids, { ...query, parse: parse ?? (async (text) => parseHere(text)) });
}

/** Returns a page of results: those in the texts of the other languages where the reader's own has none. */
export async function loadResults(client: FabricaClient, query: GalleryQuery): Promise<GalleryPage> {
  const page = await loadGalleryPage(client, query);
  if (!query.search || page.posts.length > 0) return page;
  const others = await loadGalleryPage(client, { ...query, elsewhere: true });
  return others.posts.length > 0 ? others : page;
}

/** Compares the code, because the built pages have their own copy of the client's error classes. */
function isStatementTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'STATEMENT_TIMEOUT';
}

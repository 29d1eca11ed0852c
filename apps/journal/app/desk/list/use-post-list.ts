import { useState } from 'react';
import { useLoadedData } from '../../ui/use-loaded-data.ts';
import type { ListedPost, PostsQuery } from '../desk-client.ts';
import { useDesk } from '../use-desk.ts';

export interface PostList {
  status: 'loading' | 'ready' | 'failed';
  /** `undefined` until the first page is loaded. */
  posts: readonly ListedPost[] | undefined;
  hasMore: boolean;
  loadingMore: boolean;
  /** Whether the last try to load more failed. */
  moreFailed: boolean;
  loadMore(): Promise<void>;
  reload(): void;
}

/** Loads the posts that match, page by page. */
export function usePostList(query: PostsQuery): PostList {
  const desk = useDesk();
  const key = JSON.stringify(query);
  const loaded = useLoadedData(key, async () => ({ key, ...(await desk.list(query)) }));
  const [loadingMore, setLoadingMore] = useState(false);
  const [moreFailed, setMoreFailed] = useState(false);
  const { data } = loaded;

  const loadMore = async () => {
    if (!data?.cursor || loadingMore) return;
    setLoadingMore(true);
    setMoreFailed(false);
    try {
      const next = await desk.list({ ...query, cursor: data.cursor });
      loaded.update((shown) => {
        // Another search was begun meanwhile.
        if (shown.key !== key) return shown;
        const known = new Set(shown.posts.map(({ id }) => id));
        const added = next.posts.filter(({ id }) => !known.has(id));
        return { key, cursor: next.cursor, posts: [...shown.posts, ...added] };
      });
    } catch (error) {
      reportError(error);
      setMoreFailed(true);
    } finally {
      setLoadingMore(false);
    }
  };
  return {
    status: loaded.status,
    posts: data?.posts,
    hasMore: Boolean(data?.cursor),
    loadingMore,
    moreFailed,
    loadMore,
    reload: loaded.reload,
  };
}

import { useState } from 'react';
import { useBusy } from '../../ui/use-busy.ts';
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
  const [moreFailed, setMoreFailed] = useState(false);
  const { busy, run } = useBusy<'load'>((error) => {
    reportError(error);
    setMoreFailed(true);
  });
  const { data } = loaded;

  const loadMore = async () => {
    const cursor = data?.cursor;
    if (!cursor) return;
    await run('load', async () => {
      setMoreFailed(false);
      const next = await desk.list({ ...query, cursor });
      loaded.update((shown) => {
        // Another search was begun meanwhile.
        if (shown.key !== key) return shown;
        const known = new Set(shown.posts.map(({ id }) => id));
        const added = next.posts.filter(({ id }) => !known.has(id));
        return { key, cursor: next.cursor, posts: [...shown.posts, ...added] };
      });
    });
  };
  return {
    status: loaded.status,
    posts: data?.posts,
    hasMore: Boolean(data?.cursor),
    loadingMore: busy !== undefined,
    moreFailed,
    loadMore,
    reload: loaded.reload,
  };
}

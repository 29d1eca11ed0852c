import { useState } from 'react';
import { useClient } from '../client/client-context.tsx';
import type { JournalPost } from '../entities.ts';
import { useChannel } from '../live/use-channel.ts';
import { useRefresher } from '../live/use-refresher.ts';

export interface NewestShown {
  /** Epoch ms of the newest post that is shown; 0 where there is none. */
  time: number;
  /** Whether newer ones would stand on this page: not among search results or older plates. */
  isLive: boolean;
}

/** How many posts are newer than those on the wall. */
export function useNewerPosts({ time, isLive }: NewestShown): number {
  const client = useClient();
  const [newer, setNewer] = useState({ than: time, count: 0 });
  const count = newer.than === time ? newer.count : 0;
  const refresh = useRefresher(async () => {
    const posts = client.db.table<JournalPost>('journalPosts');
    setNewer({ than: time, count: await posts.count({ where: { published: 1, createdAt: { gt: time } } }) });
  });
  useChannel(isLive ? 'gallery' : null, {
    message({ type }) {
      // A plate that was taken down stays until the wall is loaded anew, so that the others stay in their places.
      if (type === 'post.published' || (type === 'post.removed' && count > 0)) refresh();
    },
    stale: refresh,
  });
  return isLive ? count : 0;
}

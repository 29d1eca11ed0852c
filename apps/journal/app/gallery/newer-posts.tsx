import { ArrowUp } from 'lucide-react';
import { useState } from 'react';
import type { JournalPost } from '../../project/entities.ts';
import { useClient } from '../client/client-context.tsx';
import { useLanguage } from '../language/language-provider.tsx';
import { noticeText } from '../language/notice-text.tsx';
import { useChannel } from '../live/use-channel.ts';
import { useRefresher } from '../live/use-refresher.ts';
import { Button } from '../ui/button.tsx';
import { notify } from '../ui/toasts.tsx';
import { useBusy } from '../ui/use-busy.ts';

interface NewestShown {
  /** Epoch milliseconds of the newest post on the page; 0 when there is none. */
  time: number;
  /** Whether newer posts belong on this page. They do not belong among search results or older posts. */
  isLive: boolean;
}

interface NewerPostsProps {
  shown: NewestShown;
  /** Shows the newest posts. Rejects when they could not be loaded. */
  onShow(): Promise<void>;
}

/**
 * Offers a button that shows posts published since the page was loaded. The button is sticky and has no height, so the
 * grid does not move. Screen readers announce the first new post only.
 */
export function NewerPosts({ shown, onShow }: NewerPostsProps) {
  const { m } = useLanguage();
  const count = useNewerPosts(shown);
  const { busy, run } = useBusy<'show'>(() =>
    notify({
      title: noticeText(({ m }) => m.gallery.newFailed),
      description: noticeText(({ m }) => m.layout.checkConnection),
      tone: 'error',
    }),
  );

  return (
    <div className="pointer-events-none sticky top-30 z-20 h-0">
      <p role="status" className="sr-only">
        {count > 0 && m.gallery.newOnes}
      </p>
      {count > 0 && (
        <div className="flex -translate-y-[calc(100%+0.125rem)] justify-center">
          <Button
            size="small"
            busy={busy !== undefined}
            onClick={() => void run('show', onShow)}
            className="appear-late pointer-events-auto shadow-md disabled:opacity-100"
          >
            <ArrowUp aria-hidden="true" className="size-4" />
            {m.gallery.showNew(count)}
          </Button>
        </div>
      )}
    </div>
  );
}

/** Returns how many posts are newer than those on the page. */
function useNewerPosts({ time, isLive }: NewestShown): number {
  const client = useClient();
  const [newer, setNewer] = useState({ than: time, count: 0 });
  const count = newer.than === time ? newer.count : 0;
  const refresh = useRefresher(async () => {
    const table = client.db.table<JournalPost>('journalPosts');
    setNewer({ than: time, count: await table.count({ where: { published: 1, createdAt: { gt: time } } }) });
  });
  useChannel(isLive ? 'gallery' : null, {
    message({ type }) {
      // A removed post stays on the page until the next load, so that the other posts do not move.
      if (type === 'post.published' || (type === 'post.removed' && count > 0)) refresh();
    },
    stale: refresh,
  });
  return isLive ? count : 0;
}

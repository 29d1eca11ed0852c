import { useLanguage } from '../language/language-provider.tsx';
import { Button } from '../ui/button.tsx';
import { useBusy } from '../ui/use-busy.ts';
import { type LoadedData, useLoadedData } from '../ui/use-loaded-data.ts';
import { showFailure } from './notices.tsx';

export interface Pages<Page> extends Pick<LoadedData<Page>, 'status' | 'reload' | 'update'> {
  /** All pages that are loaded, as one; `undefined` until the first one is. */
  data: Page | undefined;
  loadingMore: boolean;
  /** Loads the next page. A failure is shown as a notice. */
  loadMore(): Promise<void>;
}

interface UsePagesOptions<Page> {
  load(cursor: string | undefined): Promise<Page>;
  /** Returns both pages as one. */
  append(shown: Page, next: Page): Page;
}

/** Loads a list page by page, and anew when `key` changes. */
export function usePages<Page extends { cursor: string | null }>(
  key: string,
  { load, append }: UsePagesOptions<Page>,
): Pages<Page> {
  const { status, data, reload, update } = useLoadedData(key, async () => ({
    key,
    page: await load(undefined),
  }));
  const { busy, run } = useBusy<'more'>(showFailure);
  const cursor = data?.page.cursor;
  return {
    status,
    data: data?.page,
    reload,
    update: (change) => update((shown) => ({ ...shown, page: change(shown.page) })),
    loadingMore: busy !== undefined,
    async loadMore() {
      if (!cursor) return;
      await run('more', async () => {
        const next = await load(cursor);
        // Another list may have been asked for meanwhile, or this one anew.
        update((shown) =>
          shown.key === key && shown.page.cursor === cursor ? { key, page: append(shown.page, next) } : shown,
        );
      });
    },
  };
}

/** Loads the next page of a list, if there is one. */
export function MoreButton({
  pages,
  children,
}: {
  pages: Pages<{ cursor: string | null }>;
  children: string;
}) {
  const { m } = useLanguage();
  if (!pages.data?.cursor) return null;
  return (
    <div className="mt-6 grid justify-items-center">
      <Button variant="outline" busy={pages.loadingMore} onClick={() => void pages.loadMore()}>
        {pages.loadingMore ? m.layout.loading : children}
      </Button>
    </div>
  );
}

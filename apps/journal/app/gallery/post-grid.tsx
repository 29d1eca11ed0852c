import { type MouseEvent, useEffect, useRef, useState } from 'react';
import { Link, useLocation, useNavigationType, useViewTransitionState } from 'react-router';
import { useLanguage } from '../language/language-provider.tsx';
import { noticeText } from '../language/notice-text.tsx';
import { buttonClass } from '../ui/button-class.ts';
import { notify } from '../ui/toasts.tsx';
import { GRID_CLASS } from './gallery-heading.tsx';
import type { GalleryPage } from './load-gallery-page.ts';
import { PostCard } from './post-card.tsx';
import { SearchResult } from './search-result.tsx';
import { usePostPages } from './use-post-pages.ts';

/** Shows the posts in a grid, or what a search has found in a list, with a link to more posts. With JavaScript the link adds them to the grid. */
export function PostGrid({ first, search }: { first: GalleryPage; search: string }) {
  const { language, m } = useLanguage();
  const { pages, nextCursor, loading, restored, loadMore } = usePostPages(first, {
    ...{ language, search },
    elsewhere: first.elsewhere,
  });
  const rises = useRises();
  const [announcement, setAnnouncement] = useState('');
  const newPage = useRef<HTMLAnchorElement>(null);
  const focusNew = useRef(false);

  useEffect(() => {
    if (focusNew.current && pages.length > 1) newPage.current?.focus({ preventScroll: true });
    focusNew.current = false;
  }, [pages.length]);

  const addPage = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    if (loading) return;
    // Set before the posts arrive, because they may be rendered before the promise resolves.
    focusNew.current = true;
    loadMore().then(
      (count) => setAnnouncement(m.gallery.loadedMore(count)),
      () => {
        focusNew.current = false;
        notify({
          title: noticeText(({ m }) => m.gallery.loadMoreFailed),
          description: noticeText(({ m }) => m.layout.checkConnection),
          tone: 'error',
        });
      },
    );
  };

  return (
    <>
      <ul className={search ? 'max-w-[46rem]' : GRID_CLASS}>
        {pages.flatMap(({ posts, firstNumber }, page) =>
          posts.map((post, order) => {
            const ref = page === pages.length - 1 && order === 0 ? newPage : undefined;
            if (search) return <SearchResult key={post.id} ref={ref} post={post} />;
            return (
              <PostCard
                key={post.id}
                ref={ref}
                post={post}
                order={order}
                loading={page === 0 && order === 0 ? 'first' : 'later'}
                label={firstNumber === null ? null : m.gallery.artworkNumber(firstNumber - order)}
                from="/gallery"
                rises={page === 0 ? rises : page > restored}
              />
            );
          }),
        )}
      </ul>
      <p aria-live="polite" className="sr-only">
        {announcement}
      </p>
      {nextCursor && (
        <p className="mt-16 text-center">
          <Link
            to={morePath(search, nextCursor)}
            onClick={addPage}
            aria-disabled={loading || undefined}
            className={buttonClass({ variant: 'outline', size: 'large' })}
          >
            {loading ? m.gallery.loadingMore : m.gallery.loadMore}
          </Link>
        </p>
      )}
    </>
  );
}

function morePath(search: string, cursor: string): string {
  const query = new URLSearchParams(search ? { search, cursor } : { cursor });
  return `/gallery?${query}`;
}

/** Returns whether cards are animated: they are when the gallery opens, and not when the reader comes back to it. */
function useRises(): boolean {
  const { key } = useLocation();
  const steppedBack = useNavigationType() === 'POP' && key !== 'default';
  const morphs = useViewTransitionState('/gallery');
  const [rises] = useState(!steppedBack && !morphs);
  return rises;
}

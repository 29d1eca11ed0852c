import { type MouseEvent, useEffect, useRef, useState } from 'react';
import { Link, useLocation, useNavigationType, useViewTransitionState } from 'react-router';
import { useLanguage } from '../language/language-provider.tsx';
import type { PictureProps } from '../pictures/picture.tsx';
import { buttonClass } from '../ui/button-class.ts';
import { notify } from '../ui/notify.ts';
import { GRID_CLASS } from './gallery-heading.tsx';
import type { PlatePage } from './load-gallery-page.ts';
import { PlateCard } from './post-card.tsx';
import { usePlates } from './use-post-pages.ts';

/** Cards of the first row on the widest screens. */
const FIRST_ROW = 3;

/** Lazy pictures wait until the page is laid out: those of the first row are asked for before. */
function loadingAt(order: number): PictureProps['loading'] {
  if (order === 0) return 'first';
  return order < FIRST_ROW ? 'seen' : 'later';
}

/** The grid, and the way to more of it: a link that goes on, or adds to the page where JavaScript runs. */
export function PlateWall({ first, search }: { first: PlatePage; search: string }) {
  const { language, m } = useLanguage();
  const { pages, nextCursor, loading, restored, loadMore } = usePlates(first, { language, search });
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
    // Before the plates are there: they may be shown sooner than the promise says so.
    focusNew.current = true;
    loadMore().then(
      (count) => setAnnouncement(m.gallery.loadedMore(count)),
      () => {
        focusNew.current = false;
        notify({
          title: m.gallery.loadMoreFailed,
          description: m.layout.checkConnection,
          tone: 'destructive',
        });
      },
    );
  };

  return (
    <>
      <ul className={GRID_CLASS}>
        {pages.flatMap(({ plates, firstNumber }, page) =>
          plates.map((plate, order) => (
            <PlateCard
              key={plate.id}
              ref={page === pages.length - 1 && order === 0 ? newPage : undefined}
              plate={plate}
              order={order}
              loading={page === 0 ? loadingAt(order) : 'later'}
              number={firstNumber === null ? null : firstNumber - order}
              rises={page === 0 ? rises : page > restored}
            />
          )),
        )}
      </ul>
      <p aria-live="polite" className="sr-only">
        {announcement}
      </p>
      {nextCursor && (
        <p className="mt-16 text-center">
          <Link
            to={moreAddress(search, nextCursor)}
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

function moreAddress(search: string, cursor: string): string {
  const query = new URLSearchParams(search ? { search, cursor } : { cursor });
  return `/gallery?${query}`;
}

/** Plates rise when the gallery is opened, not when the reader steps back to it. */
function useRises(): boolean {
  const { key } = useLocation();
  const steppedBack = useNavigationType() === 'POP' && key !== 'default';
  const morphs = useViewTransitionState('/gallery');
  const [rises] = useState(!steppedBack && !morphs);
  return rises;
}

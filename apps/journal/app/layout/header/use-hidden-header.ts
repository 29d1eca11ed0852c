import { type RefObject, useEffect } from 'react';

/** Scrolling up by this many pixels shows the header. */
const UP_PX = 12;

/**
 * Marks the header with `data-away` while the reader scrolls down, and removes the mark as soon as they scroll up. The
 * header keeps its place in the page, so nothing else moves.
 */
export function useHiddenHeader(header: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let lowest = window.scrollY;
    const update = () => {
      const { current } = header;
      const y = Math.max(0, window.scrollY);
      if (!current) return;
      if (y > lowest && y > current.offsetHeight) current.dataset.away = '';
      if (y < lowest - UP_PX || y <= current.offsetHeight) delete current.dataset.away;
      if (y > lowest || current.dataset.away === undefined) lowest = y;
    };
    window.addEventListener('scroll', update, { passive: true });
    return () => window.removeEventListener('scroll', update);
  }, [header]);
}

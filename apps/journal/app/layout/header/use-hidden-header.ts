import { type RefObject, useEffect } from 'react';

/** Scrolling up by this many pixels shows the header. */
const UP_PX = 12;
/** A header of large text that is higher than this share of the window scrolls away with the page. */
const MOST_SHARE = 1 / 4;

/**
 * Marks the header with `data-away` while the reader scrolls down, and removes the mark as soon as they scroll up. The
 * header keeps its place in the page, so nothing else moves. `data-tall` marks one that would leave too little of the page to read.
 */
export function useHiddenHeader(header: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let lowest = window.scrollY;
    const update = () => {
      const { current } = header;
      const y = Math.max(0, window.scrollY);
      if (!current) return;
      current.toggleAttribute('data-tall', current.offsetHeight > window.innerHeight * MOST_SHARE);
      if (y > lowest && y > current.offsetHeight) current.dataset.away = '';
      if (y < lowest - UP_PX || y <= current.offsetHeight) delete current.dataset.away;
      if (y > lowest || current.dataset.away === undefined) lowest = y;
    };
    window.addEventListener('scroll', update, { passive: true });
    // The size of text may change without that of the window.
    const observer = new ResizeObserver(update);
    if (header.current) observer.observe(header.current);
    return () => {
      window.removeEventListener('scroll', update);
      observer.disconnect();
    };
  }, [header]);
}

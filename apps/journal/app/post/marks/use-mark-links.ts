import { useEffect, useEffectEvent, useRef } from 'react';
import type { useViewerUrl } from '../viewer/use-viewer-url.ts';
import { highlightMarks } from './highlight-marks.ts';
import type { NamedMark } from './name-marks.ts';

/**
 * Leads between the words and the plate: a letter of the text opens the viewer at its mark, a letter of the plate leads to its
 * passage or its note, and both light up together. The links work without it.
 */
export function useMarkLinks(url: ReturnType<typeof useViewerUrl>, marks: readonly NamedMark[]): void {
  const { mark } = url;

  const follow = useEffectEvent((event: MouseEvent) => {
    const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>('a[href^="#"]');
    const letter = link && letterOf(link);
    if (!link || !letter || !marks.some((one) => one.letter === letter)) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    const fragment = `#artwork-${letter}`;
    if (link.closest('dialog')) return void url.leaf(fragment);
    if (link.classList.contains('passage-letter')) {
      // Some browsers do not focus a link that is pressed. Closing the viewer returns to what had the focus.
      link.focus({ preventScroll: true });
      return void url.open(fragment);
    }
    void url.open(link.hash);
    leadTo(link.hash.slice(1));
  });

  useEffect(() => {
    const ended = new AbortController();
    const { signal } = ended;
    const light = ({ target }: Event) => {
      const marked = target instanceof Element && target.closest<HTMLElement | SVGElement>('[data-mark]');
      highlightMarks(marked ? [marked.dataset.mark ?? ''] : []);
    };
    document.addEventListener('click', follow, { signal });
    document.addEventListener('pointerover', light, { signal });
    document.addEventListener('focusin', light, { signal });
    return () => ended.abort();
  }, []);

  // A link from elsewhere to a note shows its mark: the note may stand in a margin beside other words.
  const followHere = useEffectEvent(() => {
    const letter = /^#mark-([a-z])$/.exec(window.location.hash)?.[1];
    if (marks.some((one) => one.letter === letter)) void url.leaf(`#artwork-${letter}`);
  });
  useEffect(() => followHere(), []);

  // Closing the viewer leads back to the words of the mark that was shown last, on whichever picture.
  const last = useRef<string | null>(null);
  const isOpen = url.isOpen;
  useEffect(() => {
    if (mark) last.current = marks.some(({ letter }) => letter === mark) ? mark : null;
    if (isOpen || !last.current) return;
    const passage = `passage-${last.current}`;
    last.current = null;
    // The viewer gives the focus back where it was before, and may close after this.
    requestAnimationFrame(() => {
      // A letter may belong to several passages: the one that the reader came from has the focus again.
      const from = document.activeElement?.closest<HTMLElement>('.passage');
      if (passage !== `passage-${from?.dataset.mark}`) leadTo(passage, { isNear: true });
    });
  }, [mark, isOpen, marks]);
}

/** Returns the letter of a link between the words and the plate. */
function letterOf(link: HTMLAnchorElement): string | undefined {
  return /^#(?:mark|passage)-([a-z])$/.exec(link.hash)?.[1];
}

/** Moves the focus to a passage or a note; one that is in the window stays where it is. */
function leadTo(id: string, { isNear = false } = {}): void {
  const place = document.getElementById(id) ?? document.getElementById(id.replace('passage', 'mark'));
  if (!place) return;
  const { top, bottom } = place.getBoundingClientRect();
  if (!isNear || top < 0 || bottom > window.innerHeight) {
    const isCalm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    place.scrollIntoView({ block: 'center', behavior: isCalm || isNear ? 'auto' : 'smooth' });
  }
  (place.querySelector<HTMLElement>('.passage-letter') ?? place).focus({ preventScroll: true });
}

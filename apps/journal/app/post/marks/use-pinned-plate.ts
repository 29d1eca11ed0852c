import { type RefObject, useEffect, useRef } from 'react';
import type { Bounds } from '../../../project/marks.ts';
import { highlightRead } from './highlight-marks.ts';
import type { NamedMark } from './name-marks.ts';

/** A shape fills this share of what shows it. */
const SHARE = 0.5;
/** A point is shown this much larger than the whole plate; a shape at most by the other. */
const POINT_ZOOM = 2.5;
const MAX_ZOOM = 3;
/** The paragraph that is being read is in this band of the window: beside the plate, or below it. */
const READ = { beside: '-20% 0px -45% 0px', below: '-40% 0px -20% 0px' };
const IS_BESIDE = '(width >= 64rem)';
/** The blocks of a text. */
const BLOCKS = 'p, li, td, blockquote, h2, h3, h4';

/** Moves the plate on its stage to the marks of the paragraph that is being read. Returns the stage. */
export function usePinnedPlate(marks: readonly NamedMark[]): RefObject<HTMLDivElement | null> {
  const stage = useRef<HTMLDivElement>(null);
  const key = marks.map(({ letter }) => letter).join('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: other marks have other letters.
  useEffect(() => {
    const passages = [...document.querySelectorAll<HTMLElement>('.post-column .passage')];
    const blocks = [...new Set(passages.map((passage) => passage.closest(BLOCKS) ?? passage))];
    const read = new Set<Element>();
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) read.add(target);
          else read.delete(target);
        }
        const block = blocks.find((one) => read.has(one));
        // Between two such paragraphs the plate stays where it is.
        if (!block || !stage.current) return;
        const letters = passages
          .filter((passage) => block.contains(passage))
          .map(({ dataset }) => dataset.mark ?? '');
        const shown = marks.filter(({ letter }) => letters.includes(letter));
        if (shown.length > 0) travel(stage.current, union(shown.map(({ bounds }) => bounds)));
        highlightRead(letters);
      },
      { rootMargin: window.matchMedia(IS_BESIDE).matches ? READ.beside : READ.below },
    );
    for (const block of blocks) observer.observe(block);
    return () => {
      observer.disconnect();
      highlightRead([]);
    };
  }, [key]);
  return stage;
}

function union(all: readonly Bounds[]): Bounds {
  const [x, y] = [Math.min(...all.map((one) => one.x)), Math.min(...all.map((one) => one.y))];
  return {
    ...{ x, y },
    width: Math.max(...all.map((one) => one.x + one.width)) - x,
    height: Math.max(...all.map((one) => one.y + one.height)) - y,
  };
}

/** Returns how much larger than whole a plate is shown so that a shape fills half of its stage. Sizes are in pixels. */
export function zoomTo(
  { width, height }: Bounds,
  stage: { width: number; height: number },
  plate: { width: number; height: number },
): number {
  if (width === 0 && height === 0) return POINT_ZOOM;
  return Math.min(
    (SHARE * stage.width) / ((plate.width * width) / 100),
    (SHARE * stage.height) / ((plate.height * height) / 100),
  );
}

/** Moves the plate by CSS, which shows the whole of it where less motion is wanted. */
function travel(stage: HTMLElement, bounds: Bounds): void {
  const artwork = stage.firstElementChild as HTMLElement;
  const plate = { width: artwork.offsetWidth, height: artwork.offsetHeight };
  const size = { width: stage.clientWidth, height: stage.clientHeight };
  const zoom = Math.max(1, Math.min(MAX_ZOOM, zoomTo(bounds, size, plate)));
  // The plate is moved from its middle, in per cent of itself, so that it stays right in another window.
  const shift = (middle: number, whole: number, room: number) => {
    const most = Math.max(0, (zoom * whole - room) / 2);
    const wanted = (0.5 - middle / 100) * zoom * whole;
    return (100 * Math.min(most, Math.max(-most, wanted))) / whole;
  };
  const across = shift(bounds.x + bounds.width / 2, plate.width, size.width);
  const down = shift(bounds.y + bounds.height / 2, plate.height, size.height);
  artwork.style.setProperty('--zoom', zoom.toFixed(3));
  artwork.style.setProperty('--shift', `${across.toFixed(2)}% ${down.toFixed(2)}%`);
}

import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';

/** Tells how much larger than whole an artwork can be shown. */
export const MAX_ZOOM = 4;

/** A point of the window, in CSS pixels. */
export interface Point {
  x: number;
  y: number;
}

export interface Zoom {
  /** 1 for the whole artwork, up to `MAX_ZOOM`. */
  zoom: number;
  /** Multiplies the zoom and keeps what is shown at the point there; by default at the middle of the stage. */
  zoomBy(factor: number, at?: Point): void;
}

/** Holds how much larger than whole the artwork is shown on its stage, which scrolls where it is too small for it. */
export function useZoom(stage: RefObject<HTMLElement | null>, artwork: RefObject<HTMLElement | null>): Zoom {
  const [zoom, setZoom] = useState(1);
  const anchor = useRef<{ at: Point; across: number; down: number }>(null);

  const zoomBy = useCallback(
    (factor: number, at?: Point) => {
      if (!stage.current || !artwork.current) return;
      const box = artwork.current.getBoundingClientRect();
      const point = at ?? middleOf(stage.current.getBoundingClientRect());
      anchor.current = {
        at: point,
        across: (point.x - box.left) / box.width,
        down: (point.y - box.top) / box.height,
      };
      setZoom((current) => Math.min(MAX_ZOOM, Math.max(1, current * factor)));
    },
    [stage, artwork],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: the artwork has its new size once the zoom has changed.
  useLayoutEffect(() => {
    if (!anchor.current || !stage.current || !artwork.current) return;
    const { at, across, down } = anchor.current;
    const box = artwork.current.getBoundingClientRect();
    stage.current.scrollLeft += box.left + across * box.width - at.x;
    stage.current.scrollTop += box.top + down * box.height - at.y;
    anchor.current = null;
  }, [zoom, stage, artwork]);

  return { zoom, zoomBy };
}

function middleOf({ left, top, width, height }: DOMRect): Point {
  return { x: left + width / 2, y: top + height / 2 };
}

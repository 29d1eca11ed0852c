import { type RefObject, useEffect, useRef } from 'react';
import type { Point, Zoom } from './use-zoom.ts';

/** Two taps are a double tap within this time and distance. */
const DOUBLE_TAP_MS = 350;
const DOUBLE_TAP_PX = 30;
/** A double tap shows the artwork this much larger, or whole again. */
const DOUBLE_TAP_ZOOM = 2.5;

/** A wheel that turns by so many pixels makes the artwork larger by e; a trackpad's pinch is finer. */
const WHEEL_PX = 400;
const PINCH_PX = 100;
/** Pixels of a line, by which some mice count. */
const LINE_PX = 16;

/**
 * Zooms by two fingers, by the wheel, by a trackpad's pinch and by a double tap, and moves a zoomed artwork with the mouse. One finger
 * scrolls as anywhere.
 */
export function useGestures(stage: RefObject<HTMLElement | null>, { zoom, zoomBy }: Zoom): void {
  const current = useRef(zoom);
  current.current = zoom;

  useEffect(() => {
    const element = stage.current;
    if (!element) return;
    const ended = new AbortController();
    const { signal } = ended;

    let apart = 0;
    const pinch = (event: TouchEvent) => {
      const [first, second] = event.touches;
      if (!first || !second) return;
      // Without this the browser scrolls by two fingers. Only a listener that is not passive may prevent it.
      event.preventDefault();
      const distance = Math.hypot(first.clientX - second.clientX, first.clientY - second.clientY);
      const middle = { x: (first.clientX + second.clientX) / 2, y: (first.clientY + second.clientY) / 2 };
      if (event.type === 'touchmove' && apart > 0) zoomBy(distance / apart, middle);
      apart = distance;
    };
    element.addEventListener('touchstart', pinch, { passive: false, signal });
    element.addEventListener('touchmove', pinch, { passive: false, signal });

    const turn = (event: WheelEvent) => {
      const { deltaX, deltaY, deltaMode, ctrlKey, clientX: x, clientY: y } = event;
      // Two fingers that move sideways on a trackpad scroll.
      if (Math.abs(deltaX) > Math.abs(deltaY)) return;
      event.preventDefault();
      const pixels = deltaMode === WheelEvent.DOM_DELTA_LINE ? deltaY * LINE_PX : deltaY;
      // Browsers report a trackpad's pinch as a wheel with the control key.
      zoomBy(Math.exp(-pixels / (ctrlKey ? PINCH_PX : WHEEL_PX)), { x, y });
    };
    element.addEventListener('wheel', turn, { passive: false, signal });

    let last: (Point & { time: number }) | null = null;
    const tap = ({ clientX: x, clientY: y, timeStamp: time }: MouseEvent) => {
      const isSecond =
        last !== null &&
        time - last.time < DOUBLE_TAP_MS &&
        Math.hypot(x - last.x, y - last.y) < DOUBLE_TAP_PX;
      last = isSecond ? null : { x, y, time };
      if (isSecond) zoomBy(current.current > 1 ? 1 / current.current : DOUBLE_TAP_ZOOM, { x, y });
    };
    element.addEventListener('click', tap, { signal });

    const drag = (event: PointerEvent) => {
      if (event.pointerType !== 'mouse' || event.buttons !== 1) return;
      element.scrollBy(-event.movementX, -event.movementY);
    };
    element.addEventListener('pointermove', drag, { signal });
    return () => ended.abort();
  }, [stage, zoomBy]);
}

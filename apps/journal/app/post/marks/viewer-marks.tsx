import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type ReactNode, useEffect, useEffectEvent, useLayoutEffect } from 'react';
import { flushSync } from 'react-dom';
import type { Bounds } from '../../../project/marks.ts';
import type { ShownPicture } from '../present-post.ts';
import type { ArtworkStage, ViewerButton } from '../viewer/artwork-viewer.tsx';
import { type MarkParts, useNamedMarks } from './explained-picture.tsx';
import { highlightViewed } from './highlight-marks.ts';
import { useMarksMessages } from './load-marks-messages.ts';
import type { NamedMark } from './name-marks.ts';
import { Overlay } from './overlay.tsx';
import { zoomTo } from './use-pinned-plate.ts';

/** Milliseconds in which the viewer flies to a mark. */
const FLIGHT = 700;

interface ViewerMarksProps extends ArtworkStage {
  picture: ShownPicture;
  parts: MarkParts;
}

/** Draws the marks in the viewer, which flies to the one that the URL names. The keys n and p lead to the next and the previous one. */
export function ViewerMarks({ picture, parts, ...stage }: ViewerMarksProps) {
  const texts = useMarksMessages();
  const marks = useNamedMarks(picture);
  const { mark, go } = useCurrent(marks, parts);
  const bounds = mark?.bounds;

  const fly = useEffectEvent(() => bounds && flyTo(bounds, stage));
  const letter = mark?.letter;
  useEffect(() => {
    if (!letter) return;
    highlightViewed(letter);
    // The size of the stage is known with the first frame after the dialog has opened.
    const frame = requestAnimationFrame(() => fly());
    return () => {
      cancelAnimationFrame(frame);
      highlightViewed(null);
    };
  }, [letter]);

  const press = useEffectEvent((event: KeyboardEvent) => {
    const step = { n: 1, p: -1 }[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    go(step);
  });
  // A key may come as soon as the picture is seen.
  useLayoutEffect(() => {
    const ended = new AbortController();
    document.addEventListener('keydown', press, { signal: ended.signal });
    return () => ended.abort();
  }, []);
  return <Overlay marks={marks} label={texts.plate} />;
}

/** Returns the mark that the URL names, if any, and a function that leads to another one. */
function useCurrent(marks: readonly NamedMark[], { useViewerUrl }: MarkParts) {
  const { mark: letter, leaf } = useViewerUrl();
  const at = marks.findIndex((one) => one.letter === letter);
  const go = (step: number) => {
    // The URL is ahead of the page: a key that comes again at once counts from where the last one led.
    const from = marks.findIndex((one) => window.location.hash === `#artwork-${one.letter}`);
    const next = marks[from < 0 && step < 0 ? marks.length - 1 : from + step];
    if (next) void leaf(`#artwork-${next.letter}`);
  };
  return { mark: marks[at], at, go };
}

/** Zooms so that the shape is about half as large as the stage, at once; what is seen flies there, unless less motion is wanted. */
function flyTo(bounds: Bounds, { stage, artwork, zoom, zoomBy }: ArtworkStage): void {
  const [frame, plate] = [stage.current, artwork.current];
  if (!frame || !plate) return;
  const before = plate.getBoundingClientRect();
  const whole = { width: before.width / zoom, height: before.height / zoom };
  const room = { width: frame.clientWidth, height: frame.clientHeight };
  flushSync(() => zoomBy(zoomTo(bounds, room, whole) / zoom));
  const middle = frame.getBoundingClientRect();
  const box = plate.getBoundingClientRect();
  frame.scrollLeft +=
    box.left + ((bounds.x + bounds.width / 2) / 100) * box.width - (middle.left + middle.width / 2);
  frame.scrollTop +=
    box.top + ((bounds.y + bounds.height / 2) / 100) * box.height - (middle.top + middle.height / 2);
  if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const after = plate.getBoundingClientRect();
  const from = `translate(${before.left - after.left}px, ${before.top - after.top}px) scale(${before.width / after.width})`;
  plate.animate(
    [
      { transformOrigin: '0 0', transform: from },
      { transformOrigin: '0 0', transform: 'none' },
    ],
    {
      duration: FLIGHT,
      easing: 'cubic-bezier(0.3, 0, 0.1, 1)',
    },
  );
}

interface MarkBarProps {
  picture: ShownPicture;
  parts: MarkParts & { ViewerButton: typeof ViewerButton };
  onClose(): void;
  /** What is said about the whole plate. */
  children: ReactNode;
}

/** Says below the artwork what the mark is about, and leads to the others and back to the text. */
export function MarkBar({ picture, parts, onClose, children }: MarkBarProps) {
  const { ViewerButton: Button } = parts;
  const texts = useMarksMessages();
  const marks = useNamedMarks(picture);
  const { mark, at, go } = useCurrent(marks, parts);
  return (
    <div className="mark-bar">
      <Button label={texts.previous} keys="p" isOff={at === 0} onPress={() => go(-1)}>
        <ChevronLeft aria-hidden="true" className="size-5" />
      </Button>
      <div aria-live="polite" className="mark-caption">
        {mark ? (
          <>
            <p>
              <span className="sr-only">{mark.place}</span>
              <span aria-hidden="true" className="legend-letter">
                {mark.letter}
              </span>
              <span lang={mark.note ? mark.noteLanguage : undefined} dir="auto">
                {mark.words}
              </span>
            </p>
            <button type="button" className="to-text" onClick={onClose}>
              {texts.backToText}
            </button>
          </>
        ) : (
          children
        )}
      </div>
      <Button label={texts.next} keys="n" isOff={at === marks.length - 1} onPress={() => go(1)}>
        <ChevronRight aria-hidden="true" className="size-5" />
      </Button>
    </div>
  );
}

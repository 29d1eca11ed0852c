import { type KeyboardEvent, type PointerEvent, useId, useRef, useState } from 'react';
import { fitImage, HERO_FRAME, type ImageSize } from '../../images/image-frame.ts';
import { useDeskMessages } from '../use-desk.ts';

interface FocalPointProps {
  src: string;
  /** Per cent from the left and from the top; `null` for the middle. */
  focal: readonly [number, number] | null;
  disabled?: boolean;
  onChange(focal: [number, number]): void;
}

const MIDDLE = [50, 50] as const;
/** Per cent that an arrow key moves the point; with Shift ten times as many. */
const STEP = 1;
const KEYS: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Sets the point of a picture that stays in sight, by dragging or by keys, and shows what the crops will be. */
export function FocalPoint({ src, focal, disabled = false, onChange }: FocalPointProps) {
  const texts = useDeskMessages().cover;
  const [x, y] = focal ?? MIDDLE;
  const hintId = useId();
  const frame = useRef<HTMLDivElement>(null);

  const moveTo = (left: number, top: number) => onChange([within(left), within(top)]);
  const drag = (event: PointerEvent) => {
    if (disabled || (event.type === 'pointermove' && event.buttons === 0)) return;
    const box = frame.current?.getBoundingClientRect();
    if (!box) return;
    if (event.type === 'pointerdown') event.currentTarget.setPointerCapture(event.pointerId);
    moveTo(((event.clientX - box.left) / box.width) * 100, ((event.clientY - box.top) / box.height) * 100);
  };
  const press = (event: KeyboardEvent) => {
    const direction = KEYS[event.key];
    if (!direction || disabled) return;
    event.preventDefault();
    const step = event.shiftKey ? 10 * STEP : STEP;
    moveTo(x + direction[0] * step, y + direction[1] * step);
  };
  const [size, setSize] = useState<ImageSize>({ width: null, height: null });
  const position = { objectPosition: `${x}% ${y}%` };
  const { isWhole } = fitImage(HERO_FRAME, size);
  return (
    <div className="grid gap-3">
      <div
        ref={frame}
        onPointerDown={drag}
        onPointerMove={drag}
        className="relative w-fit max-w-full cursor-crosshair touch-none border border-hairline bg-plate select-none"
      >
        <img
          src={src}
          alt=""
          draggable={false}
          onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
            setSize({ width, height })
          }
          className="max-h-96 max-w-full"
        />
        <button
          type="button"
          disabled={disabled}
          aria-label={`${texts.focal}: ${texts.focalAt(x, y)}`}
          aria-describedby={hintId}
          onKeyDown={press}
          style={{ left: `${x}%`, top: `${y}%` }}
          className="absolute grid size-11 -translate-1/2 cursor-grab place-items-center rounded-full active:cursor-grabbing"
        >
          <span className="size-6 rounded-full border-2 border-white bg-accent/40 shadow-[0_0_0_1.5px_rgb(0_0_0/0.65)]" />
        </button>
      </div>
      <p id={hintId} className="text-sm text-muted">
        {texts.focalHint}
      </p>
      <p aria-live="polite" className="sr-only">
        {texts.focalAt(x, y)}
      </p>
      <div className="grid max-w-96 grid-cols-[4fr_8fr] items-start gap-4 text-sm text-muted">
        <figure className="grid gap-1.5">
          <img src={src} alt="" style={position} className="aspect-[4/5] w-full bg-plate object-cover" />
          <figcaption>{texts.inGallery}</figcaption>
        </figure>
        <figure className="grid gap-1.5">
          <img
            src={src}
            alt=""
            style={isWhole ? undefined : position}
            className={`aspect-[16/10] w-full ${isWhole ? 'bg-mat object-contain' : 'bg-plate object-cover'}`}
          />
          <figcaption>{isWhole ? texts.wholeInPost : texts.inPost}</figcaption>
        </figure>
      </div>
    </div>
  );
}

function within(percent: number): number {
  return Math.round(Math.min(100, Math.max(0, percent)));
}

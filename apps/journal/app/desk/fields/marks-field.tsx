import { Trash2 } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, useId, useRef, useState } from 'react';
import { DOCUMENT_LIMITS } from '../../../project/document-limits.ts';
import type { Language } from '../../../project/languages.ts';
import {
  boundsOf,
  markOf,
  noteOf,
  type PlateMark,
  readShape,
  type Shape,
  withNote,
  writeShape,
} from '../../../project/marks.ts';
import { buttonClass } from '../../ui/button-class.ts';
import { TextArea } from '../../ui/text-area.tsx';
import { useDeskMessages } from '../use-desk.ts';

export interface MarksFieldProps {
  /** The URL of the picture. */
  src: string;
  marks: readonly PlateMark[];
  /** The letters of the marks on other pictures of the post. */
  taken: ReadonlySet<string>;
  /** The letters that passages of the text name. */
  passages: ReadonlySet<string>;
  /** The language that notes are written in. */
  language: Language;
  readOnly: boolean;
  onChange(marks: PlateMark[]): void;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
/** Percent of the picture that an arrow key moves a mark; with Shift five times as many. */
const STEP = 1;
const KEYS: Record<string, readonly [number, number]> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
};
/** Where a new mark stands. An outline begins as a hexagon, whose corners are dragged. */
const NEW_SHAPES: Record<Shape['kind'], Shape> = {
  point: { kind: 'point', x: 50, y: 50 },
  box: { kind: 'box', x: 40, y: 40, width: 20, height: 20 },
  outline: {
    kind: 'outline',
    points: [
      [45, 40],
      [55, 40],
      [60, 50],
      [55, 60],
      [45, 60],
      [40, 50],
    ],
  },
};

/** Places marks on a picture, by pointer or by keys, and edits what is said of each. */
export function MarksField(props: MarksFieldProps) {
  const { src, marks, taken, passages, readOnly, onChange } = props;
  const texts = useDeskMessages().marks;
  const frame = useRef<HTMLDivElement>(null);
  const hintId = useId();
  const [chosen, setChosen] = useState<string | null>(null);
  /** A drag goes on while other changes come. */
  const latest = useRef(marks);
  latest.current = marks;
  const free = [...LETTERS].find((letter) => !taken.has(letter) && !marks.some(({ id }) => id === letter));
  const loose = [...passages].filter(
    (letter) => !taken.has(letter) && !marks.some(({ id }) => id === letter),
  );

  const put = (letter: string, shape: Shape) =>
    onChange(
      latest.current.map((mark) =>
        mark.id === letter
          ? { ...mark, target: { selector: { type: 'SvgSelector', value: writeShape(shape) } } }
          : mark,
      ),
    );
  const add = (kind: Shape['kind']) => {
    if (!free) return;
    // Marks that were placed and not moved yet stand beside each other.
    const aside = (marks.length % 5) * 4;
    onChange([...marks, markOf(free, moved(NEW_SHAPES[kind], aside, aside))]);
    setChosen(free);
  };
  const remove = (letter: string) => onChange(marks.filter(({ id }) => id !== letter));
  /** Has a pointer drag, and tells how far it is from where it began, in percent of the picture. */
  const drag = (event: PointerEvent, change: (across: number, down: number) => Shape, letter: string) => {
    const box = frame.current?.getBoundingClientRect();
    if (readOnly || !box) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.currentTarget instanceof HTMLButtonElement) event.currentTarget.focus();
    setChosen(letter);
    const from = { x: event.clientX, y: event.clientY };
    const ended = new AbortController();
    const move = ({ clientX, clientY }: globalThis.PointerEvent) => {
      const shape = change(((clientX - from.x) / box.width) * 100, ((clientY - from.y) / box.height) * 100);
      if (isWithin(shape)) put(letter, shape);
    };
    window.addEventListener('pointermove', move, { signal: ended.signal });
    for (const end of ['pointerup', 'pointercancel'])
      window.addEventListener(end, () => ended.abort(), { signal: ended.signal });
  };
  const press = (event: KeyboardEvent, letter: string, shape: Shape) => {
    if (readOnly) return;
    if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault();
      return remove(letter);
    }
    const direction = KEYS[event.key];
    if (!direction) return;
    event.preventDefault();
    const [across, down] = direction.map((part) => part * (event.shiftKey ? 5 : 1)) as [number, number];
    const next = event.altKey ? resized(shape, across, down) : moved(shape, across, down);
    if (isWithin(next)) put(letter, next);
  };

  return (
    <div className="grid gap-4">
      <div ref={frame} className="relative w-fit max-w-full border border-hairline bg-plate select-none">
        <img src={src} alt="" draggable={false} className="max-h-[32rem] max-w-full" />
        <Shapes marks={marks} />
        {marks.map(({ id, target }) => {
          const shape = readShape(target.selector.value);
          if (!shape) return null;
          const bounds = boundsOf(shape);
          const [x, y] = [bounds.x + bounds.width / 2, bounds.y + bounds.height / 2];
          return (
            <div key={id}>
              <button
                type="button"
                disabled={readOnly}
                aria-label={texts.at(id, Math.round(x), Math.round(y))}
                aria-pressed={chosen === id}
                aria-describedby={hintId}
                onFocus={() => setChosen(id)}
                onPointerDown={(event) => drag(event, (across, down) => moved(shape, across, down), id)}
                onKeyDown={(event) => press(event, id, shape)}
                style={{ left: `${x}%`, top: `${y}%` }}
                className="absolute grid size-11 -translate-1/2 cursor-grab touch-none place-items-center rounded-full active:cursor-grabbing"
              >
                <span
                  className={`grid size-7 place-items-center rounded-full border-2 border-white text-sm font-semibold text-white shadow-[0_0_0_1.5px_rgb(0_0_0/0.65)] ${chosen === id ? 'bg-accent' : 'bg-black/70'}`}
                >
                  {id}
                </span>
              </button>
              {chosen === id && !readOnly && (
                <Handles shape={shape} onDrag={(event, change) => drag(event, change, id)} />
              )}
            </div>
          );
        })}
      </div>
      <p id={hintId} className="text-sm text-muted">
        {texts.hint}
      </p>
      {!readOnly && (
        <div className="flex flex-wrap gap-2">
          {(['point', 'box', 'outline'] as const).map((kind) => (
            <button
              key={kind}
              type="button"
              disabled={!free}
              onClick={() => add(kind)}
              className={buttonClass({ variant: 'outline', size: 'small' })}
            >
              {texts.add[kind]}
            </button>
          ))}
        </div>
      )}
      {!free && <p className="text-sm text-muted">{texts.full(LETTERS.length)}</p>}
      <MarkNotes {...props} onChoose={setChosen} />
      {loose.length > 0 && (
        <p role="status" className="text-sm">
          {texts.loose(loose.join(', '))}
        </p>
      )}
    </div>
  );
}

/** Draws boxes and outlines over the picture. */
function Shapes({ marks }: Pick<MarksFieldProps, 'marks'>) {
  return (
    <svg
      viewBox="0 0 100 100"
      preserveAspectRatio="none"
      aria-hidden="true"
      className="pointer-events-none absolute inset-0 size-full overflow-visible fill-accent/15 stroke-accent [&>*]:[stroke-width:2px] [&>*]:[vector-effect:non-scaling-stroke]"
    >
      {marks.map(({ id, target }) => {
        const shape = readShape(target.selector.value);
        if (shape?.kind === 'box')
          return <rect key={id} x={shape.x} y={shape.y} width={shape.width} height={shape.height} />;
        return shape?.kind === 'outline' ? (
          <polygon key={id} points={shape.points.map((point) => point.join()).join(' ')} />
        ) : null;
      })}
    </svg>
  );
}

interface HandlesProps {
  shape: Shape;
  onDrag(event: PointerEvent, change: (across: number, down: number) => Shape): void;
}

/** Shows the corners of a shape, which a pointer drags. Keys change its size from its letter. */
function Handles({ shape, onDrag }: HandlesProps) {
  return handlesOf(shape).map(({ x, y, change }, at) => (
    <span
      // biome-ignore lint/suspicious/noArrayIndexKey: the corners of a shape have no other identity
      key={at}
      aria-hidden="true"
      onPointerDown={(event) => onDrag(event, change)}
      style={{ left: `${x}%`, top: `${y}%` }}
      className="absolute grid size-11 -translate-1/2 cursor-move touch-none place-items-center"
    >
      <span className="size-3 border border-white bg-accent" />
    </span>
  ));
}

/** Edits what is said of each mark. */
function MarkNotes({
  marks,
  passages,
  language,
  readOnly,
  onChange,
  onChoose,
}: MarksFieldProps & { onChoose(letter: string): void }) {
  const texts = useDeskMessages().marks;
  return (
    <ul className="grid gap-4">
      {marks.map((mark) => (
        <li key={mark.id} className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-2">
          <TextArea
            label={texts.note(mark.id)}
            hint={passages.has(mark.id) ? texts.inText : texts.notInText}
            rows={2}
            lang={language}
            limit={DOCUMENT_LIMITS.note}
            readOnly={readOnly}
            value={noteOf(mark, language)}
            onFocus={() => onChoose(mark.id)}
            onChange={({ target }) =>
              onChange(marks.map((one) => (one === mark ? withNote(mark, language, target.value) : one)))
            }
          />
          {!readOnly && (
            <button
              type="button"
              aria-label={texts.remove(mark.id)}
              title={texts.remove(mark.id)}
              onClick={() => onChange(marks.filter((one) => one !== mark))}
              className="grid size-11 place-items-center text-muted hover:text-accent"
            >
              <Trash2 aria-hidden="true" className="size-4" />
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Returns the corners by which a shape is changed, in percent of the picture. */
function handlesOf(shape: Shape): { x: number; y: number; change(across: number, down: number): Shape }[] {
  if (shape.kind === 'point') return [];
  if (shape.kind === 'box') {
    const { x, y, width, height } = shape;
    return [{ x: x + width, y: y + height, change: (across, down) => resized(shape, across, down) }];
  }
  return shape.points.map(([x, y], at) => ({
    x,
    y,
    change: (across, down) => ({
      ...shape,
      points: shape.points.map((point, index) => (index === at ? [x + across, y + down] : point)),
    }),
  }));
}

function moved(shape: Shape, across: number, down: number): Shape {
  if (shape.kind === 'outline')
    return { ...shape, points: shape.points.map(([x, y]) => [x + across, y + down] as const) };
  return { ...shape, x: shape.x + across, y: shape.y + down };
}

/** Returns a box of another size, and an outline that is as much wider and higher from its upper left corner. */
function resized(shape: Shape, across: number, down: number): Shape {
  if (shape.kind === 'point') return shape;
  const { x, y, width, height } = boundsOf(shape);
  const [wider, higher] = [Math.max(1, width + across), Math.max(1, height + down)];
  if (shape.kind === 'box') return { ...shape, width: wider, height: higher };
  const scaled = ([left, top]: readonly [number, number]) =>
    [x + ((left - x) / width) * wider, y + ((top - y) / height) * higher] as const;
  return { ...shape, points: shape.points.map(scaled) };
}

function isWithin(shape: Shape): boolean {
  return readShape(writeShape(shape)) !== null;
}

import { Trash2 } from 'lucide-react';
import {
  type KeyboardEvent,
  type PointerEvent,
  useDeferredValue,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
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
} from '../../../project/marks.ts';
import { buttonClass } from '../../ui/button-class.ts';
import { TextArea } from '../../ui/text-area.tsx';
import { useDeskMessages } from '../use-desk.ts';
import {
  type ChangeableCorner,
  cornersOf,
  drawnShape,
  isPlaced,
  moved,
  newShape,
  resized,
} from './change-shape.ts';

export interface MarksFieldProps {
  /** The URL of the picture. */
  src: string;
  marks: readonly PlateMark[];
  /** The letters of the marks on other pictures of the post. */
  taken: ReadonlySet<string>;
  /** The text of the post in Markdown, whose passages belong to marks. Empty for a plain one, which has none. */
  text: string;
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
/** Places marks on a picture, by pointer or by keys, and edits what is said of each. */
export function MarksField(props: MarksFieldProps) {
  const { src, marks, taken, text, readOnly, onChange } = props;
  const texts = useDeskMessages().marks;
  const hintId = useId();
  const passages = usePassages(text);
  const [chosen, setChosen] = useState<string | null>(null);
  const [removed, setRemoved] = useState<PlateMark | null>(null);
  /** The kind of mark that the next press on the picture places. */
  const [kind, setKind] = useState<Shape['kind'] | null>(null);
  const remove = (mark: PlateMark) => {
    setRemoved(mark);
    onChange(marks.filter((one) => one !== mark));
  };
  const isKnown = (letter: string) => taken.has(letter) || marks.some(({ id }) => id === letter);
  // A letter that the text still names belongs to its words: a new mark gets it only when no other is left.
  const unused = [...LETTERS].filter((letter) => !isKnown(letter));
  const free = unused.find((letter) => !passages.has(letter)) ?? unused[0];
  const loose = [...passages].filter((letter) => !isKnown(letter));

  return (
    <div className="grid gap-4">
      <MarkedPicture
        {...{ src, marks, readOnly, chosen, hintId, onChange }}
        onChoose={setChosen}
        onRemove={remove}
        placed={readOnly || !kind || !free ? null : { kind, letter: free }}
        onPlaced={() => setKind(null)}
      />
      <p id={hintId} className="text-sm text-muted">
        {kind ? texts.place[kind] : texts.hint}
      </p>
      {!readOnly && (
        <div className="flex flex-wrap gap-2">
          {(['point', 'box', 'outline'] as const).map((one) => (
            <button
              key={one}
              type="button"
              disabled={!free}
              aria-pressed={kind === one}
              onClick={({ detail }) => {
                if (detail > 0) return setKind(kind === one ? null : one);
                // Keys have no place on the picture: the mark begins in its middle, beside those that were placed so before.
                if (!free) return;
                const aside = 50 + (marks.length % 5) * 4;
                onChange([...marks, markOf(free, newShape(one, aside, aside))]);
                setChosen(free);
              }}
              className={buttonClass({ variant: kind === one ? 'primary' : 'outline', size: 'small' })}
            >
              {texts.add[one]}
            </button>
          ))}
        </div>
      )}
      {!free && <p className="text-sm text-muted">{texts.full(LETTERS.length)}</p>}
      {removed && !isKnown(removed.id) && (
        <p className="flex flex-wrap items-center gap-3 text-sm">
          <span role="status">{texts.removed(removed.id)}</span>
          <button
            type="button"
            // What had the focus is gone.
            ref={(button) => button?.focus()}
            onClick={() => onChange([...marks, removed].sort((one, other) => one.id.localeCompare(other.id)))}
            className={buttonClass({ variant: 'outline', size: 'small' })}
          >
            {texts.putBack}
          </button>
        </p>
      )}
      <MarkNotes {...props} passages={passages} onChoose={setChosen} onRemove={remove} />
      {loose.length > 0 && (
        <p role="status" className="text-sm">
          {texts.loose(loose.join(', '))}
        </p>
      )}
    </div>
  );
}

/** Returns the letters of the passages of a text, once it has been read. */
function usePassages(text: string): ReadonlySet<string> {
  const read = useDeferredValue(text);
  const [letters, setLetters] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    let isCurrent = true;
    // The parser comes with the editor, and a text without such a letter has no passage.
    const letters = read.includes('{#')
      ? import('./passage-letters.ts').then(({ passageLetters }) => passageLetters(read))
      : Promise.resolve(new Set<string>());
    void letters.then((found) => isCurrent && setLetters(found));
    return () => {
      isCurrent = false;
    };
  }, [read]);
  return letters;
}

interface MarkedPictureProps extends Pick<MarksFieldProps, 'src' | 'marks' | 'readOnly' | 'onChange'> {
  chosen: string | null;
  /** The element that says how marks are changed. */
  hintId: string;
  onChoose(letter: string): void;
  onRemove(mark: PlateMark): void;
  /** What a press on the picture places; `null` for nothing. */
  placed: { kind: Shape['kind']; letter: string } | null;
  onPlaced(): void;
}

/** Shows the picture with its marks, which a pointer or keys place, move and change. */
function MarkedPicture({ src, marks, readOnly, chosen, hintId, placed, ...act }: MarkedPictureProps) {
  const { onChange, onChoose, onRemove, onPlaced } = act;
  const { marks: texts, fields } = useDeskMessages();
  const frame = useRef<HTMLDivElement>(null);
  /** A drag goes on while other changes come. */
  const latest = useRef(marks);
  latest.current = marks;

  const put = (letter: string, shape: Shape) => {
    if (!isPlaced(shape)) return;
    const { target } = markOf(letter, shape);
    onChange(latest.current.map((mark) => (mark.id === letter ? { ...mark, target } : mark)));
  };
  /** Follows a pointer until it is released, in percent of the picture. */
  const follow = (event: PointerEvent, onMove: (x: number, y: number) => void) => {
    const box = frame.current?.getBoundingClientRect();
    if (!box) return;
    event.preventDefault();
    event.stopPropagation();
    const within = (percent: number) => Math.min(100, Math.max(0, percent));
    const at = ({ clientX, clientY }: { clientX: number; clientY: number }) =>
      [
        within(((clientX - box.left) / box.width) * 100),
        within(((clientY - box.top) / box.height) * 100),
      ] as const;
    const ended = new AbortController();
    window.addEventListener('pointermove', (move) => onMove(...at(move)), { signal: ended.signal });
    for (const end of ['pointerup', 'pointercancel'])
      window.addEventListener(end, () => ended.abort(), { signal: ended.signal });
    return at(event);
  };
  const place = (event: PointerEvent) => {
    if (!placed) return;
    const { kind, letter } = placed;
    const path: (readonly [number, number])[] = [];
    const from = follow(event, (x, y) => {
      path.push([x, y]);
      const shape = drawnShape(kind, path);
      if (shape) put(letter, shape);
    });
    if (!from) return;
    path.push(from);
    onChange([...latest.current, markOf(letter, newShape(kind, ...from))]);
    onChoose(letter);
    onPlaced();
  };
  const drag = (event: PointerEvent<HTMLElement>, letter: string, change: ChangeableCorner['moved']) => {
    if (readOnly) return;
    const from = follow(event, (x, y) => from && put(letter, change(x - from[0], y - from[1])));
    event.currentTarget.focus();
    onChoose(letter);
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: the marks are no fields of a form
    <div
      ref={frame}
      role="group"
      aria-label={fields.marks}
      onPointerDown={place}
      className={`relative w-fit max-w-full border border-hairline bg-plate select-none ${placed ? 'cursor-crosshair touch-none' : ''}`}
    >
      <img src={src} alt="" draggable={false} className="max-h-[32rem] max-w-full" />
      <Shapes marks={marks} />
      {marks.map((mark) => {
        const { id, target } = mark;
        const shape = readShape(target.selector.value);
        if (!shape) return null;
        const bounds = boundsOf(shape);
        const [x, y] = [bounds.x + bounds.width / 2, bounds.y + bounds.height / 2];
        return (
          // What is placed next may lie on marks that are there.
          <div key={id} className={placed ? 'pointer-events-none *:pointer-events-none' : undefined}>
            <button
              type="button"
              disabled={readOnly}
              aria-label={texts.at(id, Math.round(x), Math.round(y))}
              aria-pressed={chosen === id}
              aria-describedby={hintId}
              onFocus={() => onChoose(id)}
              onPointerDown={(event) => drag(event, id, (across, down) => moved(shape, across, down))}
              onKeyDown={(event) => {
                const change = event.altKey ? resized : moved;
                pressKey(event, {
                  move: (across, down) => put(id, change(shape, across, down)),
                  remove: () => onRemove(mark),
                });
              }}
              style={{ left: `${x}%`, top: `${y}%` }}
              className="absolute grid size-8 -translate-1/2 cursor-grab touch-none place-items-center rounded-full active:cursor-grabbing pointer-coarse:size-11"
            >
              <span
                className={`grid size-7 place-items-center rounded-full border-2 border-white text-sm font-semibold text-white shadow-[0_0_0_1.5px_rgb(0_0_0/0.65)] ${chosen === id ? 'bg-accent' : 'bg-black/70'}`}
              >
                {id}
              </span>
            </button>
            {chosen === id &&
              !readOnly &&
              cornersOf(shape).map((corner, at, all) => (
                <button
                  // biome-ignore lint/suspicious/noArrayIndexKey: the corners of a shape have no other identity
                  key={at}
                  type="button"
                  aria-label={texts.corner(id, at + 1, all.length)}
                  onPointerDown={(event) => drag(event, id, corner.moved)}
                  onKeyDown={(event) =>
                    pressKey(event, {
                      move: (across, down) => put(id, corner.moved(across, down)),
                      remove: () => corner.removed && put(id, corner.removed()),
                      add: () => corner.split && put(id, corner.split()),
                    })
                  }
                  style={{ left: `${corner.x}%`, top: `${corner.y}%` }}
                  className="absolute grid size-6 -translate-1/2 cursor-move touch-none place-items-center pointer-coarse:size-11"
                >
                  <span className="size-3 border border-white bg-accent" />
                </button>
              ))}
          </div>
        );
      })}
    </div>
  );
}

interface KeyActions {
  /** Moves by percent of the picture. */
  move(across: number, down: number): void;
  remove(): void;
  add?(): void;
}

function pressKey(event: KeyboardEvent, { move, remove, add }: KeyActions): void {
  const direction = KEYS[event.key];
  if (direction) {
    const [across, down] = direction.map((part) => part * (event.shiftKey ? 5 : 1)) as [number, number];
    move(across, down);
  } else if (event.key === 'Delete' || event.key === 'Backspace') remove();
  else if (add && (event.key === '+' || event.key === 'Insert')) add();
  else return;
  event.preventDefault();
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

/** Edits what is said of each mark. */
function MarkNotes({
  marks,
  passages,
  language,
  readOnly,
  onChange,
  onChoose,
  onRemove,
}: MarksFieldProps & {
  passages: ReadonlySet<string>;
  onChoose(letter: string): void;
  onRemove(mark: PlateMark): void;
}) {
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
              onClick={() => onRemove(mark)}
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

import { boundsOf, FEWEST_CORNERS, readShape, type Shape, writeShape } from '../../../project/marks.ts';

/** Percent of the picture that a new box or outline measures. */
const NEW_SIZE = 20;
/** A pointer that is drawn along an outline leaves a corner each time that it is so many percent of the picture from the last one. */
const CORNER_DISTANCE = 4;
/** Corners that an outline has at most while it is drawn. */
const MOST_CORNERS = 100;
/** The corners of a new outline, from its middle, in shares of half its size. */
const HEXAGON = [
  [-0.5, -1],
  [0.5, -1],
  [1, 0],
  [0.5, 1],
  [-0.5, 1],
  [-1, 0],
] as const;

type Corner = readonly [x: number, y: number];

/** Returns a new shape around a place, in percent of the picture. Near an edge it is moved into the picture. */
export function newShape(kind: Shape['kind'], x: number, y: number): Shape {
  if (kind === 'point') return { kind, x, y };
  const half = NEW_SIZE / 2;
  if (kind === 'box')
    return moved({ kind, x: 0, y: 0, width: NEW_SIZE, height: NEW_SIZE }, x - half, y - half);
  const points = HEXAGON.map(([right, below]) => [half + right * half, half + below * half] as const);
  return moved({ kind, points }, x - half, y - half);
}

/** Returns the shape that a pointer has drawn along these places, or null for a movement too small to be meant. */
export function drawnShape(kind: Shape['kind'], path: readonly Corner[]): Shape | null {
  const [first, last] = [path[0], path.at(-1)];
  if (!first || !last) return null;
  if (kind === 'point') return { kind, x: last[0], y: last[1] };
  if (kind === 'box') {
    const [x, y] = [Math.min(first[0], last[0]), Math.min(first[1], last[1])];
    const [width, height] = [Math.abs(last[0] - first[0]), Math.abs(last[1] - first[1])];
    return width < 1 || height < 1 ? null : { kind, x, y, width, height };
  }
  const corners: Corner[] = [];
  for (const [x, y] of path) {
    const before = corners.at(-1);
    const isFar = !before || Math.hypot(x - before[0], y - before[1]) >= CORNER_DISTANCE;
    if (isFar && corners.length < MOST_CORNERS) corners.push([x, y]);
  }
  return corners.length < FEWEST_CORNERS ? null : { kind, points: corners };
}

/** Returns a shape elsewhere, by percent of the picture. It stops at the edges. */
export function moved(shape: Shape, right: number, below: number): Shape {
  const bounds = boundsOf(shape);
  const across = Math.min(100 - bounds.x - bounds.width, Math.max(-bounds.x, right));
  const down = Math.min(100 - bounds.y - bounds.height, Math.max(-bounds.y, below));
  if (shape.kind === 'outline')
    return { ...shape, points: shape.points.map(([x, y]) => [x + across, y + down] as const) };
  return { ...shape, x: shape.x + across, y: shape.y + down };
}

/** Returns a box of another size, and an outline that is as much wider and higher from its upper left corner. */
export function resized(shape: Shape, across: number, down: number): Shape {
  if (shape.kind === 'point') return shape;
  const { x, y, width, height } = boundsOf(shape);
  const grown = (size: number, by: number, from: number) => Math.min(100 - from, Math.max(1, size + by));
  const [wider, higher] = [grown(width, across, x), grown(height, down, y)];
  if (shape.kind === 'box') return { ...shape, width: wider, height: higher };
  const scaled = ([left, top]: Corner) =>
    [x + ((left - x) / (width || 1)) * wider, y + ((top - y) / (height || 1)) * higher] as const;
  return { ...shape, points: shape.points.map(scaled) };
}

/** A corner of a shape that can be changed, in percent of the picture. */
export interface ChangeableCorner {
  x: number;
  y: number;
  moved(across: number, down: number): Shape;
  /** Returns the outline without it; absent where it would be none any more. */
  removed?: () => Shape;
  /** Returns the outline with one more corner half way to the next one. */
  split?: () => Shape;
}

export function cornersOf(shape: Shape): ChangeableCorner[] {
  if (shape.kind === 'point') return [];
  if (shape.kind === 'box') {
    const { x, y, width, height } = shape;
    return [{ x: x + width, y: y + height, moved: (across, down) => resized(shape, across, down) }];
  }
  const { points } = shape;
  return points.map(([x, y], at) => {
    const next = points[(at + 1) % points.length] ?? [x, y];
    return {
      ...{ x, y },
      moved: (across, down) => ({
        ...shape,
        points: points.with(at, [within(x + across), within(y + down)]),
      }),
      ...(points.length > FEWEST_CORNERS && {
        removed: () => ({ ...shape, points: points.toSpliced(at, 1) }),
      }),
      split: () => ({
        ...shape,
        points: points.toSpliced(at + 1, 0, [(x + next[0]) / 2, (y + next[1]) / 2]),
      }),
    };
  });
}

function within(percent: number): number {
  return Math.min(100, Math.max(0, percent));
}

/** Returns whether a shape is within the picture, and short enough to be stored. */
export function isPlaced(shape: Shape): boolean {
  return readShape(writeShape(shape)) !== null;
}

/** Pixels, y downwards. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A point of the sculpted space: pixels, z towards the reader. */
export type Vec3 = readonly [number, number, number];

export function clamp(value: number, low = 0, high = 1): number {
  return value < low ? low : value > high ? high : value;
}

export function mix(a: number, b: number, t: number): number {
  return a + (b - a) * t;
}

/** 0 below `from`, 1 above `to`, smooth between; the edges may run either way. */
export function smoothstep(from: number, to: number, value: number): number {
  const t = clamp((value - from) / (to - from));
  return t * t * (3 - 2 * t);
}

export function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

/** The element at `index`, counted from the end when negative, the ends repeated beyond them. */
export function pickClamped<T>(items: readonly T[], index: number): T {
  const item = items[clamp(index, 0, items.length - 1)];
  if (item === undefined) throw new RangeError('an empty list has no element');
  return item;
}

/** A smooth curve through `points` (Catmull-Rom), `perSpan` samples between each two. */
export function smoothCurve(points: readonly Point[], perSpan = 12, closed = false): Point[] {
  const count = points.length;
  const get = (i: number): Point =>
    closed ? pickClamped(points, ((i % count) + count) % count) : pickClamped(points, i);
  const out: Point[] = [];
  const spans = closed ? count : count - 1;
  for (let i = 0; i < spans; i++) {
    const [p0, p1, p2, p3] = [get(i - 1), get(i), get(i + 1), get(i + 2)];
    for (let s = 0; s < perSpan; s++) {
      const t = s / perSpan;
      out.push({ x: catmull(p0.x, p1.x, p2.x, p3.x, t), y: catmull(p0.y, p1.y, p2.y, p3.y, t) });
    }
  }
  if (!closed) out.push(get(count - 1));
  return out;
}

export function catmull(a: number, b: number, c: number, d: number, t: number): number {
  return (
    0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t + (3 * b - a - 3 * c + d) * t * t * t)
  );
}

/** Short notation for hand-written outlines: `points('10,20 30,40')`. */
export function points(text: string): Point[] {
  return text
    .trim()
    .split(/\s+/)
    .map((pair) => {
      const [x, y] = pair.split(',').map(Number);
      return { x: x ?? 0, y: y ?? 0 };
    });
}

/** The same curve with points about `step` apart. */
export function resample(curve: readonly Point[], step: number): Point[] {
  const out: Point[] = [pickClamped(curve, 0)];
  let carried = 0;
  for (let i = 1; i < curve.length; i++) {
    const a = pickClamped(curve, i - 1);
    const b = pickClamped(curve, i);
    const length = distance(a, b);
    let at = step - carried;
    for (; at <= length; at += step)
      out.push({ x: mix(a.x, b.x, at / length), y: mix(a.y, b.y, at / length) });
    carried = length - (at - step);
  }
  return out;
}

/** Unit normals (left of the direction of travel) of a polyline, one a point. */
export function normalsOf(curve: readonly Point[]): Point[] {
  return curve.map((_, i) => {
    const a = pickClamped(curve, i - 1);
    const b = pickClamped(curve, i + 1);
    const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
    return { x: (b.y - a.y) / length, y: -(b.x - a.x) / length };
  });
}

/** Points no nearer to each other than `spacing(point)` where `accept` allows: dart throwing on a grid, seeded. */
export function scatter(options: {
  box: { x: number; y: number; width: number; height: number };
  spacing: (x: number, y: number) => number;
  smallest: number;
  tries: number;
  next: () => number;
  accept: (x: number, y: number) => boolean;
}): Point[] {
  const { box, smallest, next } = options;
  const cells = new Map<number, Point[]>();
  const key = (cx: number, cy: number): number => cy * 65536 + cx;
  const out: Point[] = [];
  for (let i = 0; i < options.tries; i++) {
    const x = box.x + next() * box.width;
    const y = box.y + next() * box.height;
    if (!options.accept(x, y)) continue;
    const gap = Math.max(smallest, options.spacing(x, y));
    const reach = Math.ceil(gap / smallest);
    const cx = Math.floor((x - box.x) / smallest);
    const cy = Math.floor((y - box.y) / smallest);
    let free = true;
    for (let j = -reach; free && j <= reach; j++) {
      for (let k = -reach; free && k <= reach; k++) {
        for (const other of cells.get(key(cx + k, cy + j)) ?? []) {
          if ((other.x - x) ** 2 + (other.y - y) ** 2 < gap * gap) free = false;
        }
      }
    }
    if (!free) continue;
    const point = { x, y };
    out.push(point);
    const cell = cells.get(key(cx, cy));
    if (cell) cell.push(point);
    else cells.set(key(cx, cy), [point]);
  }
  return out;
}

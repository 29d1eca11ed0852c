import { clamp, distance, mix, type Point, pickClamped, points, resample, smoothCurve } from './geometry.ts';

/** One vertebra in the middle section: everything in pixels of the plate. */
export interface Vertebra {
  /** The cut body, its disc below, and the spinous process behind the canal. */
  body: Point[];
  disc: Point[];
  process: Point[];
  middle: Point;
  /** Half width and half height of the body, and how far it leans. */
  half: Point;
  lean: number;
}

const CENTRES = '486,-110 452,96 432,300 432,512 464,730 508,952 524,1176 486,1402 400,1620';

/** The front edge of the canal runs behind the bodies; `across` is measured from their middle. */
export function columnLine(): Point[] {
  return resample(smoothCurve(points(CENTRES), 24), 4);
}

function frame(i: number): { at: Point; lean: number; size: number } {
  const centres = points(CENTRES);
  const [before, here, after] = [i - 1, i, i + 1].map((k) => pickClamped(centres, k));
  if (!before || !here || !after) throw new RangeError('no such vertebra');
  return {
    at: here,
    lean: Math.atan2(after.x - before.x, after.y - before.y),
    size: mix(0.88, 1.1, (i - 1) / 6),
  };
}

function placed(at: Point, lean: number, shape: readonly (readonly [number, number])[]): Point[] {
  const [c, s] = [Math.cos(-lean), Math.sin(-lean)];
  return shape.map(([x, y]) => ({ x: at.x + x * c - y * s, y: at.y + x * s + y * c }));
}

/** The vertebrae in view, upper ones first. */
export function vertebrae(): Vertebra[] {
  return Array.from({ length: 9 }, (_, i) => {
    const { at, lean, size } = frame(i);
    const [w, h] = [132 * size, 82 * size];
    const next = frame(Math.min(i + 1, 8));
    const body = placed(at, lean, [
      [-w, -h * 0.94],
      [-w * 0.6, -h],
      [0, -h * 0.9],
      [w * 0.6, -h],
      [w, -h * 0.92],
      [w * 0.9, -h * 0.4],
      [w * 0.86, 0],
      [w * 0.9, h * 0.45],
      [w, h * 0.94],
      [w * 0.6, h],
      [0, h * 0.9],
      [-w * 0.6, h],
      [-w * 1.02, h * 0.96],
      [-w * 0.9, h * 0.42],
      [-w * 0.84, 0],
      [-w * 0.9, -h * 0.42],
    ]);
    const gap = { x: (at.x + next.at.x) / 2, y: (at.y + next.at.y) / 2 };
    const thick = Math.max(14, distance(at, next.at) / 2 - h * 0.97 + 6);
    const disc = placed(gap, (lean + next.lean) / 2, [
      [-w * 1.06, -thick * 0.7],
      [-w * 0.5, -thick],
      [0, -thick * 1.3],
      [w * 0.5, -thick],
      [w * 1.02, -thick * 0.8],
      [w * 1.06, 0],
      [w * 1.02, thick * 0.8],
      [w * 0.5, thick],
      [0, thick * 1.3],
      [-w * 0.5, thick],
      [-w * 1.06, thick * 0.7],
      [-w * 1.12, 0],
    ]);
    const process = placed(at, lean * 0.7, [
      [w + 98, -2],
      [w + 112, -34],
      [w + 150, -42],
      [w + 205, -26],
      [w + 262, -12],
      [w + 318, -8],
      [w + 352, 10],
      [w + 366, 52],
      [w + 360, 104],
      [w + 330, 128],
      [w + 288, 118],
      [w + 240, 92],
      [w + 184, 72],
      [w + 136, 66],
      [w + 104, 44],
    ]);
    return { body, disc, process, middle: at, half: { x: w, y: h }, lean };
  });
}

/** Where a point lies in a vertebra: -1 to 1 across its width and its height. */
export function within({ middle, half, lean }: Vertebra, x: number, y: number): Point {
  const [c, s] = [Math.cos(lean), Math.sin(lean)];
  const [dx, dy] = [x - middle.x, y - middle.y];
  return { x: (dx * c - dy * s) / half.x, y: (dx * s + dy * c) / half.y };
}

/** A line beside the column, `across` pixels behind the middle of the bodies. */
export function besideColumn(across: (t: number) => number): Point[] {
  const axis = columnLine();
  return axis.map((p, i) => {
    const a = pickClamped(axis, i - 6);
    const b = pickClamped(axis, i + 6);
    const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
    const t = clamp(i / axis.length);
    const away = across(t);
    return { x: p.x + ((b.y - a.y) / length) * away, y: p.y - ((b.x - a.x) / length) * away };
  });
}

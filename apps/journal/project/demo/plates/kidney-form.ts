import { clamp, mix, type Point, points, smoothCurve, smoothstep } from './geometry.ts';

/** The outline of the cut kidney, its hollow side to the right. */
export const OUTLINE =
  '560,262 452,280 340,356 252,480 206,630 196,790 214,950 270,1104 364,1230 480,1300 590,1304 680,1258 728,1180 724,1090 690,1010 672,930 668,850 676,770 706,690 740,610 756,520 742,420 690,320 630,272';

/** The hollow in the middle, where the calyces gather. */
export const SINUS =
  '690,600 600,600 520,640 470,720 456,800 470,890 520,960 600,1000 700,1010 730,900 720,780 730,690';

export interface Pyramid {
  papilla: Point;
  base: Point;
  /** Half the width of the base. */
  half: number;
  outline: Point[];
}

const AXES: readonly (readonly [papilla: string, base: string, half: number])[] = [
  ['610,602', '618,386', 92],
  ['520,630', '428,440', 96],
  ['462,712', '302,596', 92],
  ['442,802', '262,792', 94],
  ['462,896', '312,994', 92],
  ['522,970', '424,1146', 94],
  ['604,1008', '590,1196', 88],
];

/** The pyramids of the marrow: narrow at the papilla, their base a low dome. */
export function pyramids(): Pyramid[] {
  return AXES.map(([from, to, half]) => {
    const [papilla, base] = [points(from)[0], points(to)[0]];
    if (!papilla || !base) throw new RangeError('a pyramid needs two points');
    const length = Math.hypot(base.x - papilla.x, base.y - papilla.y);
    const [ux, uy] = [(base.x - papilla.x) / length, (base.y - papilla.y) / length];
    const at = (along: number, side: number): Point => ({
      x: papilla.x + ux * along - uy * side,
      y: papilla.y + uy * along + ux * side,
    });
    const outline = smoothCurve(
      [
        at(-14, 0),
        at(6, 16),
        at(length * 0.4, half * 0.5),
        at(length * 0.84, half * 0.93),
        at(length * 0.99, half * 0.8),
        at(length * 1.08, 0),
        at(length * 0.99, -half * 0.8),
        at(length * 0.84, -half * 0.93),
        at(length * 0.4, -half * 0.5),
        at(6, -16),
      ],
      10,
      true,
    );
    return { papilla, base, half, outline };
  });
}

/** Where a point lies in a pyramid: 0 at the papilla to 1 at the base, and the angle off its axis as seen from beyond the papilla. */
export function alongPyramid(
  { papilla, base }: Pyramid,
  x: number,
  y: number,
): { along: number; angle: number } {
  const length = Math.hypot(base.x - papilla.x, base.y - papilla.y);
  const [ux, uy] = [(base.x - papilla.x) / length, (base.y - papilla.y) / length];
  const [dx, dy] = [x - papilla.x + ux * 46, y - papilla.y + uy * 46];
  const along = dx * ux + dy * uy;
  return {
    along: clamp((along - 46) / length, -0.3, 1.4),
    angle: Math.atan2(dx * -uy + dy * ux, Math.max(along, 4)),
  };
}

/** The calyx around each papilla, down to the pelvis: from, over, to. */
export function calyces(): { course: Point[]; width: (t: number) => number }[] {
  const meet = [
    { x: 640, y: 730 },
    { x: 610, y: 800 },
    { x: 640, y: 880 },
  ];
  return pyramids().map(({ papilla, base }, i) => {
    const length = Math.hypot(base.x - papilla.x, base.y - papilla.y);
    const start = {
      x: papilla.x + ((base.x - papilla.x) / length) * 8,
      y: papilla.y + ((base.y - papilla.y) / length) * 8,
    };
    const neck = meet[i < 2 ? 0 : i < 5 ? 1 : 2] ?? start;
    const course = smoothCurve(
      [start, { x: mix(papilla.x, neck.x, 0.34), y: mix(papilla.y, neck.y, 0.34) }, neck, { x: 720, y: 812 }],
      12,
    );
    return { course, width: (t: number) => 37 - 22 * smoothstep(0, 0.3, t) + 20 * smoothstep(0.4, 1, t) };
  });
}

import { engraveRelief } from './engrave-relief.ts';
import {
  clamp,
  mix,
  normalsOf,
  type Point,
  pickClamped,
  points,
  resample,
  smoothCurve,
  smoothstep,
} from './geometry.ts';
import { fold } from './growth.ts';
import { fill, line, pathOf, taper } from './ink.ts';
import { caption, leader } from './lettering.ts';
import { HEIGHT, type Plate, ROSE, WIDTH } from './plate.ts';
import { createNoise, createRandom } from './random.ts';
import { distanceWithin, maskOf, type Raster } from './raster.ts';
import { cushion, reliefOf } from './sculpt.ts';

const HALF =
  '622,206 560,186 462,204 360,268 276,376 222,520 192,690 186,860 208,1030 262,1180 344,1300 440,1378 540,1402 600,1386 624,1350 630,1200 632,900 630,560';

/** Tab. IV: the brain from above. One half as it is, the other as it became: the growth of one folding line. */
export async function drawCortex(plate: Plate): Promise<void> {
  plate.layPaper('#f0e6d6', 81);
  const outline = smoothCurve(points(HALF), 14, true);
  const mask = await maskOf(WIDTH, HEIGHT, fill(pathOf(outline, true), '#fff'));
  const inner = distanceWithin(mask);
  const outer = distanceWithin(mask.map((v) => 1 - v));
  const signed = inner.map((d, x, y) => d - outer.get(x, y));
  const { curve, history } = growFolds(outline, signed, 401);
  await drawHistory(plate, curve, history, mask);
  await drawRelief(plate, curve, mask, inner);
  await plate.draw(letters());
}

/** Grown at about half the size, where the curve keeps its strands close, and printed larger. */
const SMALL = 0.54;

function growFolds(
  outline: readonly Point[],
  signed: Raster,
  seed: number,
): { curve: Point[]; history: Point[][] } {
  const random = createRandom(seed);
  const hold = ({ x, y }: Point): Point => {
    const [bx, by] = [x / SMALL, y / SMALL];
    const d = signed.sample(bx, by) * SMALL;
    if (d > 5) return { x: 0, y: 0 };
    const gx = signed.sample(bx + 4, by) - signed.sample(bx - 4, by) + (412 - bx) * 0.001;
    const gy = signed.sample(bx, by + 4) - signed.sample(bx, by - 4) + (800 - by) * 0.001;
    const length = Math.hypot(gx, gy) || 1;
    const push = (5 - d) * 0.7;
    return { x: (gx / length) * push, y: (gy / length) * push };
  };
  const drift = createNoise(seed);
  let curve: Point[] = resample(outline, 28).map((p) => ({
    x: SMALL * (mix(412, p.x, 0.5) + 60 * drift.at(p.x / 130, p.y / 130)),
    y: SMALL * (mix(800, p.y, 0.7) + 60 * drift.at(p.y / 130, p.x / 130, 5)),
  }));
  const history: Point[][] = [];
  // Great folds first, then folds of the folds: a finer line in the same space each time.
  for (const [gap, rounds, most] of STAGES) {
    const keep = [0.04, 0.14, 0.3, 0.6].map((part) => Math.round(rounds * part));
    const grown = fold({ start: curve, gap, edge: gap / 3.4, rounds, most, hold, random, keep });
    curve = grown.curve;
    history.push(...grown.history);
  }
  const enlarge = (p: Point): Point => ({ x: p.x / SMALL, y: p.y / SMALL });
  return { curve: curve.map(enlarge), history: history.map((old) => old.map(enlarge)) };
}

const STAGES: readonly (readonly [gap: number, rounds: number, most: number])[] = [
  [128, 110, 100],
  [84, 140, 240],
  [56, 180, 560],
  [38, 300, 1150],
];

/** The right half: every line the fold has been, the last one darkest. */
async function drawHistory(
  plate: Plate,
  curve: readonly Point[],
  history: readonly (readonly Point[])[],
  mask: Raster,
): Promise<void> {
  const mirror = (p: Point): Point => ({ x: 1280 - p.x, y: p.y });
  const flipped = mask.map((_, x, y) => mask.get(1279 - x, y));
  plate.wash(
    ROSE,
    flipped.blur(5).map((v, x, y) => v * (0.5 + 0.5 * clamp(inkBleed(x, y)))),
    0.42,
  );
  const last = history.length - 1;
  const lines = history.map((old, i) =>
    line(
      pathOf(smoothCurve(old, 2, true).map(mirror), true),
      i < 6 ? '#b45f5f' : '#8e3d40',
      0.8 + 0.5 * (1 - i / last),
      0.3 + (0.3 * i) / last,
    ),
  );
  const final = resample(smoothCurve([...curve, ...curve.slice(0, 1)], 3).map(mirror), 3.1);
  const normals = normalsOf(final);
  const hand = createNoise(85);
  const ticks = final.flatMap((p, i) => {
    const n = pickClamped(normals, i);
    const shade = 0.5 - 0.5 * (n.x * -0.7 + n.y * -0.7);
    const reach = 3 + 15 * shade * (0.7 + 0.5 * hand.at(p.x / 9, p.y / 9));
    return [
      taper(
        [
          p,
          { x: p.x + n.x * reach * 0.5, y: p.y + n.y * reach * 0.5 },
          { x: p.x + n.x * reach, y: p.y + n.y * reach },
        ],
        1.25,
        '#4a1619',
        0.85,
      ),
    ];
  });
  await plate.draw(lines.join('') + ticks.join('') + line(pathOf(final, true), '#4a1619', 2.2));
}

const bleed = createNoise(83);

function inkBleed(x: number, y: number): number {
  return 0.5 + 0.9 * bleed.fractal(x / 170, y / 170, 4);
}

/** The left half: the folds as rounded ridges on a dome, engraved. */
async function drawRelief(
  plate: Plate,
  curve: readonly Point[],
  _mask: Raster,
  inner: Raster,
): Promise<void> {
  const sulci = await maskOf(WIDTH, HEIGHT, line(pathOf(smoothCurve(curve, 4, true), true), '#fff', 2.6));
  const away = distanceWithin(sulci.map((v) => (v > 0.4 ? 0 : 1)));
  const noise = createNoise(82);
  const dome = inner.map((d, x, y) => {
    const whole = 360 * Math.sqrt(clamp(1.06 - ((x - 640) / 470) ** 2 - ((y - 800) / 640) ** 2));
    return whole + cushion(d, 40) * 0.5;
  });
  const ridges = inner
    .map((_d, x, y) => {
      const ridge = Math.sin((Math.PI / 2) * clamp(away.get(x, y) / 20));
      return 15 * ridge + 0.9 * noise.fractal(x / 30, y / 30, 2);
    })
    .blur(1);
  const height = dome.map((z, x, y) => z + ridges.get(x, y));
  const body = inner.map((d) => (d > 1 ? 1 : 0));
  const relief = reliefOf(height, body);
  const phase = (x: number, y: number): number =>
    (y + 0.3 * x + dome.get(x, y) * 0.3 + ridges.get(x, y) * 0.75) / 6.6;
  const solid = { id: 1, centre: [0, 0, 0] as const, radius: 0, distance: () => 0, phase };
  engraveRelief(plate, {
    relief,
    solids: [solid],
    seed: 84,
    spacing: 6.6,
    body: '#e6cfae',
    shade: '#8a5b50',
    tone: (dark, x, y) => clamp(dark * 0.82 + 0.03 + 0.45 * smoothstep(7, 0, away.get(x, y))),
  });
  await plate.draw(line(pathOf(smoothCurve(curve, 3, true), true), '#1d1310', 2.2, 0.9));
}

function letters(): string {
  const hand = { colour: '#3b2c22', size: 15, opacity: 0.9 };
  const marks: readonly [string, Point, Point][] = [
    ['a', { x: 120, y: 340 }, { x: 330, y: 420 }],
    ['b', { x: 96, y: 900 }, { x: 260, y: 860 }],
    ['c', { x: 1180, y: 420 }, { x: 990, y: 480 }],
    ['d', { x: 1190, y: 1120 }, { x: 1010, y: 1060 }],
  ];
  return (
    caption('Cerebrum', 'V', hand.colour) +
    marks.map(([letter, at, part]) => leader(letter, at, part, hand)).join('')
  );
}

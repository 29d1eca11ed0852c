import { engrave, stipple } from './engrave.ts';
import { engraveRelief } from './engrave-relief.ts';
import {
  clamp,
  type Point,
  pickClamped,
  points,
  resample,
  scatter,
  smoothCurve,
  smoothstep,
} from './geometry.ts';
import { ARTERY, drawTuft, smallTuft } from './glomerulus.ts';
import { fill, line, pathOf, radii, ribbon, vessel } from './ink.ts';
import { alongPyramid, calyces, OUTLINE, pyramids, SINUS } from './kidney-form.ts';
import { caption, leader } from './lettering.ts';
import { HEIGHT, type Plate, WIDTH } from './plate.ts';
import { createNoise, createRandom } from './random.ts';
import { distanceWithin, maskOf, Raster } from './raster.ts';
import { cushion, reliefOf } from './sculpt.ts';

/** Tab. VI: the kidney cut in two, its tufts in the bark, and one of them enlarged. */
export async function drawKidney(plate: Plate): Promise<void> {
  plate.layPaper('#efe5cf', 101);
  const outline = smoothCurve(points(OUTLINE), 12, true);
  const shape = await maskOf(WIDTH, HEIGHT, fill(pathOf(outline, true), '#fff'));
  const marrow = await maskOf(
    WIDTH,
    HEIGHT,
    pyramids()
      .map((p) => fill(pathOf(p.outline, true), '#fff'))
      .join(''),
  );
  const sinus = await maskOf(WIDTH, HEIGHT, fill(pathOf(smoothCurve(points(SINUS), 10, true), true), '#fff'));
  const shadow = shape.map((_, x, y) => shape.get(x - 26, y - 30)).blur(22);
  plate.wash('#9c815c', (x, y) => shadow.get(x, y) * (1 - shape.get(x, y)), 0.4);
  await bark(plate, shape, marrow, sinus);
  fat(plate, shape, sinus, marrow);
  await plate.draw(capsule(outline));
  await plate.draw(arteries(), shape);
  await drawPelvis(plate);
  await drawMarrow(plate, marrow);
  await plate.draw(arches(), shape);
  await tufts(plate, shape, marrow, sinus);
  await drawTuft(plate, { x: 1000, y: 520 }, 178);
  await plate.draw(letters());
}

/** The bark: a warm ground, cut across by rays that run from the pyramids to the capsule. */
async function bark(plate: Plate, shape: Raster, marrow: Raster, sinus: Raster): Promise<void> {
  const inner = distanceWithin(shape);
  const noise = createNoise(102);
  plate.wash(
    '#d7a06c',
    shape.map((v, x, y) => v * (0.8 + 0.35 * noise.fractal(x / 90, y / 90, 3))),
    0.62,
  );
  plate.wash(
    '#9c5a3c',
    inner.map(
      (d, x, y) =>
        shape.get(x, y) *
        smoothstep(60, 0, d) *
        (0.4 + 0.6 * smoothstep(-300, 300, x - 460 + (y - 790) * 0.6)),
    ),
    0.55,
  );
  const rays = Raster.from(WIDTH, HEIGHT, (x, y) => {
    const angle = Math.atan2(y - 800, x - 640);
    return (angle < 0 ? angle + 2 * Math.PI : angle) * 44 + 0.9 * noise.at(x / 30, y / 30);
  });
  const dark = (x: number, y: number): number => {
    const d = inner.get(x, y);
    const side = 0.5 + 0.5 * clamp(((x - 460) * 0.5 + (y - 790) * 0.6) / 420, -1, 1);
    const edge = smoothstep(46, 4, d) * (0.2 + 0.55 * side);
    return (
      shape.get(x, y) * (1 - marrow.get(x, y)) * (1 - sinus.get(x, y)) * clamp(0.14 + 0.16 * side + edge)
    );
  };
  plate.wash('#3a2016', engrave({ phase: rays, spacing: 6.4, seed: 103, jump: 9, darkness: dark }), 0.85);
  const rings = inner.map((d, x, y) => (d + 2 * noise.at(x / 26, y / 26)) / 6);
  plate.wash(
    '#3a2016',
    engrave({ phase: rings, spacing: 6, seed: 104, darkness: (x, y) => clamp(dark(x, y) - 0.42) * 1.4 }),
    0.8,
  );
}

/** The pyramids: straight tubules that draw together at the papilla. */
async function drawMarrow(plate: Plate, marrow: Raster): Promise<void> {
  const forms = pyramids();
  const own = (x: number, y: number): { along: number; angle: number; index: number } => {
    let best = { along: 0, angle: 9, index: 0 };
    forms.forEach((form, index) => {
      const at = alongPyramid(form, x, y);
      if (Math.abs(at.angle) < Math.abs(best.angle)) best = { ...at, index };
    });
    return best;
  };
  const field = Array.from({ length: 3 }, () => new Raster(WIDTH, HEIGHT));
  const [angle, along, index] = field;
  if (!angle || !along || !index) return;
  for (let y = 300; y < 1300; y++) {
    for (let x = 180; x < 780; x++) {
      if (marrow.get(x, y) < 0.02) continue;
      const at = own(x, y);
      const i = y * WIDTH + x;
      angle.data[i] = at.angle;
      along.data[i] = at.along;
      index.data[i] = at.index;
    }
  }
  const noise = createNoise(105);
  plate.paint('#c98e7c', marrow, 0.75);
  plate.wash(
    '#8c2f2b',
    (x, y) =>
      marrow.get(x, y) *
      (0.2 + 0.55 * smoothstep(0.55, 1.05, along.get(x, y)) + 0.2 * noise.fractal(x / 60, y / 60, 2)),
    0.62,
  );
  const phase = angle.map((a, x, y) => index.get(x, y) * 90 + a * 46 + 0.3 * noise.at(x / 16, y / 16));
  const dark = (x: number, y: number): number => {
    const side = smoothstep(
      -0.4,
      0.45,
      angle.get(x, y) * (forms[Math.round(index.get(x, y))]?.base.y ?? 0) > 800 ? 1 : 0.4,
    );
    return (
      marrow.get(x, y) *
      clamp(
        0.24 +
          0.26 * side +
          0.22 * smoothstep(0.6, 1, along.get(x, y)) +
          0.5 * smoothstep(0.26, 0.42, Math.abs(angle.get(x, y))),
      )
    );
  };
  plate.wash('#2c120d', engrave({ phase, spacing: 5.4, seed: 106, jump: 12, darkness: dark }), 0.88);
  await plate.draw(forms.map((f) => line(pathOf(f.outline, true), '#3a1a12', 1.6, 0.8)).join(''));
}

/** Fat and loose tissue of the hollow. */
function fat(plate: Plate, shape: Raster, sinus: Raster, marrow: Raster): void {
  const here = sinus.map((v, x, y) => v * shape.get(x, y) * (1 - marrow.get(x, y)));
  plate.paint('#e6cb8f', here, 0.85);
  const deep = distanceWithin(sinus);
  plate.wash(
    '#8a6a2f',
    stipple({
      width: WIDTH,
      height: HEIGHT,
      spacing: 5,
      seed: 107,
      darkness: (x, y) => here.get(x, y) * (0.2 + 0.5 * smoothstep(40, 0, deep.get(x, y))),
    }),
    0.8,
  );
}

/** The arteries that climb between the pyramids. */
function arteries(): string {
  const forms = pyramids();
  return forms
    .slice(1)
    .map((next, i) => {
      const form = pickClamped(forms, i);
      const between = { x: (form.papilla.x + next.papilla.x) / 2, y: (form.papilla.y + next.papilla.y) / 2 };
      const far = { x: (form.base.x + next.base.x) / 2, y: (form.base.y + next.base.y) / 2 };
      const course = resample(
        smoothCurve(
          [
            { x: 640, y: 806 },
            { x: (between.x * 2 + 640) / 3, y: (between.y * 2 + 806) / 3 },
            between,
            { x: between.x * 0.4 + far.x * 0.6, y: between.y * 0.4 + far.y * 0.6 },
            { x: between.x * 0.08 + far.x * 0.92, y: between.y * 0.08 + far.y * 0.92 },
          ],
          12,
        ),
        5,
      );
      return vessel(course, radii(course.length, 6.5, 3), ARTERY);
    })
    .join('');
}

/** In arches over the bases of the pyramids, then straight on into the bark. */
function arches(): string {
  const random = createRandom(108);
  return pyramids()
    .map((form) => {
      const arch = form.outline.slice(32, 70);
      const rays = arch
        .filter((_, k) => k % 3 === 1)
        .map((p) => {
          const [dx, dy] = [p.x - form.papilla.x, p.y - form.papilla.y];
          const length = Math.hypot(dx, dy);
          const reach = random.between(40, 84);
          const sway = random.between(-7, 7);
          const ray = smoothCurve(
            [
              p,
              { x: p.x + (dx / length) * reach * 0.5 + sway, y: p.y + (dy / length) * reach * 0.5 },
              { x: p.x + (dx / length) * reach, y: p.y + (dy / length) * reach },
            ],
            6,
          );
          return vessel(ray, radii(ray.length, 1.7, 0.8), ARTERY, 0.6);
        });
      return rays.join('') + vessel(arch, radii(arch.length, 3, 1.8), ARTERY, 0.8);
    })
    .join('');
}

/** The tufts stand all over the bark, never in the rays of the marrow. */
async function tufts(plate: Plate, shape: Raster, marrow: Raster, sinus: Raster): Promise<void> {
  const random = createRandom(109);
  const inner = distanceWithin(shape);
  const outer = distanceWithin(marrow.map((v) => 1 - v));
  const spots = scatter({
    box: { x: 180, y: 250, width: 600, height: 1070 },
    spacing: () => 15,
    smallest: 15,
    tries: 16000,
    next: random.next,
    accept: (x, y) => inner.get(x, y) > 13 && outer.get(x, y) > 9 && sinus.get(x, y) < 0.1,
  });
  await plate.draw(spots.map((p) => smallTuft(p, random.between(4.6, 6.8), random)).join(''));
}

/** Calyces, pelvis and ureter: one pale, smooth funnel. */
async function drawPelvis(plate: Plate): Promise<void> {
  const ureter = resample(
    smoothCurve(points('640,806 720,812 786,850 826,930 838,1040 826,1180 838,1320 830,1480'), 16),
    5,
  );
  const tubes = [
    ...calyces().map(({ course, width }) => fill(ribbon(resample(course, 5), width), '#fff')),
    fill(
      ribbon(ureter, (t) => 60 * (1 - smoothstep(0.06, 0.36, t)) + 17 + 2 * Math.sin(t * 30)),
      '#fff',
    ),
  ];
  const shape = (await maskOf(WIDTH, HEIGHT, tubes.join(''))).blur(3).map((v) => clamp((v - 0.5) * 3 + 0.5));
  const noise = createNoise(110);
  const height = distanceWithin(shape)
    .map((d, x, y) => cushion(d, 52) * 0.85 + 2 * noise.fractal(x / 40, y / 40, 2))
    .blur(3);
  const relief = reliefOf(height, shape);
  const phase = (x: number, y: number, z: number): number => (y * 0.86 + x * 0.5 + z * 0.8) / 6.4;
  const solid = { id: 1, centre: [0, 0, 0] as const, radius: 0, distance: () => 0, phase };
  const presence = (_: number, y: number): number => smoothstep(1470, 1330, y);
  plate.paint('#efe0bf', (x, y) => shape.get(x, y) * presence(x, y));
  engraveRelief(plate, {
    relief,
    solids: [solid],
    seed: 111,
    spacing: 6.4,
    body: '#f6ead0',
    presence,
    tone: (dark) => dark * 0.86,
  });
}

/** The capsule: a firm double line, and a strip of it peeled back. */
function capsule(outline: readonly Point[]): string {
  const closed = [...outline, ...outline.slice(0, 1)];
  const wall = ribbon(closed, (t) => 1.6 + 1.5 * clamp(Math.sin((t - 0.12) * 2 * Math.PI)));
  return (
    fill(wall, '#24150f') +
    line(
      pathOf(
        outline.map((p) => ({ x: 470 + (p.x - 470) * 0.984, y: 790 + (p.y - 790) * 0.99 })),
        true,
      ),
      '#5b3a28',
      0.8,
      0.7,
    )
  );
}

function letters(): string {
  const hand = { colour: '#3b2c22', size: 15, opacity: 0.9 };
  const marks: readonly [string, Point, Point][] = [
    ['a', { x: 130, y: 400 }, { x: 330, y: 470 }],
    ['b', { x: 110, y: 900 }, { x: 330, y: 800 }],
    ['c', { x: 150, y: 1280 }, { x: 400, y: 1060 }],
    ['d', { x: 960, y: 940 }, { x: 770, y: 830 }],
    ['e', { x: 980, y: 1270 }, { x: 842, y: 1210 }],
  ];
  return (
    caption('Ren', 'III', hand.colour) +
    marks.map(([letter, at, part]) => leader(letter, at, part, hand)).join('')
  );
}

import { branchesOf, coloniseInTwo, thicken } from './branching.ts';
import { type Point, points, resample, smoothCurve, type Vec3 } from './geometry.ts';
import { fill, line, pathOf, ribbon, taper, type VesselColours, vessel } from './ink.ts';
import { caption, leader } from './lettering.ts';
import { INK, OXBLOOD, type Plate } from './plate.ts';
import { createNoise, createRandom } from './random.ts';
import {
  BACK,
  epidermisAt,
  FLOOR,
  hornAt,
  inWound,
  LEFT,
  RIGHT,
  SURFACE,
  scabBottom,
  scabTop,
  surfaceAt,
  WOUND,
} from './skin-form.ts';
import { drawBed, drawDermis, drawEpidermis, drawFat, drawScab, drawTop } from './skin-layers.ts';
import { follicle, sweatGland } from './skin-organs.ts';

const ARTERY: VesselColours = { edge: '#35100d', body: OXBLOOD, shade: '#571714', light: '#e4a08c' };

/** Tab. VIII: a block of skin, and a wound closing in it. */
export async function drawSkin(plate: Plate): Promise<void> {
  plate.layPaper('#f2e6d8', 201);
  drawTop(plate);
  drawFat(plate);
  drawDermis(plate);
  drawBed(plate);
  await plate.draw(vessels());
  await plate.draw(sweatGland({ x: 940, y: 1040 }) + sweatGland({ x: 262, y: 1082 }));
  drawEpidermis(plate);
  await plate.draw(follicle(340) + follicle(856));
  drawScab(plate);
  await plate.draw(edges() + hairs());
  await plate.draw(letters());
}

/** Arteries under the dermis send branches up; in the wound's bed new capillaries sprout towards the scab. */
function vessels(): string {
  const random = createRandom(221);
  const noise = createNoise(222);
  const trunk: { at: Vec3; parent: number }[] = [];
  for (const course of [
    '150,1150 330,1120 520,1148 640,1126 820,1152 1084,1124',
    '330,1122 410,1040 440,960 470,900',
    '820,1150 800,1060 812,980 790,900',
    '560,1140 590,1060 610,980 616,920',
    '680,1130 660,1060 650,960',
    '960,1140 980,1020 970,900',
    '220,1136 240,1010 222,880',
  ]) {
    resample(smoothCurve(points(course), 14), 6).forEach((p, i) => {
      trunk.push({
        at: [p.x + 4 * noise.at(p.x / 40, p.y / 40), p.y + 4 * noise.at(p.y / 40, p.x / 40), 0],
        parent: i === 0 ? -1 : trunk.length - 1,
      });
    });
  }
  const attractors: Vec3[] = [];
  while (attractors.length < 1000) {
    const [x, y] = [random.between(LEFT + 14, RIGHT - 14), random.between(SURFACE + 70, 1120)];
    const bed = inWound(x, y) > 0.05 && y > scabBottom(x) + 40 && y > epidermisAt(x) + 8;
    const plain = inWound(x, y) < -0.05 && y > epidermisAt(x) + 12 && random.chance(0.1);
    if (bed || plain) attractors.push([x, y, 0]);
  }
  const settle = ([x, y]: Vec3): Vec3 | undefined =>
    y < epidermisAt(x) + 5 && inWound(x, y) < 0
      ? undefined
      : [x + 2.4 * noise.at(x / 12, y / 12, 3), y + 2.4 * noise.at(y / 12, x / 12, 8), 0];
  const nodes = coloniseInTwo(
    { attractors, trunk, reach: 110, kill: 12, step: 6, settle },
    { thin: 8, reach: 260, kill: 30 },
  );
  thicken(nodes, 1, 2.3, 10);
  return branchesOf(nodes, 5)
    .sort((a, b) => (a.radius[2] ?? 0) - (b.radius[2] ?? 0))
    .map((b) =>
      vessel(
        b.points.map(([x, y]) => ({ x, y })),
        b.radius,
        ARTERY,
        0.9,
      ),
    )
    .join('');
}

/** Hairs above the surface, and down along the upper face. */
function hairs(): string {
  const random = createRandom(231);
  const out: string[] = [];
  for (const x of [340, 856]) {
    const y = surfaceAt(x);
    out.push(
      fill(
        ribbon(
          smoothCurve(
            [
              { x: x - 3, y: y + 16 },
              { x: x + 16, y: y - 90 },
              { x: x + 70, y: y - 220 },
              { x: x + 160, y: y - 320 },
            ],
            16,
          ),
          (t) => 5.4 * (1 - t) ** 0.8 + 0.4,
        ),
        '#2a160e',
      ),
    );
  }
  for (let i = 0; i < 54; i++) {
    const t = random.between(0.06, 0.92);
    const u = random.between(LEFT + 20, RIGHT - 20);
    if (Math.abs(u - WOUND.x) < WOUND.half * 1.25) continue;
    const p = { x: u + t * BACK.x, y: SURFACE - t * BACK.y };
    const length = random.between(26, 60) * (1 - 0.45 * t);
    out.push(
      taper(
        smoothCurve(
          [p, { x: p.x + length * 0.28, y: p.y - length * 0.7 }, { x: p.x + length * 0.85, y: p.y - length }],
          6,
        ),
        1.9,
        '#2a160e',
        0.85 * (1 - 0.5 * t),
      ),
    );
  }
  return out.join('');
}

/** The contour of the block and the lower edge of the epidermis. */
function edges(): string {
  const along = (f: (x: number) => number, from: number, to: number): Point[] =>
    Array.from({ length: Math.round((to - from) / 3) }, (_, i) => ({ x: from + i * 3, y: f(from + i * 3) }));
  const basement = [
    along(epidermisAt, LEFT, WOUND.x - WOUND.half * 0.3),
    along(epidermisAt, WOUND.x + WOUND.half * 0.3, RIGHT),
  ];
  const sides = [LEFT, RIGHT].map((x) =>
    resample(
      [
        { x, y: surfaceAt(x) },
        { x, y: FLOOR - 30 },
      ],
      6,
    ),
  );
  return [
    ...basement.map((p) => line(pathOf(p), '#3b1216', 1.7, 0.9)),
    line(pathOf(along(surfaceAt, LEFT, WOUND.x - WOUND.half)), INK, 2.2),
    line(pathOf(along(surfaceAt, WOUND.x + WOUND.half, RIGHT)), INK, 2.2),
    line(pathOf(along(scabTop, WOUND.x - WOUND.half, WOUND.x + WOUND.half)), '#1d0705', 2.6),
    line(pathOf(along(scabBottom, WOUND.x - WOUND.half, WOUND.x + WOUND.half)), '#1d0705', 1.6, 0.8),
    ...sides.map((p, i) =>
      fill(
        ribbon(p, (t) => (i === 0 ? 0.9 : 1.6) * (1 - t) + 0.2),
        INK,
        0.9,
      ),
    ),
    line(
      pathOf([
        { x: LEFT, y: surfaceAt(LEFT) },
        { x: LEFT + BACK.x * 0.8, y: surfaceAt(LEFT) - BACK.y * 0.8 },
      ]),
      INK,
      1.2,
      0.7,
    ),
    line(
      pathOf([
        { x: RIGHT, y: surfaceAt(RIGHT) },
        { x: RIGHT + BACK.x * 0.9, y: surfaceAt(RIGHT) - BACK.y * 0.9 },
      ]),
      INK,
      1.6,
      0.8,
    ),
    line(pathOf(along((x) => hornAt(x), LEFT, WOUND.x - WOUND.half)), '#3b1216', 0.9, 0.7),
    line(pathOf(along((x) => hornAt(x), WOUND.x + WOUND.half, RIGHT)), '#3b1216', 0.9, 0.7),
  ].join('');
}

function letters(): string {
  const hand = { colour: '#3b2c22', size: 15, opacity: 0.9 };
  const marks: readonly [string, Point, Point][] = [
    ['a', { x: 560, y: 200 }, { x: 640, y: 480 }],
    ['b', { x: 82, y: 560 }, { x: 178, y: 616 }],
    ['c', { x: 82, y: 900 }, { x: 190, y: 860 }],
    ['d', { x: 82, y: 1280 }, { x: 196, y: 1244 }],
    ['e', { x: 1196, y: 760 }, { x: 700, y: 760 }],
    ['f', { x: 1196, y: 1100 }, { x: 986, y: 1044 }],
  ];
  return (
    caption('Cutis', 'I', hand.colour) +
    marks.map(([letter, at, part]) => leader(letter, at, part, hand)).join('')
  );
}

import { engrave, stipple } from './engrave.ts';
import { clamp, mix, smoothstep } from './geometry.ts';
import { HEIGHT, OCHRE, type Plate, WIDTH } from './plate.ts';
import { cellAt, createNoise } from './random.ts';
import { Raster } from './raster.ts';
import { darknessOf, reliefOf } from './sculpt.ts';
import {
  BACK,
  dermisAt,
  epidermisAt,
  FLOOR,
  hornAt,
  inEpidermis,
  inWound,
  LEFT,
  RIGHT,
  scabBottom,
  scabTop,
  surfaceAt,
  WOUND,
} from './skin-form.ts';

const BROWN = '#2e1811';
const noise = createNoise(211);

function field(value: (x: number, y: number) => number): Raster {
  return Raster.from(WIDTH, HEIGHT, value);
}

/** 1 on the front face; its lower edge is left ragged. */
export function frontFace(x: number, y: number): number {
  if (x < LEFT || x > RIGHT || y < surfaceAt(x)) return 0;
  return smoothstep(FLOOR + 60, FLOOR - 70, y + 34 * noise.fractal(x / 60, y / 60, 3));
}

/** The living epidermis: cells that flatten as they rise, the lowest ones dark. */
export function drawEpidermis(plate: Plate): void {
  const here = field((x, y) => (frontFace(x, y) > 0 && inEpidermis(x, y) ? 1 : 0)).blur(1);
  const low = field((x, y) => (here.get(x, y) > 0.4 ? smoothstep(34, 2, epidermisAt(x) - y) : 0));
  plate.paint('#dfa79a', here);
  plate.wash('#a04a48', low, 0.6);
  const cells = field((x, y) => {
    if (here.get(x, y) < 0.4) return 0;
    const rise = clamp((y - hornAt(x)) / 80);
    const cell = cellAt(x / mix(15, 8.4, rise), y / mix(6, 9, rise), 71, 0.85);
    const wall = smoothstep(0.16, 0.03, cell.second - cell.near);
    const nucleus = smoothstep(0.27, 0.19, cell.near) * (0.55 + 0.45 * low.get(x, y));
    return Math.max(wall * 0.75, nucleus);
  });
  plate.wash('#561f24', cells, 0.85);
  const horn = field((x, y) => (frontFace(x, y) > 0 && y < hornAt(x) && inWound(x, y) < 0.05 ? 1 : 0)).blur(
    1,
  );
  plate.paint('#e6cf9f', horn);
  const flakes = field((x, y) => (y - surfaceAt(x) + 2.2 * noise.at(x / 22, y / 5)) / 4.4);
  plate.wash(
    BROWN,
    engrave({
      phase: flakes,
      spacing: 4.4,
      seed: 72,
      darkness: (x, y) => horn.get(x, y) * (0.42 + 0.3 * noise.at(x / 30, y / 9)),
    }),
    0.85,
  );
}

/** The dermis: bundles of collagen, finer under the epidermis, coarser and crossing below. */
export function drawDermis(plate: Plate): void {
  const here = field((x, y) =>
    frontFace(x, y) > 0 && y > epidermisAt(x) - 3 && y < dermisAt(x) && inWound(x, y) < 0
      ? frontFace(x, y)
      : 0,
  ).blur(1);
  plate.paint('#ecd3b8', here, 0.9);
  plate.wash(
    '#c4757a',
    (x, y) =>
      here.get(x, y) *
      (0.25 + 0.5 * smoothstep(200, 20, y - epidermisAt(x)) + 0.25 * noise.fractal(x / 130, y / 80, 3)),
    0.5,
  );
  const wave = (x: number, y: number, seed: number): number =>
    30 * noise.fractal(x / 210 + seed, y / 120, 3) +
    7 * Math.sin(x / 24 + 5 * noise.at(x / 120, y / 90, seed));
  const bundles = field((x, y) => (y + wave(x, y, 3) + 0.16 * x) / 7.6);
  const crossing = field((x, y) => (y - 0.34 * x + wave(y, x, 9)) / 9);
  const patch = (x: number, y: number, seed: number): number =>
    smoothstep(-0.25, 0.45, noise.fractal(x / 75, y / 42, 2, seed));
  const side = (x: number): number => 0.62 + 0.38 * smoothstep(LEFT, RIGHT, x);
  plate.wash(
    BROWN,
    engrave({
      phase: bundles,
      spacing: 7.2,
      seed: 73,
      tremble: 0.3,
      darkness: (x, y) => here.get(x, y) * side(x) * (0.04 + 0.5 * patch(x, y, 0.5)),
    }),
    0.86,
  );
  plate.wash(
    BROWN,
    engrave({
      phase: crossing,
      spacing: 8.4,
      seed: 74,
      tremble: 0.3,
      darkness: (x, y) =>
        here.get(x, y) * side(x) * 0.4 * (1 - patch(x, y, 0.5)) * smoothstep(60, 200, y - epidermisAt(x)),
    }),
    0.8,
  );
  plate.wash(
    BROWN,
    stipple({
      width: WIDTH,
      height: HEIGHT,
      spacing: 5.6,
      seed: 75,
      darkness: (x, y) => here.get(x, y) * 0.5 * smoothstep(70, 6, y - epidermisAt(x)),
    }),
    0.75,
  );
}

/** Fat: lobules of round cells, each lit. */
export function drawFat(plate: Plate): void {
  const here = field((x, y) => (y > dermisAt(x) ? frontFace(x, y) : 0)).blur(1);
  const cells = (x: number, y: number): { round: number; lobule: number } => {
    const warp = 16 * noise.fractal(x / 60, y / 60, 2);
    const cell = cellAt((x + warp * 0.5) / 44, (y - warp * 0.5) / 40, 81, 1);
    const lobule = cellAt((x + warp * 1.6) / 200, (y - warp * 1.6) / 160, 82, 0.9);
    return {
      round: Math.sqrt(clamp(1 - (cell.near / 0.68) ** 2)) * smoothstep(0, 0.14, cell.second - cell.near),
      lobule: lobule.second - lobule.near,
    };
  };
  const bulge = field((x, y) => {
    if (here.get(x, y) <= 0) return 0;
    const { round, lobule } = cells(x, y);
    const septum = smoothstep(0.02, 0.1, lobule);
    return (14 * round + 5) * septum;
  }).blur(2);
  const relief = reliefOf(
    bulge,
    here.map((v) => (v > 0.02 ? 1 : 0)),
  );
  const dark = here.map((v, x, y) => (v > 0 ? darknessOf(relief, x, y) : 0));
  plate.paint('#ead09a', here);
  plate.wash(OCHRE, (x, y) => here.get(x, y) * (0.3 + 0.9 * dark.get(x, y)), 0.75);
  const phase = bulge.map((z, x, y) => (y + x * 0.3 + z * 0.9) / 6);
  plate.wash(
    '#4a2d12',
    bulge.map((z, x, y) => here.get(x, y) * smoothstep(7.5, 3.5, z)),
    0.75,
  );
  plate.wash(
    '#4a2d12',
    engrave({
      phase,
      spacing: 6,
      seed: 83,
      jump: 4,
      darkness: (x, y) => here.get(x, y) * (dark.get(x, y) * 0.85 - 0.1),
    }),
    0.88,
  );
}

/** The bed of the wound: young tissue, fibrin above, the scab on top. */
export function drawBed(plate: Plate): void {
  const bed = field((x, y) => (inWound(x, y) > 0 && y > scabBottom(x) - 4 ? 1 : 0)).blur(2);
  plate.paint('#dd9a8c', bed, 0.95);
  plate.wash(
    '#8c2f2b',
    (x, y) =>
      bed.get(x, y) *
      (0.18 + 0.25 * noise.fractal(x / 46, y / 46, 3) + 0.5 * smoothstep(0.4, 0, inWound(x, y))),
    0.5,
  );
  const spindles = field((x, y) => (x - WOUND.x) / 8 + 3.2 * noise.fractal(x / 60, y / 90, 2));
  plate.wash(
    '#571714',
    engrave({
      phase: spindles,
      spacing: 7,
      seed: 84,
      jump: 4,
      tremble: 0.34,
      darkness: (x, y) => bed.get(x, y) * (0.14 + 0.5 * noise.at(x / 20, y / 34)),
    }),
    0.75,
  );
  const net = field((x, y) => {
    const deep = y - scabBottom(x);
    if (bed.get(x, y) < 0.1 || deep > 90 || inEpidermis(x, y)) return 0;
    const warp = 9 * noise.at(x / 24, y / 24);
    const cell = cellAt((x + warp) / 13, (y + warp) / 11, 85, 1);
    return smoothstep(0.16, 0.04, cell.second - cell.near) * smoothstep(90, 20, deep);
  });
  plate.paint('#f4e2bd', net, 0.9);
}

/** The cut scab: dried in sheets, darker towards the air. */
export function drawScab(plate: Plate): void {
  const inside = (x: number): number => clamp(1 - Math.abs(x - WOUND.x) / (WOUND.half * 1.06));
  const front = field((x, y) => (inside(x) > 0 && y > scabTop(x) && y < scabBottom(x) ? 1 : 0)).blur(1);
  const rise = (x: number, y: number): number =>
    clamp((scabBottom(x) - y) / Math.max(scabBottom(x) - scabTop(x), 1));
  plate.paint('#b0594a', front);
  plate.wash(
    '#5c1815',
    (x, y) => front.get(x, y) * (0.15 + 0.75 * rise(x, y) ** 1.4 + 0.2 * noise.fractal(x / 30, y / 30, 3)),
    0.85,
  );
  const sheets = field((x, y) => rise(x, y) * 13 + 0.7 * noise.fractal(x / 26, y / 26, 3));
  plate.wash(
    '#1d0705',
    engrave({
      phase: sheets,
      spacing: 6.4,
      seed: 87,
      jump: 4,
      tremble: 0.2,
      darkness: (x, y) => front.get(x, y) * (0.2 + 0.4 * rise(x, y) + 0.14 * (x > WOUND.x ? 1 : 0)),
    }),
    0.9,
  );
  const clots = field((x, y) => {
    const cell = cellAt(x / 19 + noise.at(x / 20, y / 20), y / 15, 93, 1);
    return front.get(x, y) * smoothstep(0.26, 0.18, cell.near) * (cell.tone > 0.5 ? 1 : 0);
  });
  plate.wash('#3a0d0a', clots, 0.7);
}

/** The upper face, seen aslant: the fine diamond furrows of skin, and the wound running back through it. */
export function drawTop(plate: Plate): void {
  const depth = (x: number, y: number): number => (surfaceAt(x) - y) / BACK.y;
  const here = field((x, y) => {
    const t = depth(x, y);
    const shift = t * BACK.x;
    return t >= 0 && t <= 1 && x > LEFT + shift && x < RIGHT + shift
      ? smoothstep(1, 0.75, t) * 0.75 + 0.25 * smoothstep(1, 0.96, t)
      : 0;
  });
  const gash = (x: number, y: number): number => {
    const t = depth(x, y);
    const middle = WOUND.x + t * BACK.x + 10 * noise.at(t * 4, 5) + 5 * noise.at(t * 13, 5);
    const half = WOUND.half * (1 - 0.42 * t - 0.3 * t * t) * (1 + 0.07 * noise.at(t * 9, x > middle ? 1 : 8));
    return 1 - Math.abs(x - middle) / Math.max(half, 1);
  };
  plate.paint('#e8c6ac', here, 0.95);
  const swell = field((x, y) => Math.exp(-(((gash(x, y) + 0.24) / 0.34) ** 2)));
  plate.wash('#a8403a', (x, y) => here.get(x, y) * smoothstep(-1.1, -0.02, gash(x, y)), 0.5);
  const skew = (x: number, y: number): [number, number] => [x - depth(x, y) * BACK.x, depth(x, y) * 420];
  const lines = [1, -1].map((way) =>
    field((x, y) => {
      const [u, v] = skew(x, y);
      return (u + way * v * 0.9 + 9 * noise.at(u / 40, v / 40, way)) / 15;
    }),
  );
  const tone = (x: number, y: number): number =>
    here.get(x, y) *
    (0.2 +
      0.16 * smoothstep(LEFT, RIGHT, x) +
      0.22 * swell.get(x, y) * (gash(x, y) < 0 && x > WOUND.x + depth(x, y) * BACK.x ? 1 : 0.35)) *
    (gash(x, y) < 0 ? 1 : 0);
  lines.forEach((phase, i) => {
    plate.wash('#4a2418', engrave({ phase, spacing: 9, seed: 88 + i, jump: 4, darkness: tone }), 0.8);
  });
  const crust = field((x, y) => (gash(x, y) > 0 ? here.get(x, y) : 0)).blur(1);
  const lumps = field((x, y) => {
    const [u, v] = skew(x, y);
    const cell = cellAt(u / 34 + 0.6 * noise.at(u / 40, v / 40), v / 46, 91, 1);
    return (
      crust.get(x, y) *
      (13 * Math.sqrt(clamp((cell.second - cell.near) / 0.5)) + 22 * Math.sqrt(clamp(gash(x, y))))
    );
  }).blur(1);
  const relief = reliefOf(lumps, crust);
  const dark = crust.map((v, x, y) => (v > 0.05 ? darknessOf(relief, x, y) : 0));
  plate.paint('#8c322b', crust);
  plate.wash('#2a0a08', (x, y) => dark.get(x, y) * crust.get(x, y), 0.6);
  const phase = lumps.map((z, x, y) => (y * 1.1 + x * 0.35 + z * 0.8) / 6);
  plate.wash(
    '#150605',
    engrave({
      phase,
      spacing: 6,
      seed: 92,
      jump: 4,
      darkness: (x, y) => crust.get(x, y) * (0.03 + 0.74 * dark.get(x, y)),
    }),
    0.92,
  );
}

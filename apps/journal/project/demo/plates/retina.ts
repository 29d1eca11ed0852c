import { type Branch, branchesOf, coloniseInTwo, type TreeNode, thicken } from './branching.ts';
import { engrave } from './engrave.ts';
import { clamp, mix, type Point, points, resample, smoothCurve, smoothstep, type Vec3 } from './geometry.ts';
import { type VesselColours, vessel } from './ink.ts';
import { caption, leader } from './lettering.ts';
import { HEIGHT, type Plate, WIDTH } from './plate.ts';
import { createNoise, createRandom } from './random.ts';
import { Raster } from './raster.ts';

const CENTRE: Point = { x: 640, y: 790 };
const RADIUS = 545;
const DISC: Point = { x: 838, y: 776 };
const DISC_R = 74;
const MACULA: Point = { x: 498, y: 806 };

const VEIN: VesselColours = { edge: '#1e0806', body: '#5e1512', shade: '#2f0a08', light: '#a5483a' };
const ARTERY: VesselColours = { edge: '#3a0f0a', body: '#b3402f', shade: '#6f1d15', light: '#f6b58c' };

/** The great arcades: around the macula on one side, straight out on the other. */
const ARTERIES = [
  '838,780 832,764 810,690 752,590 660,508 540,462 420,470 300,540 240,620',
  '838,782 838,792 824,870 772,970 680,1062 560,1112 430,1100 310,1030 250,960',
  '838,780 846,764 890,690 960,610 1040,560',
  '838,782 848,790 906,860 980,950 1050,1040',
];
const VEINS = [
  '840,780 842,760 836,680 800,576 716,474 596,408 460,398 340,440 250,520',
  '840,782 846,796 852,880 818,990 736,1100 620,1168 490,1176 370,1130 280,1060',
  '841,780 852,770 920,700 1010,650 1110,620',
  '841,781 852,784 930,826 1020,880 1100,900',
];

/** Tab. III: the back of the eye as the ophthalmoscope lights it, alone in the dark. */
export async function drawRetina(plate: Plate): Promise<void> {
  plate.layNight('#0d0a09', '#5a2a1a', 51);
  const inside = Raster.from(WIDTH, HEIGHT, (x, y) =>
    clamp(RADIUS - Math.hypot(x - CENTRE.x, y - CENTRE.y) + 0.5),
  );
  plate.glow(
    '#a4401e',
    (x, y) => (inside.get(x, y) > 0 ? 0 : Math.exp((RADIUS - Math.hypot(x - CENTRE.x, y - CENTRE.y)) / 60)),
    0.16,
  );
  fundus(plate, inside);
  fibres(plate, inside);
  disc(plate);
  await vessels(plate, inside);
  rim(plate, inside);
  await plate.draw(letters());
}

function far(x: number, y: number): number {
  return Math.hypot(x - CENTRE.x, y - CENTRE.y) / RADIUS;
}

/** The ground: ochre light from the disc's side, clouds of choroid, the dark yellow spot. */
function fundus(plate: Plate, inside: Raster): void {
  const noise = createNoise(61);
  plate.paint('#2a0d07', inside);
  plate.glow(
    '#c9601f',
    (x, y) => inside.get(x, y) * (0.86 - 0.6 * far(x, y) ** 2.2 + 0.1 * noise.fractal(x / 120, y / 120, 4)),
    0.82,
  );
  plate.glow(
    '#f2b04a',
    (x, y) => inside.get(x, y) * smoothstep(520, 60, Math.hypot(x - DISC.x + 70, y - DISC.y)) ** 2,
    0.4,
  );
  plate.wash(
    '#5a160b',
    (x, y) => {
      const warp = noise.fractal(x / 90, y / 90, 2) * 1.4;
      const web =
        Math.abs(noise.at(x / 46 + warp, y / 46 - warp)) + 0.5 * Math.abs(noise.at(x / 21 + warp, y / 21));
      return inside.get(x, y) * smoothstep(0.3, 0.02, web) * (0.2 + 0.5 * far(x, y) ** 2);
    },
    0.55,
  );
  plate.wash(
    '#3b0c06',
    (x, y) => inside.get(x, y) * smoothstep(210, 12, Math.hypot((x - MACULA.x) * 0.92, y - MACULA.y)) ** 1.4,
    0.66,
  );
  plate.wash('#1c0503', (x, y) => smoothstep(44, 2, Math.hypot(x - MACULA.x, y - MACULA.y)), 0.5);
  plate.glow('#ffd890', (x, y) => smoothstep(7, 1, Math.hypot(x - MACULA.x + 5, y - MACULA.y + 6)), 0.65);
}

/** Nerve fibres: they leave the disc all round and arch about the macula; engraved as light. */
function fibres(plate: Plate, inside: Raster): void {
  const stream = Raster.from(WIDTH, HEIGHT, (x, y) => {
    const toDisc = Math.atan2(y - DISC.y, x - DISC.x);
    const toMacula = Math.atan2(y - MACULA.y, x - MACULA.x);
    const side = y < (DISC.y + MACULA.y) / 2 ? -1 : 1;
    const away = Math.min(Math.abs(toMacula), Math.PI - 0.001);
    return 34 * (side * Math.abs(toDisc) * 1.15 - side * away * 0.62);
  });
  const lit = (x: number, y: number): number => {
    const d = Math.hypot(x - DISC.x, y - DISC.y);
    const m = Math.hypot(x - MACULA.x, y - MACULA.y);
    return (
      inside.get(x, y) *
      (0.5 * smoothstep(480, 90, d) + 0.1) *
      smoothstep(60, 190, m) *
      smoothstep(1, 0.8, far(x, y))
    );
  };
  plate.glow(
    '#ffd9a0',
    engrave({ phase: stream, spacing: 7, seed: 62, jump: 3, tremble: 0.2, darkness: lit }),
    0.3,
  );
  const ring = Raster.from(WIDTH, HEIGHT, (x, y) => Math.hypot(x - CENTRE.x, y - CENTRE.y) / 7);
  const edge = (x: number, y: number): number =>
    inside.get(x, y) *
    clamp(
      smoothstep(0.72, 1.02, far(x, y) + 0.06 * ((x - CENTRE.x) / RADIUS + (y - CENTRE.y) / RADIUS)) * 0.95,
    );
  plate.wash('#140503', engrave({ phase: ring, spacing: 7, seed: 63, darkness: edge }), 0.9);
}

function grow(courses: readonly string[], seed: number, count: number): TreeNode[] {
  const random = createRandom(seed);
  const noise = createNoise(seed);
  const trunk: { at: Vec3; parent: number }[] = [];
  for (const course of courses) {
    resample(smoothCurve(points(course), 16), 6).forEach((p, i) => {
      const [dx, dy] = [noise.at(p.x / 60, p.y / 60) * 9, noise.at(p.y / 60, p.x / 60) * 9];
      const k = Math.min(1, i / 14);
      trunk.push({ at: [p.x + dx * k, p.y + dy * k, 0], parent: i === 0 ? -1 : trunk.length - 1 });
    });
  }
  const attractors: Vec3[] = [];
  while (attractors.length < count) {
    const [x, y] = [random.between(90, 1190), random.between(240, 1340)];
    const m = Math.hypot(x - MACULA.x, y - MACULA.y);
    if (far(x, y) > 0.985 || m < 62 || Math.hypot(x - DISC.x, y - DISC.y) < DISC_R + 12) continue;
    if (random.chance(smoothstep(40, 200, m) * 0.75 + 0.25)) attractors.push([x, y, 0]);
  }
  const settle = ([x, y]: Vec3): Vec3 => [
    x + 2.2 * noise.at(x / 17, y / 17, 3),
    y + 2.2 * noise.at(y / 17, x / 17, 9),
    0,
  ];
  const nodes = coloniseInTwo(
    { attractors, trunk, reach: 85, kill: 13, step: 6, settle },
    { thin: 16, reach: 240, kill: 40 },
  );
  thicken(nodes, 0.62, 2.1, 9);
  for (const node of nodes)
    node.radius *= 0.45 + 0.55 * smoothstep(0, 90, Math.hypot(node.at[0] - DISC.x, node.at[1] - DISC.y));
  return nodes;
}

function toVessel(branch: Branch, colours: VesselColours, scale: number): string {
  return vessel(
    branch.points.map(([x, y]) => ({ x, y })),
    branch.radius.map((r) => r * scale),
    colours,
    0.9,
  );
}

async function vessels(plate: Plate, inside: Raster): Promise<void> {
  const veins = branchesOf(grow(VEINS, 71, 1100), 5);
  const arteries = branchesOf(grow(ARTERIES, 72, 900), 5);
  const byRadius = (a: Branch, b: Branch): number => (a.radius[2] ?? 0) - (b.radius[2] ?? 0);
  const shadows = [...veins, ...arteries].filter((b) => (b.radius[2] ?? 0) > 2.4);
  const black: VesselColours = { edge: '#1a0604', body: '#1a0604', shade: '#1a0604', light: '#1a0604' };
  await plate.draw(
    `<g opacity="0.32" transform="translate(5 6)">${shadows.map((b) => toVessel(b, black, 1.1)).join('')}</g>`,
    inside,
  );
  await plate.draw(
    veins
      .sort(byRadius)
      .map((b) => toVessel(b, VEIN, 1.05))
      .join(''),
    inside,
  );
  await plate.draw(
    arteries
      .sort(byRadius)
      .map((b) => toVessel(b, ARTERY, 0.82))
      .join(''),
    inside,
  );
}

/** The head of the optic nerve: a lit, slightly oval disc with its cup. */
function disc(plate: Plate): void {
  const noise = createNoise(64);
  const d = (x: number, y: number): number =>
    Math.hypot((x - DISC.x) / 0.92, y - DISC.y) + 4 * noise.at(x / 24, y / 24);
  plate.glow('#ffcf7a', (x, y) => Math.exp(-((d(x, y) / 150) ** 2)), 0.5);
  plate.paint('#f3c88a', (x, y) => smoothstep(DISC_R + 3, DISC_R - 6, d(x, y)), 0.92);
  plate.glow('#fff3d6', (x, y) => smoothstep(40, 8, Math.hypot(x - DISC.x + 6, y - DISC.y + 2)), 0.8);
  plate.wash('#8a3d18', (x, y) => smoothstep(6, 0, Math.abs(d(x, y) - DISC_R)), 0.55);
  const rays = Raster.from(WIDTH, HEIGHT, (x, y) => Math.atan2(y - DISC.y, x - DISC.x) * 12);
  const dark = (x: number, y: number): number => {
    const r = d(x, y);
    const side = 0.5 + 0.5 * (((x - DISC.x) * 0.7 + (y - DISC.y) * 0.7) / DISC_R);
    return smoothstep(28, 70, r) * smoothstep(DISC_R, DISC_R - 4, r) * mix(0.15, 0.62, clamp(side));
  };
  plate.wash('#7a3516', engrave({ phase: rays, spacing: 5, seed: 65, jump: 9, darkness: dark }), 0.8);
}

function rim(plate: Plate, inside: Raster): void {
  plate.wash('#0a0302', (x, y) => inside.get(x, y) * smoothstep(0.86, 1, far(x, y)), 0.75);
  plate.glow(
    '#e0a25a',
    (x, y) => {
      const d = Math.abs(Math.hypot(x - CENTRE.x, y - CENTRE.y) - RADIUS - 2);
      const side = clamp(0.55 - (0.5 * ((x - CENTRE.x) * 0.7 + (y - CENTRE.y) * 0.7)) / RADIUS);
      return smoothstep(2, 0.4, d) * side;
    },
    0.6,
  );
  plate.glow(
    '#b98a52',
    (x, y) => {
      const angle = (Math.atan2(y - CENTRE.y, x - CENTRE.x) * 180) / Math.PI;
      const r = Math.hypot(x - CENTRE.x, y - CENTRE.y);
      const step = Math.abs(angle / 5 - Math.round(angle / 5)) * 5 * (Math.PI / 180) * r;
      const long = Math.round(angle / 5) % 6 === 0 ? 20 : 9;
      return r > RADIUS + 14 && r < RADIUS + 14 + long ? smoothstep(1.3, 0.4, step) : 0;
    },
    0.55,
  );
}

function letters(): string {
  const hand = { colour: '#d9bd8f', size: 15, opacity: 0.85 };
  const marks: readonly [string, Point, Point][] = [
    ['a', { x: 1120, y: 330 }, { x: 868, y: 722 }],
    ['b', { x: 150, y: 330 }, { x: 488, y: 796 }],
    ['c', { x: 170, y: 1290 }, { x: 436, y: 1102 }],
  ];
  return (
    caption('Retina', 'VI', hand.colour, 0.8) +
    marks.map(([letter, at, part]) => leader(letter, at, part, hand)).join('')
  );
}

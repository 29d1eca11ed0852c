import { type Branch, branchesOf, coloniseInTwo, type TreeNode, thicken } from './branching.ts';
import {
  clamp,
  mix,
  type Point,
  pickClamped,
  points,
  resample,
  smoothCurve,
  smoothstep,
  type Vec3,
} from './geometry.ts';
import { fill, line, number, pathOf, vessel } from './ink.ts';
import { caption, leader } from './lettering.ts';
import { HEIGHT, type Plate, WIDTH } from './plate.ts';
import { createNoise, createRandom, type Random } from './random.ts';
import { distanceWithin, maskOf, Raster } from './raster.ts';
import { windpipe } from './windpipe.ts';

const RIGHT =
  '452,300 372,346 296,460 232,620 186,800 160,980 150,1130 168,1190 250,1168 352,1120 452,1104 540,1120 566,1090 556,980 560,860 556,740 560,600 548,440 510,330';
const LEFT =
  '836,300 776,330 738,440 722,600 724,720 734,800 792,860 828,930 812,1010 770,1080 776,1126 850,1124 950,1150 1050,1196 1118,1204 1134,1130 1122,980 1096,800 1048,620 984,460 910,346';
/** The fissures between the lobes: no branch crosses them. */
const FISSURES = [
  '120,870 270,940 370,1000 480,1140',
  '150,730 330,760 450,770 610,756',
  '1140,724 1010,830 930,940 836,1156',
];

/** The main and segmental bronchi, each from the one before it that is nearest, with the depth it ends in. */
const BRONCHI: readonly (readonly [course: string, depth: number])[] = [
  ['640,560 640,580', 0],
  ['630,590 596,626 552,660 496,700', 0],
  ['482,720 452,790 420,880 372,990 310,1060', 20],
  ['540,660 492,606 456,536 440,460', 20],
  ['470,570 410,536 340,520', 60],
  ['486,606 500,540 510,450', -50],
  ['484,716 410,716 320,690 250,690', 50],
  ['474,740 400,800 300,820 236,850', -50],
  ['470,760 506,860 520,960', 40],
  ['400,930 330,940 246,900', 60],
  ['372,990 300,990 210,1030', -40],
  ['410,900 440,990 500,1060', 10],
  ['650,590 690,634 736,668 790,704', 0],
  ['806,716 868,790 920,890 960,990 1030,1120', 20],
  ['752,672 800,610 832,536 838,430', 20],
  ['812,580 880,556 946,580', 60],
  ['800,610 776,540 772,440', -50],
  ['800,712 880,716 980,700 1040,740', 50],
  ['840,750 800,790 770,790', 20],
  ['920,890 1000,890 1070,900', -50],
  ['950,970 1030,1000 1086,1040', 60],
  ['930,920 916,1030 930,1110', -30],
  ['868,790 856,880 840,970 806,1060', 40],
];

/** Tab. II: the bronchial tree, grown into the space of the two lungs, its last twigs flushed. */
export async function drawLungs(plate: Plate): Promise<void> {
  plate.layNight('#10141f', '#4a5f92', 31);
  const random = createRandom(2024);
  const outlines = [RIGHT, LEFT].map((text) => smoothCurve(points(text), 14, true));
  const mask = await maskOf(WIDTH, HEIGHT, outlines.map((o) => fill(pathOf(o, true), '#fff')).join(''));
  const inner = distanceWithin(mask);
  const split = await maskOf(
    WIDTH,
    HEIGHT,
    FISSURES.map((f) => line(pathOf(smoothCurve(points(f), 14)), '#fff', 15)).join(''),
  );
  pleura(plate, mask, inner, split);
  const nodes = growTree(inner, split, random);
  const branches = branchesOf(nodes).sort((a, b) => depthOf(a) - depthOf(b));
  const tips = tipsOf(nodes);
  const far = branches.filter((b) => depthOf(b) < -22);
  const near = branches.filter((b) => depthOf(b) >= -22);
  await plate.draw(
    far.map(drawBranch).join('') +
      tips
        .filter((t) => t[2] < -15)
        .map((t) => alveoli(t, random))
        .join(''),
  );
  plate.wash('#10141f', mask.blur(6), 0.16);
  await plate.draw(near.map(drawBranch).join(''));
  await plate.draw(
    tips
      .filter((t) => t[2] >= -15)
      .map((t) => alveoli(t, random))
      .join(''),
  );
  plate.glow('#c4757a', flush(tips), 0.3);
  await plate.draw(
    windpipe(),
    Raster.from(WIDTH, HEIGHT, (_, y) => smoothstep(96, 250, y)),
  );
  await plate.draw(letters());
}

function depthOf(branch: Branch): number {
  return branch.points.reduce((sum, p) => sum + p[2], 0) / branch.points.length + (branch.radius[0] ?? 0) * 2;
}

/** The skin of the lungs: contour lines that thin out inwards. */
function pleura(plate: Plate, mask: Raster, inner: Raster, split: Raster): void {
  plate.glow('#6d82b8', mask.blur(4), 0.1);
  const rings = inner.map((d, x, y) => {
    if (d <= 0) return 0;
    const side = clamp(0.75 + (0.5 * (inner.get(x + 4, y + 4) - inner.get(x - 4, y - 4))) / 8, 0.25, 1.2);
    const at = Math.sqrt(d) * 1.9;
    const gap = 0.95 / Math.sqrt(Math.max(d, 1));
    const near = Math.abs(at - Math.round(at));
    return clamp((0.1 * side + 0.02 - near) / gap + 0.5) * smoothstep(110, 4, d) * side;
  });
  plate.glow('#93a4cf', rings, 0.55);
  plate.glow(
    '#93a4cf',
    split.blur(2).map((v, x, y) => clamp(1 - Math.abs(v - 0.5) * 3.2) * smoothstep(1, 10, inner.get(x, y))),
    0.22,
  );
}

function growTree(inner: Raster, split: Raster, random: Random): TreeNode[] {
  const attractors: Vec3[] = [];
  while (attractors.length < 11000) {
    const [x, y] = [random.between(130, 1150), random.between(290, 1215)];
    const d = inner.get(x, y);
    if (d < 7 || split.get(x, y) > 0.4) continue;
    attractors.push([x, y, random.between(-1, 1) * Math.sqrt(d) * 13]);
  }
  const trunk: { at: Vec3; parent: number }[] = [];
  for (const [text, z] of BRONCHI) {
    const course = resample(smoothCurve(points(text), 14), 7);
    const start = pickClamped(course, 0);
    let parent = -1;
    let best = 1e9;
    trunk.forEach(({ at }, i) => {
      const d = Math.hypot(at[0] - start.x, at[1] - start.y);
      if (d < best) [best, parent] = [d, i];
    });
    const from = trunk[parent]?.at[2] ?? 0;
    course.forEach((p, i) => {
      const depth = mix(from, z, smoothstep(0, course.length - 1, i));
      trunk.push({ at: [p.x, p.y, depth], parent: i === 0 ? parent : trunk.length - 1 });
    });
  }
  const noise = createNoise(32);
  const settle = ([x, y, z]: Vec3): Vec3 | undefined => {
    if (split.get(x, y) > 0.75) return undefined;
    return [x + 2.6 * noise.at(x / 18, y / 18, z / 18), y + 2.6 * noise.at(y / 18, x / 18, 7 + z / 18), z];
  };
  const nodes = coloniseInTwo(
    { attractors, trunk, reach: 90, kill: 11, step: 6, settle, rounds: 300 },
    { thin: 24, reach: 230, kill: 34 },
  );
  thicken(nodes, 0.85, 2.2, 27);
  return nodes;
}

function tipsOf(nodes: readonly TreeNode[]): Vec3[] {
  const parents = new Set(nodes.map((n) => n.parent));
  return nodes.filter((_, i) => !parents.has(i)).map((n) => n.at);
}

/** Far twigs sink into the ground colour, near ones stand in the light. */
function tint(
  z: number,
  near: readonly [number, number, number],
  away: readonly [number, number, number],
): string {
  const t = smoothstep(-120, 70, z);
  const channel = (i: 0 | 1 | 2): string =>
    Math.round(mix(away[i], near[i], t))
      .toString(16)
      .padStart(2, '0');
  return `#${channel(0)}${channel(1)}${channel(2)}`;
}

function drawBranch(branch: Branch): string {
  const z = depthOf(branch);
  const curve = branch.points.map(([x, y]) => ({ x, y }));
  const colours = {
    edge: '#0b0e17',
    body: tint(z, [226, 213, 186], [62, 76, 118]),
    shade: tint(z, [110, 99, 96], [30, 38, 62]),
    light: tint(z, [255, 250, 236], [92, 106, 148]),
  };
  return vessel(curve, branch.radius, colours, 1.5) + rings(curve, branch.radius);
}

/** Cartilage: fine arcs across the thick bronchi, on their shaded side. */
function rings(curve: readonly Point[], radius: readonly number[]): string {
  const out: string[] = [];
  for (let i = 1; i + 1 < curve.length; i += 1) {
    const r = radius[i] ?? 0;
    if (r < 4) continue;
    const [a, b] = [pickClamped(curve, i - 1), pickClamped(curve, i + 1)];
    const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
    const [tx, ty] = [(b.x - a.x) / length, (b.y - a.y) / length];
    const p = pickClamped(curve, i);
    const bow = r * 0.34;
    const arc = [-1, -0.5, 0, 0.5, 1].map((s) => ({
      x: p.x - ty * r * s + tx * bow * (1 - s * s),
      y: p.y + tx * r * s + ty * bow * (1 - s * s),
    }));
    out.push(line(pathOf(smoothCurve(arc, 4)), '#2b2730', Math.min(1.5, 0.5 + r * 0.06), 0.62));
  }
  return out.join('');
}

/** A little bunch of sacs at the end of a twig. */
function alveoli([x, y, z]: Vec3, random: Random): string {
  const near = smoothstep(-90, 60, z);
  const count = 3 + Math.floor(random.next() * 4);
  const colour = tint(z, [214, 128, 128], [74, 62, 98]);
  const out: string[] = [];
  for (let i = 0; i < count; i++) {
    const angle = random.between(0, 6.283);
    const away = random.between(1, 4.6);
    const r = random.between(0.9, 2.1) * (0.7 + 0.4 * near);
    const [cx, cy] = [x + Math.cos(angle) * away, y + Math.sin(angle) * away];
    out.push(
      `<circle cx="${number(cx)}" cy="${number(cy)}" r="${number(r)}" fill="${colour}" fill-opacity="0.9"/>`,
    );
    if (near > 0.75)
      out.push(
        `<circle cx="${number(cx - r * 0.3)}" cy="${number(cy - r * 0.35)}" r="${number(r * 0.36)}" fill="#f7d9cf" fill-opacity="0.8"/>`,
      );
  }
  return out.join('');
}

function flush(tips: readonly Vec3[]): Raster {
  const raw = new Raster(WIDTH, HEIGHT);
  for (const [x, y] of tips) raw.data[Math.round(y) * WIDTH + Math.round(x)] = 60;
  return raw.blur(12).map((v) => clamp(v));
}

function letters(): string {
  const hand = { colour: '#d8ccb2', size: 15, opacity: 0.85 };
  const marks: readonly [string, Point, Point][] = [
    ['a', { x: 860, y: 190 }, { x: 684, y: 232 }],
    ['b', { x: 1180, y: 520 }, { x: 1000, y: 560 }],
    ['c', { x: 92, y: 620 }, { x: 250, y: 650 }],
    ['d', { x: 640, y: 960 }, { x: 470, y: 770 }],
    ['e', { x: 92, y: 1290 }, { x: 190, y: 1150 }],
  ];
  return (
    caption('Pulmones', 'VII', hand.colour, 0.8) +
    marks.map(([letter, at, part]) => leader(letter, at, part, hand)).join('')
  );
}

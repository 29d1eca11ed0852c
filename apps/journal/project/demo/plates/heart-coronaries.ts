import { branchesOf, coloniseInTwo, thicken } from './branching.ts';
import { stipple } from './engrave.ts';
import { engraveRelief } from './engrave-relief.ts';
import { clamp, type Point, points, resample, smoothCurve, type Vec3 } from './geometry.ts';
import { enlarged, greatVessels, heartMuscle, MUSCLE } from './heart-form.ts';
import { radii, type VesselColours, vessel } from './ink.ts';
import { caption, leader } from './lettering.ts';
import { HEIGHT, OCHRE, OXBLOOD, type Plate, WIDTH } from './plate.ts';
import { createNoise, createRandom } from './random.ts';
import { Raster } from './raster.ts';
import { type Relief, sculpt } from './sculpt.ts';

const ARTERY: VesselColours = { edge: '#3d100e', body: OXBLOOD, shade: '#5c1815', light: '#dd9484' };

/** The courses of the great coronary branches over the front, in pixels of the plate; each with its radius from and to. */
const COURSES: readonly { path: string; from: number; to: number }[] = [
  { path: '640,690 668,742 690,790 706,850 728,920 752,1000 776,1080 796,1150 800,1196', from: 9.5, to: 2.6 },
  { path: '640,700 600,708 560,712 520,720 476,742 446,790 430,850 428,920 436,972', from: 9.5, to: 4 },
  { path: '640,716 690,712 730,716 790,726 842,752 884,800', from: 7.5, to: 2.4 },
  { path: '430,876 470,950 530,1030 600,1094 664,1140', from: 5.2, to: 1.8 },
  { path: '706,850 760,880 810,930 846,1000 858,1060', from: 5.4, to: 1.6 },
  { path: '740,955 780,990 812,1044 830,1104', from: 4.4, to: 1.5 },
  { path: '800,730 850,800 884,880 896,960', from: 4.6, to: 1.5 },
  { path: '470,746 500,800 560,850 616,880', from: 4.2, to: 1.4 },
];

/** Tab. I: the heart from the front, engraved, with its coronary tree in oxblood. */
export async function drawHeart(plate: Plate): Promise<void> {
  plate.layPaper('#f0e5cf', 21);
  const muscle = heartMuscle();
  const solids = [muscle, ...greatVessels()];
  const relief = sculpt(WIDTH, HEIGHT, solids);
  const muscleOnly = relief.id.map((id) => (id === MUSCLE ? 1 : 0));
  plate.wash('#b98a72', muscleOnly.blur(2), 0.34);
  engraveRelief(plate, { relief, solids, seed: 5 });
  await drawCoronaries(plate, relief);
  await plate.draw(letters());
}

async function drawCoronaries(plate: Plate, relief: Relief): Promise<void> {
  const random = createRandom(77);
  const onMuscle = (x: number, y: number): boolean =>
    relief.id.get(x, y) === MUSCLE && relief.nz.get(x, y) > 0.16;
  const lift = (x: number, y: number): Vec3 => [x, y, relief.depth.get(x, y)];
  const trunk: { at: Vec3; parent: number }[] = [];
  const courses = COURSES.map((course) => ({
    ...course,
    curve: resample(
      smoothCurve(
        points(course.path).map((p) => enlarged(p.x, p.y)),
        16,
      ),
      6,
    ),
  }));
  for (const { curve } of courses) {
    curve.forEach((p, i) => {
      trunk.push({ at: lift(p.x, p.y), parent: i === 0 ? -1 : trunk.length - 1 });
    });
  }
  const attractors: Vec3[] = [];
  for (let i = 0; i < 30000 && attractors.length < 1700; i++) {
    const [x, y] = [random.between(120, 1180), random.between(600, 1330)];
    if (onMuscle(x, y) && random.chance(0.25 + 0.75 * (1 - relief.nz.get(x, y)))) attractors.push(lift(x, y));
  }
  const noise = createNoise(78);
  const settle = ([x0, y0]: Vec3): Vec3 | undefined => {
    const [x, y] = [x0 + 3.4 * noise.at(x0 / 16, y0 / 16), y0 + 3.4 * noise.at(y0 / 16, x0 / 16, 4)];
    return onMuscle(x, y) ? lift(x, y) : undefined;
  };
  const nodes = coloniseInTwo(
    { attractors, trunk, reach: 90, kill: 11, step: 5, settle },
    { thin: 9, reach: 200, kill: 36 },
  );
  thicken(nodes, 1, 2.4, 4);
  const small = nodes.map((n, i) => (i < trunk.length ? { ...n, radius: 0.9, parent: n.parent } : n));
  const flat = (at: readonly Vec3[]): Point[] => at.map(([x, y]) => ({ x, y }));
  const twigs = branchesOf(small, 5).filter((b) => b.points.length < 90);
  const shadowed = courses.map(({ curve, from, to }) =>
    vessel(
      curve.map((p) => ({ x: p.x + 5, y: p.y + 6 })),
      radii(curve.length, from + 1, to),
      { edge: '#2a1712', body: '#2a1712', shade: '#2a1712', light: '#2a1712' },
    ),
  );
  const muscle = relief.id.map((id) => (id === MUSCLE ? 1 : 0));
  await plate.draw(`<g opacity="0.4">${shadowed.join('')}</g>`, muscle);
  plate.wash(
    OCHRE,
    fat(
      relief,
      courses.map((c) => c.curve),
    ),
    0.8,
  );
  await plate.draw(twigs.map((b) => vessel(flat(b.points), b.radius, ARTERY, 0.7)).join(''), muscle);
  await plate.draw(
    [...courses]
      .reverse()
      .map(({ curve, from, to }) => vessel(curve, radii(curve.length, from, to, 0.8), ARTERY))
      .join(''),
    muscle,
  );
}

/** The fat that the great branches are bedded in: ochre dots beside them. */
function fat(relief: Relief, curves: readonly (readonly Point[])[]): Raster {
  const near = new Raster(WIDTH, HEIGHT);
  for (const p of curves.slice(0, 3).flat()) {
    if (relief.id.get(p.x, p.y) === MUSCLE) near.data[Math.round(p.y) * WIDTH + Math.round(p.x)] = 40;
  }
  const soft = near.blur(9);
  return stipple({
    width: WIDTH,
    height: HEIGHT,
    spacing: 5.5,
    seed: 9,
    darkness: (x, y) => (relief.id.get(x, y) === MUSCLE ? clamp(soft.get(x, y) * 2) * 0.7 : 0),
  });
}

function letters(): string {
  const hand = { colour: '#3b2c22', size: 15, opacity: 0.9 };
  const marks: readonly [string, Point, Point][] = [
    ['a', { x: 206, y: 330 }, enlarged(400, 420)],
    ['b', { x: 990, y: 262 }, enlarged(716, 408)],
    ['c', { x: 1140, y: 600 }, enlarged(880, 492)],
    ['d', { x: 118, y: 900 }, enlarged(430, 870)],
    ['e', { x: 1150, y: 1090 }, enlarged(762, 1030)],
    ['f', { x: 1160, y: 900 }, enlarged(866, 776)],
  ];
  return (
    caption('Cor', 'VIII', hand.colour) +
    marks.map(([letter, at, part]) => leader(letter, at, part, hand)).join('')
  );
}

import type { Formed } from './engrave-relief.ts';
import { catmull, clamp, type Point, pickClamped, type Vec3 } from './geometry.ts';
import { createNoise } from './random.ts';
import { ellipsoid, smoothUnion, taperedCapsule } from './sculpt.ts';

/** The form is drawn small and printed larger, about the middle of the sheet. */
export const SCALE = 1.13;

export function enlarged(x: number, y: number): Point {
  return { x: 640 + (x - 640) * SCALE, y: 790 + (y - 790) * SCALE };
}

function enlarge(solid: Formed): Formed {
  const centre = enlarged(solid.centre[0], solid.centre[1]);
  const at = (f: (x: number, y: number, z: number) => number) => (x: number, y: number, z: number) =>
    f(640 + (x - 640) / SCALE, 790 + (y - 790) / SCALE, z / SCALE);
  const near = at(solid.distance);
  return {
    id: solid.id,
    centre: [centre.x, centre.y, solid.centre[2] * SCALE],
    radius: solid.radius * SCALE,
    distance: (x, y, z) => near(x, y, z) * SCALE,
    phase: at(solid.phase),
  };
}

export const MUSCLE = 1;

const OX = 622;
const OY = 838;

function place([x, y, z]: Vec3): Vec3 {
  return [OX + x, OY + y, z];
}

/** The ventricles and auricles: the body that the coronaries lie on. */
export function heartMuscle(): Formed {
  const noise = createNoise(11);
  const cone = taperedCapsule(place([40, -40, 0]), place([172, 300, 20]), 232, 92);
  const right = ellipsoid(place([-62, 78, 96]), [232, 236, 150], 0.42);
  const left = ellipsoid(place([122, 60, 30]), [186, 300, 192], -0.32);
  const atrium = ellipsoid(place([-226, -118, 16]), [134, 172, 134], 0.12);
  const auricle = ellipsoid(place([-128, -206, 128]), [118, 62, 62], -0.28);
  const leftAuricle = ellipsoid(place([214, -176, 34]), [92, 58, 66], 0.5);
  const distance = (x: number, y: number, z: number): number => {
    let body = smoothUnion(cone(x, y, z), left(x, y, z), 60);
    body = smoothUnion(body, right(x, y, z), 26);
    body = smoothUnion(body, atrium(x, y, z), 16);
    const crimp = 5 * Math.sin(x / 11 + y / 23) + 4 * noise.at(x / 30, y / 30, z / 30);
    body = smoothUnion(body, Math.min(auricle(x, y, z), leftAuricle(x, y, z)) + crimp, 9);
    return (body + 4.2 * noise.at(x / 70, y / 70, z / 70) + 1.4 * noise.at(x / 22, y / 22, z / 22)) * 0.9;
  };
  const phase = (x: number, y: number, z: number): number =>
    ((x - OX) * 0.36 + (y - OY) * 0.86 + z * 0.62 + 26 * noise.at(x / 150, y / 150)) / 7.4;
  return enlarge({ id: MUSCLE, centre: place([0, 40, 20]), radius: 560, distance, phase });
}

interface Tube {
  id: number;
  /** x, y, z, radius of the points it passes. */
  path: readonly (readonly [number, number, number, number])[];
  /** Cut open at its far end, along a plane that faces the reader. */
  cut?: Vec3;
}

function tube({ id, path, cut }: Tube): Formed {
  const spans = 5;
  const knots: { at: Vec3; r: number }[] = [];
  for (let i = 0; i + 1 < path.length; i++) {
    const four = [i - 1, i, i + 1, i + 2].map((k) => pickClamped(path, k));
    for (let s = 0; s < spans; s++) {
      const v = (c: 0 | 1 | 2 | 3): number =>
        catmull(four[0]?.[c] ?? 0, four[1]?.[c] ?? 0, four[2]?.[c] ?? 0, four[3]?.[c] ?? 0, s / spans);
      knots.push({ at: place([v(0), v(1), v(2)]), r: v(3) });
    }
  }
  const end = pickClamped(path, path.length - 1);
  knots.push({ at: place([end[0], end[1], end[2]]), r: end[3] });
  const pieces = knots.slice(1).map((k, i) => {
    const before = pickClamped(knots, i);
    return { a: before.at, b: k.at, d: taperedCapsule(before.at, k.at, before.r, k.r) };
  });
  const tip = place([end[0], end[1], end[2]]);
  const centre = pickClamped(knots, Math.floor(knots.length / 2)).at;
  const radius =
    Math.max(
      ...knots.map((k) => Math.hypot(k.at[0] - centre[0], k.at[1] - centre[1], k.at[2] - centre[2]) + k.r),
    ) + 4;
  const distance = (x: number, y: number, z: number): number => {
    let d = 1e9;
    for (const piece of pieces) d = Math.min(d, piece.d(x, y, z));
    if (!cut) return d;
    const lumen = -(d + Math.min(9, end[3] * 0.24));
    const beyond = (x - tip[0]) * cut[0] + (y - tip[1]) * cut[1] + (z - tip[2]) * cut[2];
    return Math.max(d, lumen, beyond);
  };
  const phase = (x: number, y: number, z: number): number => {
    const nearest = Math.min(...pieces.map(({ d }) => d(x, y, z)));
    let along = 0;
    let weights = 0;
    let run = 0;
    for (const { a, b, d } of pieces) {
      const length = Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
      const weight = Math.exp((nearest - d(x, y, z)) / 7);
      const t =
        ((x - a[0]) * (b[0] - a[0]) + (y - a[1]) * (b[1] - a[1]) + (z - a[2]) * (b[2] - a[2])) / length ** 2;
      along += weight * (run + clamp(t, -1.5, 2.5) * length + (z - a[2] - (b[2] - a[2]) * clamp(t)) * 0.5);
      weights += weight;
      run += length;
    }
    return along / weights / 7.4;
  };
  return enlarge({ id, centre, radius, distance, phase });
}

/** The great vessels, those that are drawn as arteries first. */
export function greatVessels(): Formed[] {
  const up: Vec3 = [0.05, -0.78, 0.62];
  return [
    tube({
      id: 2,
      path: [
        [-8, -120, 60, 80],
        [-44, -236, 66, 76],
        [-40, -352, 40, 74],
        [34, -438, -6, 70],
        [132, -438, -70, 64],
        [192, -356, -130, 58],
        [206, -240, -160, 54],
      ],
    }),
    tube({
      id: 3,
      path: [
        [-34, -400, 20, 36],
        [-62, -490, 12, 31],
        [-92, -590, 20, 29],
      ],
      cut: up,
    }),
    tube({
      id: 4,
      path: [
        [36, -450, -10, 28],
        [38, -530, -14, 24],
        [30, -622, -6, 23],
      ],
      cut: up,
    }),
    tube({
      id: 5,
      path: [
        [110, -450, -60, 32],
        [128, -530, -56, 26],
        [148, -606, -46, 25],
      ],
      cut: up,
    }),
    tube({
      id: 6,
      path: [
        [10, 40, 66, 90],
        [44, -130, 150, 84],
        [88, -252, 148, 74],
        [176, -322, 80, 66],
        [290, -350, 30, 56],
        [344, -366, 24, 52],
      ],
      cut: [0.72, -0.3, 0.62],
    }),
    tube({
      id: 7,
      path: [
        [-206, -150, 20, 62],
        [-206, -280, 22, 58],
        [-196, -400, 14, 55],
        [-190, -500, 16, 55],
      ],
      cut: up,
    }),
    tube({
      id: 8,
      path: [
        [-196, 0, -40, 70],
        [-206, 130, -60, 64],
        [-214, 262, -40, 60],
      ],
      cut: [-0.05, 0.72, 0.6],
    }),
    tube({
      id: 9,
      path: [
        [180, -110, -50, 40],
        [290, -132, -60, 36],
        [372, -152, -50, 35],
      ],
      cut: [0.7, -0.1, 0.7],
    }),
    tube({
      id: 10,
      path: [
        [180, -40, -60, 38],
        [300, -48, -80, 34],
        [384, -44, -70, 33],
      ],
      cut: [0.7, 0.05, 0.7],
    }),
    tube({
      id: 11,
      path: [
        [-250, -100, -60, 36],
        [-340, -150, -80, 33],
        [-402, -170, -70, 32],
      ],
      cut: [-0.7, -0.1, 0.7],
    }),
    tube({
      id: 12,
      path: [
        [-250, -50, -60, 36],
        [-346, -66, -80, 33],
        [-414, -64, -70, 32],
      ],
      cut: [-0.7, 0.05, 0.7],
    }),
  ];
}

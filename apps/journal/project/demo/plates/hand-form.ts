import type { Formed } from './engrave-relief.ts';
import { clamp, type Vec3 } from './geometry.ts';
import { createNoise } from './random.ts';
import { ellipsoid, smoothUnion, taperedCapsule } from './sculpt.ts';

interface LongBone {
  id: number;
  from: Vec3;
  to: Vec3;
  /** Radii of base, shaft and head. */
  base: number;
  shaft: number;
  head: number;
  /** A last phalanx ends in a flat tuft. */
  tuft?: boolean;
}

const noise = createNoise(41);

function between(a: Vec3, b: Vec3, t: number, side = 0, lift = 0): Vec3 {
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
  const [nx, ny] = [-(b[1] - a[1]) / length, (b[0] - a[0]) / length];
  return [
    a[0] + (b[0] - a[0]) * t + nx * side,
    a[1] + (b[1] - a[1]) * t + ny * side,
    a[2] + (b[2] - a[2]) * t + lift,
  ];
}

/** Base, waisted and slightly bowed shaft, and a head of two condyles with a groove between them. */
export function longBone(bone: LongBone): Formed {
  const { from, to, base, shaft, head } = bone;
  const length = Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
  const middle = between(from, to, 0.5, 0, length * 0.035);
  const inset = (r: number): number => r / length;
  const foot = [-1, 1].map((s) => {
    const c = between(from, to, inset(base) * 0.72, s * base * 0.42);
    return ellipsoid(c, [base * 0.78, base * 0.74, base * 0.8]);
  });
  const tip = [-1, 1].map((s) => {
    const c = between(
      from,
      to,
      1 - inset(head) * (bone.tuft ? 0.5 : 0.86),
      s * head * (bone.tuft ? 0.4 : 0.5),
    );
    return ellipsoid(
      c,
      bone.tuft ? [head * 0.72, head * 0.86, head * 0.45] : [head * 0.66, head * 0.86, head * 0.86],
    );
  });
  const lower = taperedCapsule(between(from, to, inset(base) * 0.8), middle, base * 0.82, shaft);
  const upper = taperedCapsule(middle, between(from, to, 1 - inset(head)), shaft, head * 0.78);
  const distance = (x: number, y: number, z: number): number => {
    let d = smoothUnion(lower(x, y, z), upper(x, y, z), shaft * 0.9);
    for (const part of foot) d = smoothUnion(d, part(x, y, z), base * 0.34);
    let ends = 1e9;
    for (const part of tip) ends = smoothUnion(ends, part(x, y, z), head * 0.16);
    d = smoothUnion(d, ends, head * 0.4);
    return (d + 1.5 * noise.at(x / 26, y / 26, z / 26)) * 0.88;
  };
  const axis: Vec3 = [(to[0] - from[0]) / length, (to[1] - from[1]) / length, 0];
  const phase = (x: number, y: number, z: number): number => {
    const along = (x - from[0]) * axis[0] + (y - from[1]) * axis[1];
    const end = clamp(Math.abs(along / length - 0.5) * 2 - 0.5);
    return (along + (z - from[2]) * (0.55 + 0.4 * end)) / 6.6;
  };
  const radius = length / 2 + Math.max(base, head) * 1.5;
  return { id: bone.id, centre: between(from, to, 0.5), radius, distance, phase };
}

/** A carpal bone: a lump with facets. */
export function carpal(id: number, centre: Vec3, size: Vec3, turn: number): Formed {
  const body = ellipsoid(centre, size, turn);
  const knob = ellipsoid(
    [centre[0] + size[0] * 0.35, centre[1] - size[1] * 0.3, centre[2] + 4],
    [size[0] * 0.6, size[1] * 0.6, size[2]],
    turn,
  );
  const distance = (x: number, y: number, z: number): number =>
    (smoothUnion(body(x, y, z), knob(x, y, z), 10) +
      4 * noise.at(x / 22, y / 22, id * 3.1) +
      1.4 * noise.at(x / 9, y / 9, z / 9)) *
    0.8;
  const phase = (x: number, y: number, z: number): number =>
    (Math.cos(turn) * (y - centre[1]) - Math.sin(turn) * (x - centre[0]) + z * 0.8) / 6.6;
  return { id, centre, radius: Math.max(...size) * 1.5, distance, phase };
}

export interface Ray {
  /** Base of the metacarpal, then the joints, then the tip. */
  joints: readonly Vec3[];
  /** Stoutness, 1 for the middle finger. */
  stout: number;
}

export const RAYS: readonly Ray[] = [
  {
    stout: 1.02,
    joints: [
      [486, 1066, 22],
      [372, 922, 34],
      [288, 776, 30],
      [238, 668, 20],
    ],
  },
  {
    stout: 1,
    joints: [
      [556, 1012, 14],
      [494, 744, 28],
      [452, 548, 34],
      [430, 420, 26],
      [416, 326, 14],
    ],
  },
  {
    stout: 1.04,
    joints: [
      [620, 1000, 18],
      [602, 712, 32],
      [592, 496, 40],
      [588, 346, 30],
      [586, 242, 16],
    ],
  },
  {
    stout: 0.97,
    joints: [
      [682, 1010, 14],
      [706, 742, 28],
      [730, 540, 34],
      [748, 398, 26],
      [760, 300, 14],
    ],
  },
  {
    stout: 0.86,
    joints: [
      [736, 1034, 6],
      [800, 796, 18],
      [850, 640, 24],
      [880, 540, 18],
      [900, 458, 8],
    ],
  },
];

const STOUT = 1.2;

/** All the bones of a left hand seen from its back, with the ends of radius and ulna. */
export function handBones(): Formed[] {
  let id = 1;
  const bones: Formed[] = [];
  RAYS.forEach(({ joints, stout }, finger) => {
    const sizes =
      finger === 0
        ? [
            [31, 19, 29],
            [27, 15, 21],
            [21, 9, 15],
          ]
        : [
            [30, 16, 29],
            [27, 14.5, 21],
            [22, 11.5, 17],
            [17, 7.5, 12.5],
          ];
    sizes.forEach(([base = 20, shaft = 12, head = 16], i) => {
      const a = joints[i];
      const b = joints[i + 1];
      if (!a || !b) return;
      const from = between(a, b, i === 0 ? 0 : 0.02);
      bones.push(
        longBone({
          id: id++,
          from,
          to: between(a, b, 0.98),
          base: base * stout * STOUT,
          shaft: shaft * stout * STOUT,
          head: head * stout * STOUT,
          tuft: i === sizes.length - 1,
        }),
      );
    });
  });
  const carpals: readonly [Vec3, Vec3, number][] = [
    [[496, 1096, 22], [38, 34, 28], 0.5],
    [[556, 1064, 18], [32, 36, 28], 0.1],
    [[618, 1068, 20], [37, 58, 32], 0],
    [[686, 1074, 16], [42, 46, 30], -0.3],
    [[540, 1142, 16], [58, 36, 30], -0.5],
    [[618, 1158, 14], [42, 36, 32], 0.1],
    [[694, 1146, 8], [42, 32, 28], -0.5],
    [[742, 1122, -4], [22, 26, 22], 0],
  ];
  for (const [centre, size, turn] of carpals) bones.push(carpal(id++, centre, size, turn));
  bones.push(
    longBone({ id: id++, from: [566, 1650, -10], to: [574, 1198, 6], base: 40, shaft: 37, head: 76 }),
  );
  bones.push(
    longBone({ id: id++, from: [706, 1650, -20], to: [710, 1206, 0], base: 32, shaft: 27, head: 39 }),
  );
  return bones;
}

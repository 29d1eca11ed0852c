import { stipple } from './engrave.ts';
import { engraveRelief } from './engrave-relief.ts';
import {
  clamp,
  mix,
  type Point,
  pickClamped,
  points,
  resample,
  smoothCurve,
  smoothstep,
} from './geometry.ts';
import { handBones, RAYS, type Ray } from './hand-form.ts';
import { fill, line, pathOf, ribbon, taper } from './ink.ts';
import { caption, leader } from './lettering.ts';
import { HEIGHT, INDIGO, type Plate, WIDTH } from './plate.ts';
import { createNoise } from './random.ts';
import { Raster } from './raster.ts';
import { sculpt } from './sculpt.ts';

/** Tab. VII: the bones of the hand as an engraving, the extensor tendons in indigo. */
export async function drawHand(plate: Plate): Promise<void> {
  plate.layPaper('#f1e7d4', 71);
  const solids = handBones();
  const relief = sculpt(WIDTH, HEIGHT, solids);
  const flesh = await skin();
  const fadeOut = (_: number, y: number): number => smoothstep(1470, 1230, y);
  plate.wash('#c98f7c', (x, y) => flesh.get(x, y) * fadeOut(x, y), 0.16);
  const rim = flesh.blur(13);
  const dots = stipple({
    width: WIDTH,
    height: HEIGHT,
    spacing: 4.6,
    seed: 3,
    darkness: (x, y) => {
      const side = rim.get(x - 10, y - 10) > rim.get(x + 10, y + 10) ? 1 : 0.55;
      return flesh.get(x, y) > 0.4 ? clamp(smoothstep(0.98, 0.5, rim.get(x, y)) * 0.36 * side) : 0;
    },
  });
  plate.wash('#4a3a2e', (x, y) => dots.get(x, y) * fadeOut(x, y), 0.85);
  engraveRelief(plate, {
    relief,
    solids,
    seed: 15,
    spacing: 6.6,
    body: '#ead9b4',
    presence: fadeOut,
    tone: (dark) => dark * 0.9 + 0.02,
  });
  const fading = Raster.from(WIDTH, HEIGHT, fadeOut);
  await plate.draw(tendons(), fading);
  await plate.draw(letters());
}

/** The outline of the living hand around its bones. */
async function skin(): Promise<Raster> {
  const noise = createNoise(5);
  const widths = [
    [62, 56, 44, 30],
    [54, 50, 40, 28],
    [54, 50, 40, 28],
    [52, 48, 38, 27],
    [50, 42, 34, 24],
  ];
  const field = (x: number, y: number): number => {
    let near = 0;
    RAYS.forEach(({ joints }, finger) => {
      for (let i = 0; i + 1 < joints.length; i++) {
        const [a, b] = [joints[i] ?? [0, 0, 0], joints[i + 1] ?? [0, 0, 0]];
        const t = clamp(
          ((x - a[0]) * (b[0] - a[0]) + (y - a[1]) * (b[1] - a[1])) /
            ((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2),
        );
        const d = Math.hypot(x - a[0] - (b[0] - a[0]) * t, y - a[1] - (b[1] - a[1]) * t);
        const r = widths[finger]?.[i] ?? 30;
        near += Math.exp(-((d / r) ** 2) * 2.2);
      }
    });
    const arm = Math.hypot((x - 640) / 168, Math.max(0, 1090 - y) / 150);
    return near + Math.exp(-(arm ** 4) * 2.2) - 0.1 + 0.004 * noise.at(x / 30, y / 30);
  };
  const small = Raster.from(WIDTH / 2, HEIGHT / 2, (x, y) => field(x * 2, y * 2));
  return Raster.from(WIDTH, HEIGHT, (x, y) => clamp(0.5 + small.sample(x / 2, y / 2) * 24));
}

interface Band {
  curve: Point[];
  half: (t: number) => number;
}

/** A tendon: a translucent band, its fibres, a lit and a shaded edge. */
function drawBand({ curve, half }: Band): string {
  const out = [
    fill(
      ribbon(
        curve.map((p) => ({ x: p.x + 4, y: p.y + 6 })),
        half,
      ),
      '#2a2018',
      0.3,
    ),
    fill(
      ribbon(curve, (t) => half(t) + 0.9),
      '#1b2340',
    ),
    fill(ribbon(curve, half), '#c3cbdb'),
    fill(
      ribbon(curve, (t) => half(t) * 0.48, { x: 0.8, y: 0.6 }),
      '#4a5b92',
      0.85,
    ),
  ];
  for (let k = -3; k <= 3; k++) {
    const wave = createNoise(k + 90);
    const fibre = curve.map((p, i) => {
      const next = curve[Math.min(i + 1, curve.length - 1)] ?? p;
      const last = curve[Math.max(i - 1, 0)] ?? p;
      const length = Math.hypot(next.x - last.x, next.y - last.y) || 1;
      const side = half(i / curve.length) * (k / 3.8 + 0.09 * wave.at(i / 14, k));
      return { x: p.x + ((next.y - last.y) / length) * side, y: p.y - ((next.x - last.x) / length) * side };
    });
    out.push(line(pathOf(fibre), k === -2 ? '#f4f1e6' : INDIGO, k === -2 ? 1.8 : 0.8, k > 0 ? 0.95 : 0.6));
  }
  return out.join('');
}

function bandThrough(path: readonly Point[], half: (t: number) => number): Band {
  return { curve: resample(smoothCurve(path, 16), 4), half };
}

/** A finger's extensor: a hood over the knuckle, a middle slip, and two side bands that part around the next joint. */
function fingerTendon(joints: Ray['joints'], gate: Point): Band[] {
  const [base, knuckle, middle, last, tip] = joints.map(([x, y]) => ({ x, y }));
  if (!base || !knuckle || !middle || !last || !tip) return [];
  const along = (a: Point, b: Point, t: number, side = 0): Point => {
    const length = Math.hypot(b.x - a.x, b.y - a.y);
    return {
      x: mix(a.x, b.x, t) - ((b.y - a.y) / length) * side,
      y: mix(a.y, b.y, t) + ((b.x - a.x) / length) * side,
    };
  };
  const forearm = [{ x: mix(640, gate.x, 0.7), y: 1600 }, { x: mix(640, gate.x, 0.8), y: 1400 }, gate];
  const palm = [
    { x: mix(gate.x, base.x, 0.55), y: 1060 },
    along(base, knuckle, 0.5),
    along(knuckle, middle, 0.04),
  ];
  const hood = bandThrough(
    [...forearm, ...palm, along(knuckle, middle, 0.42)],
    (t) => 6.6 + 9 * smoothstep(0.8, 0.91, t) * smoothstep(1, 0.9, t),
  );
  const slip = bandThrough(
    [along(knuckle, middle, 0.36), along(knuckle, middle, 0.7), along(middle, last, 0.1)],
    (t) => 6.6 - 2.4 * t,
  );
  const sides = [-1, 1].map((s) =>
    bandThrough(
      [
        along(knuckle, middle, 0.36, s * 5),
        along(knuckle, middle, 0.66, s * 13),
        along(middle, last, 0.02, s * 20),
        along(middle, last, 0.42, s * 12),
        along(middle, last, 0.78, s * 3.5),
        along(last, tip, 0.16, s * 2),
      ],
      (t) => 4.4 - 1.2 * t,
    ),
  );
  return [...sides, slip, hood];
}

function tendons(): string {
  const wrist = [
    { x: 600, y: 1196 },
    { x: 630, y: 1200 },
    { x: 654, y: 1202 },
    { x: 684, y: 1204 },
  ];
  const bands = RAYS.slice(1).flatMap(({ joints }, i) => fingerTendon(joints, pickClamped(wrist, i)));
  const thumb = bandThrough(
    points('566,1600 556,1380 520,1200 452,1050 370,926 286,780 262,722'),
    (t) => 8 - 3 * t,
  );
  const links = [
    bandThrough(points('530,856 562,832 603,812'), () => 2.6),
    bandThrough(points('610,818 650,830 694,858'), () => 3),
    bandThrough(points('704,812 744,842 776,878'), () => 2.8),
  ];
  return [...links, ...bands, thumb].map(drawBand).join('') + retinaculum();
}

/** The strap that holds the tendons down at the wrist, its fibres drawn one by one. */
function retinaculum(): string {
  const out: string[] = [];
  for (let i = 0; i < 30; i++) {
    const noise = createNoise(300 + i);
    const y = 1196 + i * 3.1;
    const [from, to] = [466 + 14 * noise.at(0.5, i), 786 + 14 * noise.at(i, 0.5)];
    const strap = Array.from({ length: 30 }, (_, k) => {
      const t = k / 29;
      return {
        x: from + t * (to - from),
        y: y + 38 * t - 26 * Math.sin(Math.PI * t) + 3 * noise.at(t * 4, i),
      };
    });
    if (i % 2 === 0) out.push(taper(strap, 3.4, '#efe3c8', 0.82));
    out.push(
      taper(
        strap.map((p) => ({ x: p.x, y: p.y + 1.6 })),
        1.3,
        '#3a2c20',
        0.8,
      ),
    );
  }
  return out.join('');
}

function letters(): string {
  const hand = { colour: '#3b2c22', size: 15, opacity: 0.9 };
  const marks: readonly [string, Point, Point][] = [
    ['a', { x: 196, y: 470 }, { x: 438, y: 492 }],
    ['b', { x: 120, y: 900 }, { x: 316, y: 836 }],
    ['c', { x: 250, y: 1160 }, { x: 500, y: 1102 }],
    ['d', { x: 1010, y: 880 }, { x: 768, y: 900 }],
    ['e', { x: 1040, y: 600 }, { x: 853, y: 624 }],
    ['f', { x: 1000, y: 1240 }, { x: 764, y: 1232 }],
  ];
  return (
    caption('Manus', 'II', hand.colour) +
    marks.map(([letter, at, part]) => leader(letter, at, part, hand)).join('')
  );
}

import { engrave } from './engrave.ts';
import { clamp, mix, type Point, smoothCurve, smoothstep } from './geometry.ts';
import { fill, line, pathOf, ribbon, taper } from './ink.ts';
import { caption, leader } from './lettering.ts';
import { BONE, HEIGHT, type Plate, VERDIGRIS, WIDTH } from './plate.ts';
import { cellAt, createNoise } from './random.ts';
import { distanceWithin, maskOf, Raster } from './raster.ts';
import { LIGHT } from './sculpt.ts';
import { besideColumn, type Vertebra, vertebrae, within } from './spine-form.ts';

const smooth = (shape: readonly Point[]): string => pathOf(smoothCurve(shape, 8, true), true);

/** Tab. V: the column cut through the middle, its spongy bone laid open. */
export async function drawSpine(plate: Plate): Promise<void> {
  plate.layNight('#0b1614', VERDIGRIS, 91);
  const bones = vertebrae();
  await ligaments(plate);
  await cord(plate);
  await discs(plate, bones);
  await bodies(plate, bones);
  plate.wash(
    '#050b0a',
    (_, y) => 0.97 * (1 - smoothstep(0, 170, y) * smoothstep(HEIGHT - 120, HEIGHT - 300, y)),
  );
  await plate.draw(letters());
}

/** The long ligaments before and behind the bodies, and what lies between the processes. */
async function ligaments(plate: Plate): Promise<void> {
  const strands: string[] = [];
  for (let k = 0; k < 46; k++) {
    const noise = createNoise(500 + k);
    const front = k < 10;
    const base = front ? -126 - k * 1.8 : 232 + (k - 10) * 6.4;
    const path = besideColumn(
      (t) => base + 5 * noise.at(t * 9, k) + (front ? 0 : 10 * Math.sin(t * 44 + k * 0.08)),
    );
    strands.push(line(pathOf(path), k % 3 === 0 ? '#9fb3a2' : '#4f6d64', 0.9, front ? 0.55 : 0.34));
  }
  await plate.draw(strands.join(''));
}

/** The cord in its canal, its cone, and the horse's tail of roots below it: the one bright thing. */
async function cord(plate: Plate): Promise<void> {
  const canal = besideColumn(() => 190);
  const wall = (away: number): string => line(pathOf(besideColumn(() => away)), '#7d9488', 1.5, 0.8);
  const out = [
    fill(
      ribbon(canal, () => 48),
      '#08100e',
    ),
    wall(143),
    wall(146),
    wall(234),
    wall(237),
  ];
  const centre = (t: number): number => 188 + 4 * Math.sin(t * 12);
  const half = (t: number): number => 27 * (1 - smoothstep(0.5, 0.68, t)) + 1.5;
  for (let k = 0; k < 22; k++) {
    const noise = createNoise(720 + k);
    const side = (k / 21) * 2 - 1;
    const strand = besideColumn(
      (t) =>
        centre(t) +
        side * mix(half(t), 33, smoothstep(0.44, 0.7, t)) +
        5 * noise.at(t * 7, k) * smoothstep(0.4, 0.6, t),
    );
    const light = side < -0.1 ? '#e6bd6c' : side < 0.5 ? '#b98536' : '#7a5420';
    out.push(
      fill(
        ribbon(strand.slice(Math.round(strand.length * 0.36)), () => 2.1),
        '#2a1b06',
      ),
      fill(
        ribbon(strand.slice(Math.round(strand.length * 0.36)), () => 1.4),
        light,
      ),
    );
  }
  const core = besideColumn(centre);
  out.push(
    fill(
      ribbon(core, (t) => half(t) + 1.8),
      '#2a1b06',
    ),
    fill(ribbon(core, half), '#c8984a'),
    fill(
      ribbon(core, (t) => half(t) * 0.5, { x: 0.95, y: 0 }),
      '#7c5718',
      0.8,
    ),
    fill(
      ribbon(core, (t) => half(t) * 0.2, { x: -2.4, y: 0 }),
      '#f6e2ae',
      0.8,
    ),
  );
  out.push(coreHatching(core, half));
  await plate.draw(out.join(''));
}

/** Short arcs around the cord, on its shaded side. */
function coreHatching(core: readonly Point[], half: (t: number) => number): string {
  const out: string[] = [];
  for (let i = 0; i + 8 < core.length; i += 1) {
    const [p, w] = [core[i], half(i / core.length)];
    if (!p || w < 5) continue;
    const tick = [0.12, 0.4, 0.7, 0.98].map((s) => ({ x: p.x + w * s, y: p.y + 5 * (1 - s * s) }));
    out.push(
      fill(
        ribbon(tick, (t) => 0.2 + 0.95 * t),
        '#2a1b06',
        0.8,
      ),
    );
    if (i % 2 === 0)
      out.push(
        taper(
          [
            { x: p.x - w, y: p.y },
            { x: p.x - w * 0.86, y: p.y + 1.4 },
            { x: p.x - w * 0.7, y: p.y + 2.4 },
          ],
          1,
          '#2a1b06',
          0.7,
        ),
      );
  }
  return out.join('');
}

/** Discs: rings of fibre around a soft middle. */
async function discs(plate: Plate, bones: readonly Vertebra[]): Promise<void> {
  const shape = await maskOf(WIDTH, HEIGHT, bones.map((b) => fill(smooth(b.disc), '#fff')).join(''));
  const inner = distanceWithin(shape);
  const noise = createNoise(96);
  plate.paint('#2c4f48', shape);
  plate.glow('#8fb8a6', inner.map((d) => smoothstep(6, 26, d)).blur(5), 0.5);
  const phase = inner.map((d, x, y) => (d + 3 * noise.at(x / 40, y / 40)) / 5);
  const lit = (x: number, y: number): number =>
    shape.get(x, y) * (0.62 - 0.5 * smoothstep(10, 30, inner.get(x, y)));
  plate.wash('#06110f', engrave({ phase, spacing: 5, seed: 97, jump: 4, darkness: lit }), 0.85);
  const fans = Raster.from(WIDTH, HEIGHT, (x, y) => (x + 12 * noise.at(x / 50, y / 20)) / 9);
  plate.glow(
    '#cfe3d3',
    engrave({
      phase: fans,
      spacing: 9,
      seed: 98,
      darkness: (x, y) => shape.get(x, y) * 0.22 * smoothstep(6, 24, inner.get(x, y)),
    }),
    0.5,
  );
  await plate.draw(bones.map((b) => line(smooth(b.disc), '#0b1210', 1.6)).join(''));
}

/** Spongy bone: struts along the lines of load, closer under the end plates, with a second web deeper in. */
async function bodies(plate: Plate, bones: readonly Vertebra[]): Promise<void> {
  const shape = await maskOf(
    WIDTH,
    HEIGHT,
    bones.map((b) => fill(smooth(b.body) + smooth(b.process), '#fff')).join(''),
  );
  const inner = distanceWithin(shape);
  const noise = createNoise(99);
  const web = (x: number, y: number, size: number, seed: number): number => {
    const bend = 9 * noise.fractal(x / 60, y / 60, 2);
    const bone = bones.find((b) => Math.abs(within(b, x, y).x) < 1.2 && Math.abs(within(b, x, y).y) < 1.16);
    if (!bone) {
      // The processes are braced along their length, and closer.
      const fine = cellAt(
        (x * 0.9 + y * 0.3 + bend) / (size * 1.1),
        (y - x * 0.3 + bend) / (size * 0.72),
        seed,
        0.95,
      );
      return smoothstep(0.34, 0.06, fine.second - fine.near);
    }
    const at = within(bone, x, y);
    const [u, v] = [at.x * bone.half.x, at.y * bone.half.y];
    const flow = 1 - 0.34 * at.y * at.y;
    const cell = cellAt((u * flow + bend) / size, (v + bend * 0.5) / (size * 1.75), seed, 0.95);
    const thick = 0.2 + 0.24 * smoothstep(0.55, 1, Math.abs(at.y)) + 0.1 * noise.at(x / 70, y / 70, 3);
    return smoothstep(thick, thick * 0.15, cell.second - cell.near);
  };
  const near = Raster.from(WIDTH, HEIGHT, (x, y) =>
    inner.get(x, y) > 0 ? Math.max(web(x, y, 17, 5), smoothstep(9, 4, inner.get(x, y))) : 0,
  );
  const deep = Raster.from(WIDTH, HEIGHT, (x, y) => (inner.get(x, y) > 0 ? web(x + 6, y + 7, 12, 8) : 0));
  plate.paint('#1d0d0a', shape);
  plate.glow('#8c2f2b', (x, y) => shape.get(x, y) * (0.35 + 0.3 * noise.fractal(x / 80, y / 80, 3)), 0.5);
  plate.paint('#7a4f3c', deep, 0.75);
  plate.wash('#000000', near.map((_, x, y) => near.get(x - 3, y - 4) * (1 - near.get(x, y))).blur(1), 0.75);
  plate.paint(BONE, near, 0.96);
  const round = near.blur(1);
  const slope = near.map((v, x, y) => {
    if (v < 0.2) return 0;
    const gx = round.get(x - 1, y) - round.get(x + 1, y);
    const gy = round.get(x, y - 1) - round.get(x, y + 1);
    return clamp(0.28 - 1.7 * (gx * LIGHT[0] + gy * LIGHT[1])) * v;
  });
  plate.wash('#5d4a34', slope, 0.85);
  plate.wash(
    '#1a130d',
    slope.map((v) => smoothstep(0.45, 0.9, v)),
    0.6,
  );
  const mass = shape.blur(22);
  const turned = (x: number, y: number): number =>
    clamp(0.34 + 1.15 * (mass.get(x - 24, y - 20) - mass.get(x + 24, y + 20)));
  plate.wash('#060908', (x, y) => shape.get(x, y) * turned(x, y), 0.72);
  await plate.draw(
    bones
      .map((b) =>
        [b.body, b.process]
          .map((form) => line(smooth(form), '#f3ead4', 3.2, 0.9) + line(smooth(form), '#0b1210', 1))
          .join(''),
      )
      .join(''),
  );
}

function letters(): string {
  const hand = { colour: '#d8ccb2', size: 15, opacity: 0.85 };
  const marks: readonly [string, Point, Point][] = [
    ['a', { x: 150, y: 470 }, { x: 340, y: 512 }],
    ['b', { x: 160, y: 860 }, { x: 384, y: 842 }],
    ['c', { x: 1130, y: 420 }, { x: 634, y: 440 }],
    ['d', { x: 1150, y: 860 }, { x: 880, y: 770 }],
    ['e', { x: 1140, y: 1240 }, { x: 716, y: 1250 }],
  ];
  return (
    caption('Spina', 'IV', hand.colour, 0.8) +
    marks.map(([letter, at, part]) => leader(letter, at, part, hand)).join('')
  );
}

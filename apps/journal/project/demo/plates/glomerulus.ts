import { stipple } from './engrave.ts';
import { clamp, type Point, resample, smoothCurve, smoothstep } from './geometry.ts';
import { fold } from './growth.ts';
import { fill, line, number, pathOf, radii, type VesselColours, vessel } from './ink.ts';
import { write } from './lettering.ts';
import { HEIGHT, OXBLOOD, type Plate, WIDTH } from './plate.ts';
import { createNoise, createRandom, type Random } from './random.ts';

export const ARTERY: VesselColours = { edge: '#35100d', body: OXBLOOD, shade: '#571714', light: '#e09a88' };

/** A tuft as the naked eye nearly sees it: a scribbled knot in a pale ring. */
export function smallTuft({ x, y }: Point, r: number, random: Random): string {
  const knot: Point[] = [];
  const turn = random.between(0, 6.28);
  for (let i = 0; i < 16; i++) {
    const angle = turn + i * 2.2;
    const d = r * 0.62 * (0.35 + 0.65 * random.next());
    knot.push({ x: x + Math.cos(angle) * d, y: y + Math.sin(angle) * d });
  }
  const ring = `<circle cx="${number(x)}" cy="${number(y)}" r="${number(r)}" fill="#f3e2c4" stroke="#3a2016" stroke-width="0.9"/>`;
  return ring + line(pathOf(smoothCurve(knot, 4)), OXBLOOD, 1.5);
}

/** One tuft enlarged: capillaries grown into a knot inside its capsule, an arteriole in, one out, the tubule below. */
export async function drawTuft(plate: Plate, at: Point, radius: number): Promise<void> {
  const noise = createNoise(120);
  const d = (x: number, y: number): number => Math.hypot(x - at.x, y - at.y);
  plate.glow('#fff6e0', (x, y) => smoothstep(radius, radius - 4, d(x, y)), 0.35);
  plate.wash(
    '#c98e7c',
    (x, y) => smoothstep(radius, radius - 30, d(x, y)) * (0.5 + 0.5 * noise.fractal(x / 50, y / 50, 3)),
    0.3,
  );
  plate.wash(
    '#3a2016',
    stipple({
      width: WIDTH,
      height: HEIGHT,
      spacing: 5.5,
      seed: 121,
      darkness: (x, y) => {
        const away = d(x, y);
        const side = 0.5 + 0.5 * clamp(((x - at.x) * 0.7 + (y - at.y) * 0.7) / radius);
        return away < radius - 12 ? smoothstep(radius * 0.6, radius - 12, away) * 0.5 * side : 0;
      },
    }),
    0.75,
  );
  await plate.draw(capsule(at, radius) + arterioles(at, radius) + knot(at, radius * 0.76));
}

function capsule(at: Point, radius: number): string {
  const noise = createNoise(122);
  const ring = (r: number): Point[] =>
    Array.from({ length: 180 }, (_, i) => {
      const angle = (i / 180) * 2 * Math.PI;
      const wave = r + 3 * noise.at(Math.cos(angle) * 3, Math.sin(angle) * 3);
      return { x: at.x + Math.cos(angle) * wave, y: at.y + Math.sin(angle) * wave };
    });
  const out = [
    line(pathOf(ring(radius), true), '#2b1811', 2.6),
    line(pathOf(ring(radius - 9), true), '#2b1811', 1),
  ];
  for (let k = 0; k < 44; k++) {
    const angle = (k / 44) * 2 * Math.PI + 0.06 * noise.at(k, 0.5);
    const [x, y] = [at.x + Math.cos(angle) * (radius - 4.5), at.y + Math.sin(angle) * (radius - 4.5)];
    out.push(
      `<ellipse cx="${number(x)}" cy="${number(y)}" rx="7" ry="2.4" fill="#6b2a25" transform="rotate(${number((angle * 180) / Math.PI + 90)} ${number(x)} ${number(y)})"/>`,
    );
  }
  const tubule = [
    [0.2, 0.94],
    [0.26, 1.16],
    [0.56, 1.2],
    [0.72, 1.04],
    [0.98, 1.1],
    [0.92, 1.36],
    [0.6, 1.42],
    [0.34, 1.52],
    [0.42, 1.76],
    [0.7, 1.74],
    [0.94, 1.84],
  ].map(([x = 0, y = 0]) => ({ x: at.x + x * radius, y: at.y + y * radius }));
  const course = resample(smoothCurve(tubule, 16), 4);
  const pale: VesselColours = { edge: '#2b1811', body: '#ead6b2', shade: '#b3875f', light: '#fff8e6' };
  return (
    vessel(course, radii(course.length, 17, 13), pale, 2) +
    out.join('') +
    write('Fig. II.', at.x, at.y - radius - 76, { colour: '#3b2c22', size: 13, opacity: 0.85 })
  );
}

function arterioles(at: Point, radius: number): string {
  const p = (x: number, y: number): Point => ({ x: at.x + x * radius, y: at.y + y * radius });
  const incoming = resample(
    smoothCurve([p(-0.95, -1.3), p(-0.6, -1.16), p(-0.3, -0.96), p(-0.12, -0.62)], 16),
    4,
  );
  const outgoing = resample(
    smoothCurve([p(0.14, -0.62), p(0.26, -0.96), p(0.56, -1.12), p(0.96, -1.16)], 16),
    4,
  );
  return (
    vessel(incoming, radii(incoming.length, 15, 12), ARTERY, 1.8) +
    vessel(outgoing, radii(outgoing.length, 8, 7), ARTERY, 1.6)
  );
}

/** The capillary knot: a line grown until it fills the sphere, drawn in passes so that loops lie over loops. */
function knot(at: Point, radius: number): string {
  const out: string[] = [];
  for (const [layer, share] of [0.98, 0.86, 0.7].entries()) {
    const random = createRandom(130 + layer);
    const r = radius * share;
    const start = Array.from({ length: 50 }, (_, i) => {
      const angle = (i / 50) * 2 * Math.PI;
      const d = r * 0.42 * (1 + 0.25 * Math.sin(angle * 3 + layer));
      return { x: at.x + Math.cos(angle) * d, y: at.y - r * 0.06 + Math.sin(angle) * d };
    });
    const hold = (p: Point): Point => {
      const d = Math.hypot(p.x - at.x, p.y - at.y);
      const over = Math.max(0, d - r + 10);
      return { x: (-(p.x - at.x) / (d || 1)) * over * 0.5, y: (-(p.y - at.y) / (d || 1)) * over * 0.5 };
    };
    const { curve } = fold({ start, gap: 34, edge: 9, rounds: 260, most: 210 - layer * 40, hold, random });
    const loop = smoothCurve(curve, 4, true);
    const shade = 0.45 + 0.55 * (layer / 2);
    const colours: VesselColours =
      layer === 2
        ? ARTERY
        : {
            edge: '#35100d',
            body: layer === 0 ? '#6b221f' : '#7f2a26',
            shade: '#3f0f0d',
            light: layer === 0 ? '#a85a50' : '#c97c6c',
          };
    const closed = [...loop, ...loop.slice(0, 2)];
    out.push(
      fill(pathOf(closed, true), '#35100d', layer === 0 ? 0.35 : 0),
      vessel(
        closed,
        closed.map((_, i) => (6.2 + 1.1 * Math.sin(i / 9)) * (0.86 + 0.14 * shade)),
        colours,
        1.6,
      ),
    );
  }
  return out.join('');
}

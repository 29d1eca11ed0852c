import { clamp, mix, type Point, resample, smoothCurve } from './geometry.ts';
import { fill, line, number, radii, ribbon, taper, type VesselColours, vessel } from './ink.ts';
import { OXBLOOD } from './plate.ts';
import { createRandom } from './random.ts';
import { epidermisAt, surfaceAt } from './skin-form.ts';

const GLAND: VesselColours = { edge: '#2e1811', body: '#d8b189', shade: '#8f5f40', light: '#f3e0c0' };

/** A coil deep in the dermis and its duct, which winds up to a pore. */
export function sweatGland(at: Point): string {
  const random = createRandom(Math.round(at.x));
  const coil: Point[] = [];
  for (let i = 0; i < 26; i++) {
    const angle = i * 1.25;
    const r = 16 + 30 * random.next();
    coil.push({ x: at.x + Math.cos(angle) * r * 1.1, y: at.y + Math.sin(angle) * r * 0.85 });
  }
  const top = surfaceAt(at.x + 12);
  const duct = Array.from({ length: 70 }, (_, i) => {
    const t = i / 69;
    const y = mix(at.y - 20, top, t);
    const tight = y < epidermisAt(at.x) ? 7 : 3.4;
    return { x: at.x + 12 * t + Math.sin(t * 52) * tight, y };
  });
  const knot = resample(smoothCurve(coil, 10), 4);
  const rise = resample(smoothCurve(duct, 5), 4);
  return (
    vessel(rise, radii(rise.length, 4.4, 3.4), GLAND, 1.3) +
    vessel(knot, radii(knot.length, 6, 5.4), GLAND, 1.7)
  );
}

/** A hair in its sheaths, its bulb, its gland and its muscle. */
export function follicle(x: number): string {
  const top = surfaceAt(x) - 2;
  const lean = 74;
  const axis = resample(
    smoothCurve(
      [
        { x, y: top },
        { x: x - lean * 0.3, y: top + 150 },
        { x: x - lean * 0.72, y: top + 330 },
        { x: x - lean, y: top + 470 },
      ],
      20,
    ),
    4,
  );
  const half = (t: number): number =>
    15 + 5 * Math.sin(t * 3) + 17 * Math.exp(-(((t - 0.96) / 0.07) ** 2)) + 8 * Math.exp(-((t / 0.04) ** 2));
  const out: string[] = [muscle(x, top, lean)];
  out.push(gland(x + 34, top + 128), gland(x + 30, top + 160));
  out.push(
    fill(
      ribbon(axis, (t) => half(t) + 2),
      '#2e1811',
    ),
    fill(ribbon(axis, half), '#dba393'),
    fill(
      ribbon(axis, (t) => half(t) * 0.72),
      '#8a3f3c',
    ),
    fill(
      ribbon(axis, (t) => half(t) * 0.6),
      '#efd3b4',
    ),
  );
  for (let i = 3; i < axis.length; i += 1) {
    const p = axis[i];
    if (!p) continue;
    const w = half(i / axis.length);
    out.push(
      line(
        `M${number(p.x + w * 0.35)} ${number(p.y)}L${number(p.x + w * 0.98)} ${number(p.y - 2)}`,
        '#3b1613',
        1.1,
        0.7,
      ),
    );
    if (i % 2 === 0)
      out.push(
        line(
          `M${number(p.x - w * 0.98)} ${number(p.y)}L${number(p.x - w * 0.7)} ${number(p.y - 1)}`,
          '#3b1613',
          0.8,
          0.6,
        ),
      );
  }
  const shaft = axis.slice(0, Math.round(axis.length * 0.95));
  out.push(
    fill(
      ribbon(shaft, (t) => 5.4 + t * 2),
      '#2a160e',
    ),
    fill(
      ribbon(shaft, (t) => 1.2 + t, { x: -1.2, y: 0 }),
      '#a8744a',
      0.8,
    ),
  );
  const end = axis[axis.length - 1] ?? { x, y: top };
  out.push(
    `<ellipse cx="${number(end.x)}" cy="${number(end.y + 4)}" rx="8" ry="13" fill="${OXBLOOD}" stroke="#2e1811" stroke-width="1.4"/>`,
  );
  return out.join('');
}

function gland(x: number, y: number): string {
  const out: string[] = [];
  for (const [dx, dy, r] of [
    [-6, -10, 13],
    [12, -6, 15],
    [2, 10, 16],
    [20, 14, 14],
    [-12, 6, 11],
  ] as const) {
    out.push(
      `<circle cx="${x + dx}" cy="${y + dy}" r="${r}" fill="#ecd29c" stroke="#2e1811" stroke-width="1.5"/>`,
    );
    for (let k = 0; k < 5; k++) {
      const s = 0.2 + k * 0.17;
      const reach = Math.sqrt(clamp(1 - s * s)) * r * 0.9;
      out.push(
        taper(
          [
            { x: x + dx + s * r - reach * 0.2, y: y + dy + reach },
            { x: x + dx + s * r + 2, y: y + dy + reach * 0.2 },
            { x: x + dx + s * r, y: y + dy - reach * 0.7 },
          ],
          1.5,
          '#5b3816',
          0.8,
        ),
      );
    }
  }
  return out.join('');
}

function muscle(x: number, top: number, lean: number): string {
  const out: string[] = [];
  for (let k = 0; k < 8; k++) {
    const strand = smoothCurve(
      [
        { x: x - lean * 0.62 + 14, y: top + 288 + k * 3.4 },
        { x: x + 46, y: top + 204 + k * 3.2 },
        { x: x + 104 + k, y: top + 112 + k * 2 },
      ],
      12,
    );
    out.push(taper(strand, 5.4, '#3b1613'), taper(strand, 3.8, k % 2 === 0 ? '#b9665c' : '#cf8a7a'));
  }
  return out.join('');
}

import { clamp, mix, normalsOf, type Point, pickClamped } from './geometry.ts';

/** One decimal is a tenth of a pixel. */
export function number(value: number): string {
  return value.toFixed(1);
}

export function pathOf(curve: readonly Point[], closed = false): string {
  return `M${curve.map((p) => `${number(p.x)} ${number(p.y)}`).join('L')}${closed ? 'Z' : ''}`;
}

/** The outline of a line of changing half-width, as path data. `shift` moves it sideways, in parts of the half-width. */
export function ribbon(
  curve: readonly Point[],
  half: (t: number, i: number) => number,
  shift: Point = { x: 0, y: 0 },
): string {
  const normals = normalsOf(curve);
  const left: Point[] = [];
  const right: Point[] = [];
  curve.forEach((p, i) => {
    const n = pickClamped(normals, i);
    const w = half(curve.length > 1 ? i / (curve.length - 1) : 0, i);
    const [cx, cy] = [p.x + shift.x * w, p.y + shift.y * w];
    left.push({ x: cx + n.x * w, y: cy + n.y * w });
    right.push({ x: cx - n.x * w, y: cy - n.y * w });
  });
  return pathOf([...left, ...right.reverse()], true);
}

export function fill(path: string, colour: string, opacity = 1): string {
  return `<path d="${path}" fill="${colour}"${opacity < 1 ? ` fill-opacity="${opacity}"` : ''}/>`;
}

export function line(path: string, colour: string, width: number, opacity = 1): string {
  const faint = opacity < 1 ? ` stroke-opacity="${opacity}"` : '';
  return `<path d="${path}" fill="none" stroke="${colour}" stroke-width="${number(width)}" stroke-linecap="round" stroke-linejoin="round"${faint}/>`;
}

/** A stroke that thins out at both ends, as a pen or burin leaves it. */
export function taper(curve: readonly Point[], width: number, colour: string, opacity = 1): string {
  return fill(
    ribbon(curve, (t) => (width / 2) * Math.sin(Math.PI * clamp(t, 0.02, 0.98)) ** 0.6),
    colour,
    opacity,
  );
}

export interface VesselColours {
  edge: string;
  body: string;
  shade: string;
  light: string;
}

/** A round vessel lit from the upper left; `radius` a point. Thin ones come out as plain lines. */
export function vessel(
  curve: readonly Point[],
  radius: readonly number[],
  colours: VesselColours,
  edge = 1.2,
): string {
  const at = (i: number): number => pickClamped(radius, i);
  const widest = Math.max(...radius);
  const out = [
    fill(
      ribbon(curve, (_, i) => at(i) + Math.min(edge, at(i) * 0.5)),
      colours.edge,
    ),
  ];
  out.push(
    fill(
      ribbon(curve, (_, i) => at(i)),
      colours.body,
    ),
  );
  if (widest > 2.2) {
    out.push(
      fill(
        ribbon(curve, (_, i) => at(i) * 0.62, { x: 0.4, y: 0.42 }),
        colours.shade,
        0.75,
      ),
    );
    out.push(
      fill(
        ribbon(curve, (_, i) => at(i) * 0.2, { x: -1.5, y: -1.6 }),
        colours.light,
        0.85,
      ),
    );
  }
  return out.join('');
}

/** Radii that run from `from` to `to` along `count` points. */
export function radii(count: number, from: number, to: number, power = 1): number[] {
  return Array.from({ length: count }, (_, i) => mix(from, to, (i / Math.max(1, count - 1)) ** power));
}

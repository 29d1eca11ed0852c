import { clamp, mix, type Vec3 } from './geometry.ts';
import { Raster } from './raster.ts';

/** A form in space, given by its signed distance; only looked at inside its bounding sphere. */
export interface Solid {
  readonly id: number;
  readonly centre: Vec3;
  readonly radius: number;
  distance(x: number, y: number, z: number): number;
}

/** What a parallel view from the front sees, a value a pixel. */
export interface Relief {
  /** 0 where nothing was hit. */
  readonly id: Raster;
  readonly depth: Raster;
  readonly nx: Raster;
  readonly ny: Raster;
  readonly nz: Raster;
  /** 1 in the open, 0 in a crevice or in a cast shadow. */
  readonly open: Raster;
}

const FAR = -1e4;
const TILE = 16;

/** Light from the upper left, towards the reader. */
export const LIGHT: Vec3 = [-0.56, -0.58, 0.59];

/** Marches parallel rays down on the solids. Only solids that touch a tile of 16 pixels are tried in it. */
export function sculpt(width: number, height: number, solids: readonly Solid[]): Relief {
  const make = (): Raster => new Raster(width, height);
  const relief: Relief = {
    id: make(),
    depth: make().map(() => FAR),
    nx: make(),
    ny: make(),
    nz: make(),
    open: make().map(() => 1),
  };
  for (let ty = 0; ty < height; ty += TILE) {
    for (let tx = 0; tx < width; tx += TILE) {
      const near = solids.filter(
        (s) => Math.hypot(s.centre[0] - tx - 8, s.centre[1] - ty - 8) < s.radius + TILE,
      );
      if (near.length === 0) continue;
      for (let y = ty; y < Math.min(ty + TILE, height); y++) {
        for (let x = tx; x < Math.min(tx + TILE, width); x++) marchPixel(relief, near, x, y);
      }
    }
  }
  shade(relief);
  return relief;
}

/** The same view of a landscape: `height` towards the reader where `inside` is above a half. */
export function reliefOf(height: Raster, inside: Raster, id = 1): Relief {
  const make = (): Raster => new Raster(height.width, height.height);
  const relief: Relief = {
    id: inside.map((v) => (v > 0.5 ? id : 0)),
    depth: make(),
    nx: make(),
    ny: make(),
    nz: make(),
    open: make(),
  };
  for (let y = 0, i = 0; y < height.height; y++) {
    for (let x = 0; x < height.width; x++, i++) {
      const gx = (height.get(x - 1, y) - height.get(x + 1, y)) / 2;
      const gy = (height.get(x, y - 1) - height.get(x, y + 1)) / 2;
      const length = Math.hypot(gx, gy, 1);
      relief.depth.data[i] = (inside.data[i] ?? 0) > 0.5 ? (height.data[i] ?? 0) : FAR;
      relief.nx.data[i] = gx / length;
      relief.ny.data[i] = gy / length;
      relief.nz.data[i] = 1 / length;
    }
  }
  shade(relief);
  return relief;
}

/** A round cushion over a flat shape: how high it stands `d` pixels inside its edge, if it is full `reach` inside. */
export function cushion(d: number, reach: number): number {
  const t = 1 - clamp(d / reach);
  return reach * Math.sqrt(1 - t * t);
}

function marchPixel(relief: Relief, solids: readonly Solid[], x: number, y: number): void {
  let best = FAR;
  let hit: Solid | undefined;
  for (const solid of solids) {
    const flat = Math.hypot(solid.centre[0] - x, solid.centre[1] - y);
    if (flat > solid.radius) continue;
    const half = Math.sqrt(solid.radius ** 2 - flat ** 2);
    const floor = Math.max(solid.centre[2] - half, best);
    for (let z = solid.centre[2] + half, step = 0; z > floor && step < 120; step++) {
      const d = solid.distance(x, y, z);
      if (d < 0.25) {
        best = z;
        hit = solid;
        break;
      }
      z -= d * 0.85;
    }
  }
  if (!hit) return;
  const e = 0.6;
  const gx = hit.distance(x + e, y, best) - hit.distance(x - e, y, best);
  const gy = hit.distance(x, y + e, best) - hit.distance(x, y - e, best);
  const gz = hit.distance(x, y, best + e) - hit.distance(x, y, best - e);
  const length = Math.hypot(gx, gy, gz) || 1;
  const i = y * relief.id.width + x;
  relief.id.data[i] = hit.id;
  relief.depth.data[i] = best;
  relief.nx.data[i] = gx / length;
  relief.ny.data[i] = gy / length;
  relief.nz.data[i] = gz / length;
}

/** Crevices and cast shadows, found on the depth itself at a third of the resolution. */
function shade(relief: Relief): void {
  const { width, height } = relief.id;
  const small = 3;
  const coarse = new Raster(Math.ceil(width / small), Math.ceil(height / small));
  for (let cy = 0; cy < coarse.height; cy++) {
    for (let cx = 0; cx < coarse.width; cx++) {
      const [x, y] = [cx * small, cy * small];
      coarse.data[cy * coarse.width + cx] = relief.id.get(x, y) === 0 ? 1 : openness(relief, x, y);
    }
  }
  const soft = coarse.blur(1);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) relief.open.data[i] = soft.sample(x / small, y / small);
  }
}

function openness(relief: Relief, x: number, y: number): number {
  const z = relief.depth.get(x, y);
  let hidden = 0;
  let count = 0;
  for (let k = 0; k < 12; k++) {
    const angle = k * 2.39996;
    for (const reach of [5, 14, 34]) {
      const rise = relief.depth.get(x + Math.cos(angle) * reach, y + Math.sin(angle) * reach) - z;
      hidden += clamp(rise / reach - 0.35, 0, 1);
      count++;
    }
  }
  let shadow = 0;
  const slope = LIGHT[2] / Math.hypot(LIGHT[0], LIGHT[1]);
  for (let step = 4; step < 170; step *= 1.22) {
    const over =
      relief.depth.get(x + (LIGHT[0] / 0.806) * step, y + (LIGHT[1] / 0.806) * step) - (z + step * slope);
    shadow = Math.max(shadow, clamp(over / (6 + step * 0.18)));
  }
  return (1 - 0.55 * shadow) * clamp(1 - (2.6 * hidden) / count);
}

/** How dark an engraver would make this pixel: 0 in full light, 1 in the deepest shade. */
export function darknessOf(relief: Relief, x: number, y: number): number {
  const lit =
    relief.nx.get(x, y) * LIGHT[0] + relief.ny.get(x, y) * LIGHT[1] + relief.nz.get(x, y) * LIGHT[2];
  const reflected = 0.14 * clamp(-lit * 0.9) + 0.1 * (1 - relief.nz.get(x, y));
  const light = (0.12 + 0.96 * clamp(lit * 0.9 + 0.1)) * relief.open.get(x, y) + reflected;
  return clamp(1 - light);
}

/** Dark lines where one thing stands before another, and along the outline: 0 to 1. */
export function outlineOf(relief: Relief, gap = 9, thickness = 1.3): Raster {
  const raw = relief.id.map((id, x, y) => {
    if (id === 0) return 0;
    const z = relief.depth.get(x, y);
    let drop = 0;
    for (const [dx, dy] of [
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
      [1, 1],
      [-1, -1],
      [1, -1],
      [-1, 1],
    ] as const) {
      drop = Math.max(drop, z - relief.depth.get(x + dx, y + dy));
    }
    return drop > gap ? 1 : 0;
  });
  const lit = raw.blur(1);
  return lit.map((value, x, y) => {
    const shadeSide = relief.nx.get(x, y) * LIGHT[0] + relief.ny.get(x, y) * LIGHT[1] < 0.1 ? 1.5 : 1;
    return clamp(value * 1.5 * thickness * shadeSide);
  });
}

export function smoothUnion(a: number, b: number, k: number): number {
  const h = clamp(0.5 + (0.5 * (b - a)) / k);
  return mix(b, a, h) - k * h * (1 - h);
}

/** A capsule whose radius runs from `r1` at `a` to `r2` at `b`. */
export function taperedCapsule(
  a: Vec3,
  b: Vec3,
  r1: number,
  r2: number,
): (x: number, y: number, z: number) => number {
  const [bx, by, bz] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const length2 = bx * bx + by * by + bz * bz || 1;
  return (x, y, z) => {
    const [px, py, pz] = [x - a[0], y - a[1], z - a[2]];
    const t = clamp((px * bx + py * by + pz * bz) / length2);
    return Math.hypot(px - bx * t, py - by * t, pz - bz * t) - mix(r1, r2, t);
  };
}

/** About the distance to an ellipsoid, turned by `turn` radians in the plane of the sheet. */
export function ellipsoid(c: Vec3, r: Vec3, turn = 0): (x: number, y: number, z: number) => number {
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  return (x, y, z) => {
    const [dx, dy, dz] = [x - c[0], y - c[1], z - c[2]];
    const u = dx * cos + dy * sin;
    const v = -dx * sin + dy * cos;
    const k0 = Math.hypot(u / r[0], v / r[1], dz / r[2]);
    const k1 = Math.hypot(u / r[0] ** 2, v / r[1] ** 2, dz / r[2] ** 2);
    return k1 === 0 ? -Math.min(...r) : (k0 * (k0 - 1)) / k1;
  };
}

import { clamp, mix, smoothstep } from './geometry.ts';
import { WIDTH } from './plate.ts';
import { createNoise } from './random.ts';

/** The block: its front face, and how far the back edge of its upper face is away. */
export const LEFT = 150;
export const RIGHT = 1084;
export const SURFACE = 560;
export const FLOOR = 1400;
export const BACK = { x: 96, y: 176 };

/** The middle of the wound and half its width at the surface. */
export const WOUND = { x: 618, half: 168, depth: 350 };

const noise = createNoise(201);

/** The layers depend on x alone and are asked for at every pixel: each is worked out once a column. */
function column(f: (x: number) => number): (x: number) => number {
  const values: number[] = [];
  const at = (x: number): number => {
    const i = clamp(x, 0, WIDTH);
    const known = values[i];
    if (known !== undefined) return known;
    const value = f(i);
    values[i] = value;
    return value;
  };
  return (x) => {
    const low = Math.floor(x);
    return low === x ? at(x) : mix(at(low), at(low + 1), x - low);
  };
}

/** How far the wound has drawn in from its first edge, half its width at a depth below the surface; 0 below its floor. */
export function woundHalf(depth: number): number {
  if (depth > WOUND.depth) return 0;
  const t = clamp(depth / WOUND.depth);
  return WOUND.half * (1 - t ** 1.7) * (1 + 0.06 * noise.at(depth / 30, 1.5)) + 8 * noise.at(depth / 22, 7.5);
}

/** In the wound: 1 in its middle, 0 at its edge, negative outside it. */
export function inWound(x: number, y: number): number {
  const half = woundHalf(y - SURFACE);
  return half <= 1 ? -1 : 1 - Math.abs(x - WOUND.x) / half;
}

/** The skin's surface on the front face: it dips a little towards the wound. */
export const surfaceAt = column((x) => {
  const away = Math.abs(x - WOUND.x) / WOUND.half;
  return (
    SURFACE +
    5 * noise.at(x / 60, 3) +
    16 * Math.exp(-((away / 0.9) ** 2)) -
    15 * Math.exp(-(((away - 1.5) / 0.5) ** 2))
  );
});

/** The lower edge of the horny layer. */
export const hornAt = column((x) => {
  return surfaceAt(x) + 17 + 3 * noise.at(x / 34, 9);
});

/** The upper edge of the tongue under the scab. */
export const tongueTop = column((x) => {
  const inside = clamp(1 - Math.abs(x - WOUND.x) / WOUND.half);
  return hornAt(x) + 26 + 62 * smoothstep(0, 0.75, inside);
});

/**
 * The lower edge of the living epidermis: pegs reach down between papillae. At the wound it swells, and a tongue creeps in
 * along the bed: the two tongues do not meet yet.
 */
export const epidermisAt = column((x) => {
  const away = (Math.abs(x - WOUND.x) - WOUND.half) / 100;
  const pegs = 22 * Math.sin(x / 9.4 + 1.6 * noise.at(x / 70, 20)) + 12 * noise.at(x / 26, 31);
  const plain = hornAt(x) + 66 + pegs * smoothstep(-0.1, 0.7, away);
  if (away >= 0) return plain + 36 * Math.exp(-((away / 0.55) ** 2));
  return mix(tongueTop(x) + 44, tongueTop(x), smoothstep(0, -1.15, away)) + 4 * noise.at(x / 12, 41);
});

/** Is a point in the living epidermis? */
export function inEpidermis(x: number, y: number): boolean {
  const inside = 1 - Math.abs(x - WOUND.x) / WOUND.half;
  if (inside > 0.72) return false;
  const top = inside > 0 ? tongueTop(x) : hornAt(x);
  return y > top && y < epidermisAt(x);
}

/** The lower edge of the dermis. */
export const dermisAt = column((x) => {
  return 1130 + 34 * noise.at(x / 150, 51) + 14 * noise.at(x / 40, 57);
});

/** The height of the scab above the surface, and its underside. */
export const scabTop = column((x) => {
  const inside = clamp(1 - Math.abs(x - WOUND.x) / (WOUND.half * 1.06));
  return surfaceAt(x) - 46 * Math.sqrt(inside) - 13 * inside * (noise.at(x / 17, 61) + noise.at(x / 40, 63));
});

export const scabBottom = column((x) => {
  const inside = clamp(1 - Math.abs(x - WOUND.x) / (WOUND.half * 1.06));
  return surfaceAt(x) + 6 + 78 * smoothstep(0, 0.7, inside) + 7 * noise.at(x / 13, 67);
});

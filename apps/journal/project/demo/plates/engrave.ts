import { clamp } from './geometry.ts';
import { createNoise, hashCell } from './random.ts';
import { Raster } from './raster.ts';

export interface Burin {
  /** 0 leaves the paper, 1 fills it. */
  darkness: (x: number, y: number) => number;
  /** Lines run where this is a whole number of `1 / density`; it should follow the form. */
  phase: Raster;
  /** Pixels between lines. */
  spacing: number;
  /** Jumps of the phase larger than this a pixel are borders between forms, not lines. */
  jump?: number;
  /** How much the hand trembles, in parts of the spacing. */
  tremble?: number;
  seed: number;
}

/**
 * Lines that follow a form and swell with its shade, as a burin cuts them. The phase is doubled or halved where the form
 * tilts, so that the lines stay about `spacing` apart: new lines start thin between two old ones.
 */
export function engrave(burin: Burin): Raster {
  const { phase, spacing, seed } = burin;
  const { width, height } = phase;
  const jump = burin.jump ?? 40;
  const noise = createNoise(seed);
  const tremble = burin.tremble ?? 0.12;
  const slope = (x: number, y: number, dx: number, dy: number): number => {
    const here = phase.get(x, y);
    const ahead = phase.get(x + dx, y + dy) - here;
    const behind = here - phase.get(x - dx, y - dy);
    if (Math.abs(ahead) > jump) return Math.abs(behind) > jump ? 0 : behind;
    return Math.abs(behind) > jump ? ahead : (ahead + behind) / 2;
  };
  const steep = phase.map((_, x, y) =>
    Math.log2(Math.max(Math.hypot(slope(x, y, 1, 0), slope(x, y, 0, 1)), 1e-4) * spacing),
  );
  const level = steep.blur(3);
  const out = new Raster(width, height);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const dark = burin.darkness(x, y);
      if (dark <= 0.02) continue;
      const gradient = Math.max(2 ** (steep.data[i] ?? 0) / spacing, 1e-4);
      const lod = clamp(-(level.data[i] ?? 0), -6, 6);
      const floor = Math.floor(lod);
      const between = lod - floor;
      const scale = 2 ** (floor + 1);
      const wobble = tremble * noise.fractal(x / 26, y / 26, 2);
      const at = phase.get(x, y) * scale + wobble;
      const pixels = gradient * scale;
      const even = 2 * Math.round(at / 2);
      const odd = 2 * Math.floor(at / 2) + 1;
      let cover = 0;
      for (const [line, part] of [
        [even, 2 - between],
        [odd, between],
      ] as const) {
        const hand = 0.86 + 0.28 * hashCell(line, floor, seed);
        const flick = 0.5 + 0.5 * noise.at(x / 19 + line * 3.7, y / 19 - line * 1.3);
        const weight = clamp(dark * hand - (dark < 0.34 ? (0.34 - dark) * flick * 1.1 : 0));
        const share = weight * part;
        const inked = clamp((share / 2 - Math.abs(at - line)) / pixels + 0.5) * clamp((share / pixels) * 1.6);
        cover = Math.max(cover, inked);
      }
      out.data[i] = cover;
    }
  }
  return out;
}

/** Dots that grow with the shade: a jittered lattice, `spacing` pixels wide. */
export function stipple(options: {
  width: number;
  height: number;
  darkness: (x: number, y: number) => number;
  spacing: number;
  seed: number;
}): Raster {
  const { spacing, seed } = options;
  const dot = (cx: number, cy: number, x: number, y: number): number => {
    const px = (cx + 0.5 + (cy & 1) * 0.5 + (hashCell(cx, cy, seed) - 0.5) * 0.85) * spacing;
    const py = (cy + 0.5 + (hashCell(cx, cy, seed + 1) - 0.5) * 0.85) * spacing;
    const dark = options.darkness(px, py);
    if (dark <= 0.03) return 0;
    const radius = spacing * 0.62 * Math.sqrt(clamp(dark)) * (0.75 + 0.5 * hashCell(cx, cy, seed + 2));
    return clamp(radius - Math.hypot(x - px, y - py) + 0.5) * clamp(radius * 1.4);
  };
  return Raster.from(options.width, options.height, (x, y) => {
    const cy = Math.floor(y / spacing);
    let most = 0;
    for (let j = cy - 1; j <= cy + 1; j++) {
      const cx = Math.floor(x / spacing - (j & 1) * 0.5);
      for (let k = cx - 1; k <= cx + 1; k++) most = Math.max(most, dot(k, j, x, y));
    }
    return most;
  });
}

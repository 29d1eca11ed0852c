import { writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import { clamp, mix, smoothstep } from './geometry.ts';
import { createNoise, createRandom } from './random.ts';
import { type Raster, svgDocument } from './raster.ts';

/** All plates are portrait 4:5; the hero of a post shows the middle 1280 × 800. */
export const WIDTH = 1280;
export const HEIGHT = 1600;

export const INK = '#1d1916';
export const OXBLOOD = '#8c2f2b';
export const VERDIGRIS = '#3f7268';
export const OCHRE = '#b8862f';
export const INDIGO = '#2f3f6e';
export const BONE = '#e9dfc9';
export const ROSE = '#c4757a';

type Colour = readonly [number, number, number];

function parseColour(hex: string): Colour {
  const value = Number.parseInt(hex.slice(1), 16);
  return [((value >> 16) & 255) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255];
}

/** How much ink a pixel takes, 0 to 1. */
export type Coverage = Raster | ((x: number, y: number) => number);

/** A sheet of paper and what has been printed on it so far, in sRGB. */
export class Plate {
  private readonly rgb = new Float32Array(WIDTH * HEIGHT * 3);

  private change(
    coverage: Coverage,
    blend: (under: number, amount: number, channel: number) => number,
  ): void {
    for (let y = 0, i = 0; y < HEIGHT; y++) {
      for (let x = 0; x < WIDTH; x++, i += 3) {
        const amount = clamp(typeof coverage === 'function' ? coverage(x, y) : coverage.get(x, y));
        if (amount <= 0) continue;
        for (let c = 0; c < 3; c++) this.rgb[i + c] = blend(this.rgb[i + c] ?? 0, amount, c);
      }
    }
  }

  /** Paint that covers what lies under it. */
  paint(colour: string, coverage: Coverage, strength = 1): void {
    const rgb = parseColour(colour);
    this.change(coverage, (under, amount, c) => mix(under, rgb[c] ?? 0, amount * strength));
  }

  /** Ink or a watercolour wash: it darkens what lies under it. */
  wash(colour: string, coverage: Coverage, strength = 1): void {
    const rgb = parseColour(colour);
    this.change(coverage, (under, amount, c) => under * mix(1, rgb[c] ?? 0, amount * strength));
  }

  /** Light: it brightens what lies under it. */
  glow(colour: string, coverage: Coverage, strength = 1): void {
    const rgb = parseColour(colour);
    this.change(coverage, (under, amount, c) => 1 - (1 - under) * (1 - (rgb[c] ?? 0) * amount * strength));
  }

  /** Vector drawing on top; with `within`, only where that lets it through. */
  async draw(svgBody: string, within?: Raster): Promise<void> {
    const { data } = await sharp(Buffer.from(svgDocument(WIDTH, HEIGHT, svgBody)), { unlimited: true })
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    for (let p = 0; p < WIDTH * HEIGHT; p++) {
      const alpha = ((data[p * 4 + 3] ?? 0) / 255) * (within ? (within.data[p] ?? 0) : 1);
      if (alpha <= 0) continue;
      for (let c = 0; c < 3; c++) {
        this.rgb[p * 3 + c] = mix(this.rgb[p * 3 + c] ?? 0, (data[p * 4 + c] ?? 0) / 255, alpha);
      }
    }
  }

  /** An old sheet: cloudy, faintly laid, foxed, browned towards its edges. */
  layPaper(colour: string, seed: number): void {
    this.paint(colour, () => 1);
    const noise = createNoise(seed);
    const random = createRandom(seed);
    this.wash('#c9ab7c', (x, y) => 0.1 + 0.16 * noise.fractal(x / 520, y / 520, 4));
    this.wash('#a88a60', (x, y) => edgeShade(x, y, noise.fractal(x / 240, y / 240, 3)), 0.3);
    this.wash('#b79f7a', (x) => (x % 74 < 1.5 ? 0.05 : 0));
    const spots = Array.from({ length: 30 }, () => ({
      x: random.between(0, WIDTH),
      y: random.between(0, HEIGHT),
      r: 2 + 9 * random.next() ** 3,
      strength: random.between(0.05, 0.2),
    }));
    this.wash('#9a6a35', (x, y) => {
      const reach = noise.at(x / 6, y / 6) * 2;
      return spots.reduce((most, spot) => {
        if (Math.abs(x - spot.x) > 24 || Math.abs(y - spot.y) > 24) return most;
        return Math.max(
          most,
          smoothstep(spot.r * 2, 0, Math.hypot(x - spot.x, y - spot.y) + reach) * spot.strength,
        );
      }, 0);
    });
  }

  /** A deep ground, a little lighter where the light falls from the upper left. */
  layNight(colour: string, light: string, seed: number): void {
    this.paint(colour, () => 1);
    const noise = createNoise(seed);
    this.glow(light, (x, y) => {
      const fall = smoothstep(1150, 100, Math.hypot(x - WIDTH * 0.44, y - HEIGHT * 0.44));
      return 0.18 * fall + 0.05 * noise.fractal(x / 300, y / 300, 4);
    });
    this.wash('#000000', (x, y) => edgeShade(x, y, noise.fractal(x / 200, y / 200, 3)), 0.5);
  }

  /** Writes WebP of the best quality that stays within `limit` bytes. */
  async save(path: string, limit = 218_000): Promise<{ bytes: number; quality: number }> {
    const bytes = Uint8Array.from(this.rgb, (value) => Math.round(clamp(value) * 255));
    const source = sharp(bytes, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } });
    for (let quality = 88; ; quality -= 4) {
      const file = await source
        .clone()
        .webp({ quality, effort: 5, smartSubsample: quality > 60 })
        .toBuffer();
      if (file.length > limit && quality > 20) continue;
      await writeFile(path, file);
      return { bytes: file.length, quality };
    }
  }
}

function edgeShade(x: number, y: number, wave: number): number {
  const edge = Math.min(x, WIDTH - x, (y * WIDTH) / HEIGHT, ((HEIGHT - y) * WIDTH) / HEIGHT) + wave * 50;
  return smoothstep(330, -60, edge) ** 2;
}

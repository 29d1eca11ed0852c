import sharp from 'sharp';
import { clamp } from './geometry.ts';

/** One number a pixel. Reading outside repeats the edge. */
export class Raster {
  readonly width: number;
  readonly height: number;
  readonly data: Float32Array;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.data = new Float32Array(width * height);
  }

  static from(width: number, height: number, value: (x: number, y: number) => number): Raster {
    const raster = new Raster(width, height);
    for (let y = 0, i = 0; y < height; y++) for (let x = 0; x < width; x++, i++) raster.data[i] = value(x, y);
    return raster;
  }

  get(x: number, y: number): number {
    const cx = x < 0 ? 0 : x >= this.width ? this.width - 1 : x | 0;
    const cy = y < 0 ? 0 : y >= this.height ? this.height - 1 : y | 0;
    return this.data[cy * this.width + cx] ?? 0;
  }

  /** Bilinear. */
  sample(x: number, y: number): number {
    const ix = Math.floor(x);
    const iy = Math.floor(y);
    const fx = x - ix;
    const fy = y - iy;
    const top = this.get(ix, iy) * (1 - fx) + this.get(ix + 1, iy) * fx;
    const bottom = this.get(ix, iy + 1) * (1 - fx) + this.get(ix + 1, iy + 1) * fx;
    return top * (1 - fy) + bottom * fy;
  }

  map(change: (value: number, x: number, y: number) => number): Raster {
    return Raster.from(this.width, this.height, (x, y) => change(this.get(x, y), x, y));
  }

  /** Three box passes, which come close to a Gaussian of that radius in pixels. */
  blur(radius: number): Raster {
    let current: Raster = this;
    const reach = Math.max(1, Math.round(radius));
    for (let pass = 0; pass < 3; pass++) current = boxBlur(boxBlur(current, reach, 1, 0), reach, 0, 1);
    return current;
  }
}

function boxBlur(source: Raster, reach: number, dx: number, dy: number): Raster {
  const out = new Raster(source.width, source.height);
  const lines = dx === 1 ? source.height : source.width;
  const length = dx === 1 ? source.width : source.height;
  const span = 2 * reach + 1;
  for (let line = 0; line < lines; line++) {
    const read = (i: number): number => (dx === 1 ? source.get(i, line) : source.get(line, i));
    let sum = 0;
    for (let i = -reach; i <= reach; i++) sum += read(i);
    for (let i = 0; i < length; i++) {
      out.data[dx === 1 ? line * source.width + i : i * source.width + line] = sum / span;
      sum += read(i + reach + dx + dy) - read(i - reach);
    }
  }
  return out;
}

/** Distance in pixels to the nearest pixel where `inside` is not above a half (Felzenszwalb and Huttenlocher, 2012). */
export function distanceWithin(inside: Raster): Raster {
  const { width, height } = inside;
  const out = inside.map((value) => (value > 0.5 ? 1e12 : 0));
  const longest = Math.max(width, height);
  const line = new Float64Array(longest);
  for (let x = 0; x < width; x++) {
    for (let y = 0; y < height; y++) line[y] = out.get(x, y);
    const moved = lowerEnvelope(line, height);
    for (let y = 0; y < height; y++) out.data[y * width + x] = moved[y] ?? 0;
  }
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) line[x] = out.get(x, y);
    const moved = lowerEnvelope(line, width);
    for (let x = 0; x < width; x++) out.data[y * width + x] = Math.sqrt(moved[x] ?? 0);
  }
  return out;
}

function lowerEnvelope(values: Float64Array, count: number): Float64Array {
  const at = (i: number): number => values[i] ?? 0;
  const vertex = new Int32Array(count);
  const border = new Float64Array(count + 1).fill(Number.POSITIVE_INFINITY);
  border[0] = Number.NEGATIVE_INFINITY;
  let top = 0;
  for (let q = 1; q < count; q++) {
    for (;;) {
      const v = vertex[top] ?? 0;
      const s = (at(q) + q * q - (at(v) + v * v)) / (2 * q - 2 * v);
      if (s <= (border[top] ?? 0) && top > 0) {
        top--;
        continue;
      }
      if (s <= (border[top] ?? 0)) vertex[top] = q;
      else {
        top++;
        vertex[top] = q;
        border[top] = s;
      }
      border[top + 1] = Number.POSITIVE_INFINITY;
      break;
    }
  }
  const out = new Float64Array(count);
  for (let q = 0, k = 0; q < count; q++) {
    while ((border[k + 1] ?? 0) < q) k++;
    const v = vertex[k] ?? 0;
    out[q] = (q - v) ** 2 + at(v);
  }
  return out;
}

/** The alpha of a drawing, 0 to 1. */
export async function maskOf(width: number, height: number, svgBody: string): Promise<Raster> {
  const { data } = await sharp(Buffer.from(svgDocument(width, height, svgBody)))
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const out = new Raster(width, height);
  for (let i = 0; i < width * height; i++) out.data[i] = clamp((data[i * 4 + 3] ?? 0) / 255);
  return out;
}

export function svgDocument(width: number, height: number, body: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${body}</svg>`;
}

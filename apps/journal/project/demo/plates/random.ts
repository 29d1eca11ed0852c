/** A seeded source of randomness: the same seed gives the same drawing on every machine. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  between(low: number, high: number): number;
  /** Mean 0, deviation 1. */
  gaussian(): number;
  chance(probability: number): boolean;
}

/** Mulberry32: 32 bits of state, good enough for ink. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  return {
    next,
    between: (low, high) => low + (high - low) * next(),
    gaussian: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
    chance: (probability) => next() < probability,
  };
}

/** Smooth noise in about [-1, 1]; `fractal` adds octaves of half the size and half the strength. */
export interface Noise {
  at(x: number, y: number, z?: number): number;
  fractal(x: number, y: number, octaves: number, z?: number): number;
}

/** In [0, 1): a fixed random value for a cell of a lattice. */
export function hashCell(x: number, y: number, seed: number): number {
  let h = Math.imul(x | 0, 374761393) ^ Math.imul(y | 0, 668265263) ^ Math.imul(seed | 0, 1274126177);
  h = Math.imul(h ^ (h >>> 13), 1274126177);
  h = Math.imul(h ^ (h >>> 16), 2246822519);
  return ((h ^ (h >>> 15)) >>> 0) / 4294967296;
}

function cornerGradient(
  ix: number,
  iy: number,
  iz: number,
  seed: number,
  x: number,
  y: number,
  z: number,
): number {
  const h = Math.floor(hashCell(ix + Math.imul(iz, 7919), iy, seed + iz) * 12);
  const u = h < 8 ? x : y;
  const v = h < 4 ? y : z;
  return ((h & 1) === 0 ? u : -u) + ((h & 2) === 0 ? v : -v);
}

function fade(t: number): number {
  return t * t * t * (t * (t * 6 - 15) + 10);
}

/** Gradient noise after Perlin (2002), its lattice hashed from `seed`. */
export function createNoise(seed: number): Noise {
  const at = (x: number, y: number, z = 0): number => {
    const ix = Math.floor(x);
    const iy = Math.floor(y);
    const iz = Math.floor(z);
    const fx = x - ix;
    const fy = y - iy;
    const fz = z - iz;
    const u = fade(fx);
    const v = fade(fy);
    const plane = (dz: number): number => {
      const a = cornerGradient(ix, iy, iz + dz, seed, fx, fy, fz - dz);
      const b = cornerGradient(ix + 1, iy, iz + dz, seed, fx - 1, fy, fz - dz);
      const c = cornerGradient(ix, iy + 1, iz + dz, seed, fx, fy - 1, fz - dz);
      const d = cornerGradient(ix + 1, iy + 1, iz + dz, seed, fx - 1, fy - 1, fz - dz);
      const top = a + (b - a) * u;
      return top + (c + (d - c) * u - top) * v;
    };
    const near = plane(0);
    return fz === 0 ? near : near + (plane(1) - near) * fade(fz);
  };
  const fractal = (x: number, y: number, octaves: number, z = 0): number => {
    let sum = 0;
    let strength = 1;
    let scale = 1;
    for (let octave = 0; octave < octaves; octave++) {
      sum += strength * at(x * scale + octave * 17.3, y * scale - octave * 9.1, z * scale);
      strength *= 0.5;
      scale *= 2;
    }
    return sum;
  };
  return { at, fractal };
}

export interface Cell {
  /** Distance to the nearest and to the second nearest seed, in cells. */
  near: number;
  second: number;
  /** In [0, 1), one value a cell. */
  tone: number;
}

/** Cellular noise (Worley, 1996): one jittered seed a square; `second - near` is 0 on the walls between cells. */
export function cellAt(x: number, y: number, seed: number, jitter = 0.9): Cell {
  const [cx, cy] = [Math.floor(x), Math.floor(y)];
  const cell: Cell = { near: 9, second: 9, tone: 0 };
  for (let j = cy - 1; j <= cy + 1; j++) {
    for (let i = cx - 1; i <= cx + 1; i++) {
      const px = i + 0.5 + (hashCell(i, j, seed) - 0.5) * jitter;
      const py = j + 0.5 + (hashCell(i, j, seed + 7) - 0.5) * jitter;
      const d = Math.hypot(px - x, py - y);
      if (d < cell.near) {
        cell.second = cell.near;
        cell.near = d;
        cell.tone = hashCell(i, j, seed + 13);
      } else if (d < cell.second) cell.second = d;
    }
  }
  return cell;
}

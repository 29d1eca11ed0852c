import { type Point, points, resample, smoothCurve } from './geometry.ts';
import { fill, line, pathOf, ribbon } from './ink.ts';

/** An italic hand, one entry a letter: advance width and pen strokes, x-height 10 above the baseline 0, written upright. */
const LETTERS: Readonly<Record<string, readonly [number, ...string[]]>> = {
  a: [
    10,
    '7.6,-8.6 5.6,-9.8 2.8,-8.4 1,-4.4 1.4,-1 3.4,0 5.6,-1.8 7.4,-5.6',
    '8,-9.8 7.6,-4 7.8,-0.9 9,-0.2 10.6,-2',
  ],
  b: [9.6, '1.6,-17 1.5,-10 1.4,-3 2.2,-0.4 4.2,0 6.8,-1.8 8,-5.4 7.2,-9 5,-9.8 2.8,-8 1.6,-5'],
  c: [8.4, '7.4,-8 6.6,-9.6 4.6,-9.8 2,-7.6 1,-3.8 2,-0.6 4.2,0 6.4,-1 7.8,-2.8'],
  d: [
    10,
    '7.6,-8.6 5.6,-9.8 2.8,-8.4 1,-4.4 1.4,-1 3.4,0 5.6,-1.8 7.4,-5.6',
    '8,-17 7.7,-8 7.7,-1 9,-0.2 10.6,-2',
  ],
  e: [8.4, '1.4,-4.6 4.4,-5.2 6.8,-7 6.6,-9.2 4.8,-9.9 2.2,-8 1,-4 2,-0.7 4.2,0 6.4,-1 7.8,-2.8'],
  f: [
    7,
    '8.4,-15.6 7.2,-17.2 5.4,-16.4 4.2,-12 3.4,-4 2.6,2 1.2,5.2 -0.8,5.6 -1.6,4.4',
    '0.6,-9.6 3.4,-9.6 7,-9.6',
  ],
  g: [
    9.6,
    '7.6,-8.6 5.6,-9.8 2.8,-8.4 1,-4.6 1.4,-1.4 3.4,-0.4 5.6,-2.2 7.4,-5.8',
    '8,-9.8 7.7,-3 7.2,3 5,5.8 2,5.6 0.6,4',
  ],
  h: [10, '1.8,-17 1.6,-8 1.4,0', '1.5,-4.6 3.4,-8 5.8,-9.8 7.4,-8.6 7,-4 6.9,-1 8,-0.2 10,-2'],
  i: [5.4, '0.2,-8 1.4,-9.6 2.4,-9.2 2.2,-5 2,-1.2 3,-0.2 5,-2', '2.2,-13.2 3.2,-14.8'],
  l: [5.4, '2.2,-17 1.9,-9 1.8,-1.2 2.8,-0.2 4.8,-2'],
  m: [
    15,
    '0.2,-8 1.2,-9.6 2.2,-9 1.9,-4 1.6,0',
    '1.8,-4.6 3.6,-8 5.6,-9.8 7,-8.6 6.7,-4 6.4,0',
    '6.6,-4.6 8.4,-8 10.6,-9.8 12,-8.6 11.7,-4 11.6,-1 12.6,-0.2 14.6,-2',
  ],
  n: [
    10,
    '0.2,-8 1.2,-9.6 2.2,-9 1.9,-4 1.6,0',
    '1.8,-4.6 3.6,-8 5.8,-9.8 7.4,-8.6 7,-4 6.9,-1 8,-0.2 10,-2',
  ],
  o: [9.4, '5,-9.9 2.4,-8.4 1,-4.2 2,-0.7 4.2,0 7,-1.8 8.2,-5.6 7.2,-9 5,-9.9'],
  p: [
    10,
    '0.2,-8 1.4,-9.6 2.2,-8.6 2,-2 1.6,6',
    '2,-4.6 3.6,-8.2 5.6,-9.8 7.6,-8.6 7.8,-4.8 6.2,-1 3.8,0 2,-1.4',
  ],
  r: [7.4, '0.2,-8 1.2,-9.6 2.2,-9 1.9,-4 1.6,0', '1.8,-4.6 3.4,-8 5.4,-9.8 7,-9.2'],
  s: [7.6, '6.8,-8.4 5.6,-9.8 3.4,-9.6 2.4,-7.6 4,-5.4 5.8,-3.4 5.4,-0.8 3.2,0 1.2,-0.6 0.4,-2.2'],
  t: [6, '2.8,-14 2.2,-7 1.9,-1.4 3,-0.2 5.2,-2', '0.2,-9.6 2.6,-9.6 5.4,-9.8'],
  u: [
    10,
    '0.2,-8 1.4,-9.6 2.4,-9 1.8,-3.6 2.2,-0.6 4.2,-0.2 6.2,-2.4 7.4,-5.6',
    '7.9,-9.8 7.5,-4 7.6,-1 8.8,-0.2 10.4,-2',
  ],
  C: [13.6, '12.6,-13.6 11.6,-16.4 8.4,-17 4,-14.4 1.2,-8.4 2,-2.2 5.6,0 9.4,-0.8 12.2,-3.6'],
  F: [
    11,
    '3.6,-16.4 3.2,-8 2.6,0',
    '0.8,-0.1 4.6,-0.1',
    '1.4,-16 6,-16.6 12,-16.2 11.8,-14.2',
    '3,-8.8 6,-8.8 8.6,-9.2',
  ],
  I: [6.6, '3.8,-16.8 3.4,-8 3,0', '1.4,-16.8 6.2,-16.8', '0.8,-0.1 5.2,-0.1'],
  M: [
    18,
    '3,-16.6 2.2,-8 1.2,0',
    '3,-16.6 5.6,-9 8,-1.4',
    '8,-1.4 11,-9 14.2,-16.8',
    '14.2,-16.8 14,-8 14,-1.2 15,-0.2 17,-1.6',
  ],
  P: [
    12,
    '3.6,-16.4 3.2,-8 2.6,0',
    '0.8,-0.1 4.6,-0.1',
    '1.2,-15.4 4.6,-17 9,-16.8 11,-13.6 9.6,-9.4 6,-7.8 3.4,-8.4',
  ],
  R: [
    13,
    '3.6,-16.4 3.2,-8 2.6,0',
    '0.8,-0.1 4.6,-0.1',
    '1.2,-15.4 4.6,-17 9,-16.8 10.8,-13.8 9.4,-9.8 6,-8.6 3.6,-8.8',
    '6,-8.6 8.6,-4 11,-0.6 13.4,-1',
  ],
  S: [11, '10,-13.8 9,-16.4 6,-17 3.4,-14.8 4,-11.4 7.2,-8.4 8.6,-4.4 6.8,-0.8 3.6,0 1.2,-1.2 0.4,-4'],
  T: [12, '7,-16.4 6.4,-8 5.8,0', '3.8,-0.1 8,-0.1', '1.2,-14 1.6,-16.2 7,-16.6 13,-16.4 13,-14.2'],
  V: [
    12.6,
    '2,-16.8 3.4,-9 5,-0.4',
    '5,-0.4 8.6,-9 11.8,-16.8',
    '0.4,-16.8 3.8,-16.8',
    '10,-16.8 13.4,-16.8',
  ],
  X: [
    12.6,
    '3,-16.8 6.4,-8.4 10,0',
    '11.4,-16.8 6.6,-8.4 1.6,0',
    '1.2,-16.8 4.8,-16.8',
    '9.6,-16.8 13,-16.8',
  ],
  '.': [5, '1.4,-0.4 2.4,-1.8'],
};

const SLANT = 0.24;
const NIB = 0.72;

interface Hand {
  colour: string;
  /** Height of a small letter, pixels. */
  size?: number;
  opacity?: number;
  /** Letter spacing in parts of the size. */
  spread?: number;
}

function widthOf(text: string, spread: number): number {
  return [...text].reduce((sum, letter) => sum + (LETTERS[letter]?.[0] ?? 6) + spread * 10, -spread * 10);
}

/** `text` written with a broad nib, centred on `x`, standing on `y`. Letters that the hand does not know are spaces. */
export function write(text: string, x: number, y: number, hand: Hand): string {
  const size = (hand.size ?? 15) / 10;
  const spread = hand.spread ?? 0.12;
  let pen = x - (widthOf(text, spread) * size) / 2;
  const strokes: string[] = [];
  for (const letter of text) {
    const [advance, ...paths] = LETTERS[letter] ?? [6];
    for (const path of paths) {
      const slanted = points(path).map((p) => ({ x: pen + (p.x - p.y * SLANT) * size, y: y + p.y * size }));
      strokes.push(penStroke(resample(smoothCurve(slanted, 10), 0.5), size));
    }
    pen += (advance + spread * 10) * size;
  }
  return fill(strokes.join(''), hand.colour, hand.opacity ?? 1);
}

function penStroke(curve: readonly Point[], size: number): string {
  if (curve.length < 2) return '';
  return ribbon(curve, (_, i) => {
    const a = curve[Math.max(0, i - 1)] ?? { x: 0, y: 0 };
    const b = curve[Math.min(curve.length - 1, i + 1)] ?? a;
    const angle = Math.atan2(b.y - a.y, b.x - a.x);
    return size * (0.24 + 0.66 * Math.abs(Math.sin(angle + NIB)));
  });
}

/** A letter that names a part, with its hairline to the part. */
export function leader(letter: string, at: Point, part: Point, hand: Hand): string {
  const length = Math.hypot(part.x - at.x, part.y - at.y) || 1;
  const [ux, uy] = [(part.x - at.x) / length, (part.y - at.y) / length];
  const start = { x: at.x + ux * 20, y: at.y - 7 + uy * 20 };
  const end = `<circle cx="${part.x}" cy="${part.y}" r="2.2" fill="${hand.colour}" fill-opacity="${hand.opacity ?? 1}"/>`;
  return (
    write(letter, at.x, at.y, hand) +
    line(pathOf([start, part]), hand.colour, 0.9, 0.75 * (hand.opacity ?? 1)) +
    end
  );
}

/** The number of the plate in its corner and the Latin name at its foot. */
export function caption(name: string, numeral: string, colour: string, opacity = 0.85): string {
  return (
    write(`Tab. ${numeral}.`, 1140, 108, { colour, size: 16, opacity }) +
    write(name, 640, 1528, { colour, size: 22, opacity, spread: 0.3 }) +
    line('M560 1556L720 1556', colour, 0.9, opacity * 0.6)
  );
}

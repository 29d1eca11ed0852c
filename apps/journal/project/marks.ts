import type { Language } from './languages.ts';

/**
 * A place of a picture, in percent of its width and height from the left and the top: a point, a box, or the corners of an outline.
 */
export type Shape =
  | { kind: 'point'; x: number; y: number }
  | { kind: 'box'; x: number; y: number; width: number; height: number }
  | { kind: 'outline'; points: readonly (readonly [x: number, y: number])[] };

/** Characters of a shape as SVG, which is an outline of some 150 corners. */
const SHAPE_LENGTH = 2_000;
/** Corners that an outline has at least. */
export const FEWEST_CORNERS = 3;
/** A point is written as a circle, which has this radius in other programs. */
const POINT_RADIUS = 1;

const NUMBER = String.raw`\d{1,3}(?:\.\d{1,4})?`;
const SVG = new RegExp(
  `^<svg xmlns="http://www\\.w3\\.org/2000/svg" viewBox="0 0 100 100" preserveAspectRatio="none">(?:<circle cx="(?<cx>${NUMBER})" cy="(?<cy>${NUMBER})" r="${NUMBER}"/>|<rect x="(?<x>${NUMBER})" y="(?<y>${NUMBER})" width="(?<width>${NUMBER})" height="(?<height>${NUMBER})"/>|<polygon points="(?<points>${NUMBER},${NUMBER}(?: ${NUMBER},${NUMBER}){2,200})"/>)</svg>$`,
);

/** Returns the shape that an SVG of ours draws; null for any other, and for what reaches beyond the picture. */
export function readShape(svg: string): Shape | null {
  const { cx, cy, x, y, width, height, points } = (svg.length <= SHAPE_LENGTH && SVG.exec(svg)?.groups) || {};
  const shape = ((): Shape | null => {
    if (cx !== undefined) return { kind: 'point', x: Number(cx), y: Number(cy) };
    if (width !== undefined) {
      return { kind: 'box', x: Number(x), y: Number(y), width: Number(width), height: Number(height) };
    }
    if (points === undefined) return null;
    const corners = points.split(' ').map((corner) => corner.split(',').map(Number) as [number, number]);
    return corners.length < FEWEST_CORNERS ? null : { kind: 'outline', points: corners };
  })();
  return shape && isWithin(boundsOf(shape)) ? shape : null;
}

/** Returns a shape as SVG, in tenths of a percent. */
export function writeShape(shape: Shape): string {
  const tenth = (value: number) => String(Math.round(value * 10) / 10);
  const drawn = (() => {
    switch (shape.kind) {
      case 'point':
        return `<circle cx="${tenth(shape.x)}" cy="${tenth(shape.y)}" r="${POINT_RADIUS}"/>`;
      case 'box':
        return `<rect x="${tenth(shape.x)}" y="${tenth(shape.y)}" width="${tenth(shape.width)}" height="${tenth(shape.height)}"/>`;
      case 'outline':
        return `<polygon points="${shape.points.map(([x, y]) => `${tenth(x)},${tenth(y)}`).join(' ')}"/>`;
    }
  })();
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" preserveAspectRatio="none">${drawn}</svg>`;
}

/** A box around a shape, in percent of the picture. That of a point has no size. */
export interface Bounds {
  x: number;
  y: number;
  width: number;
  height: number;
}

export function boundsOf(shape: Shape): Bounds {
  if (shape.kind === 'point') return { x: shape.x, y: shape.y, width: 0, height: 0 };
  if (shape.kind === 'box') return shape;
  const across = shape.points.map(([x]) => x);
  const down = shape.points.map(([, y]) => y);
  const [x, y] = [Math.min(...across), Math.min(...down)];
  return { x, y, width: Math.max(...across) - x, height: Math.max(...down) - y };
}

function isWithin({ x, y, width, height }: Bounds): boolean {
  return x >= 0 && y >= 0 && x + width <= 100.05 && y + height <= 100.05;
}

/** Matches the letter of a mark, which is one for all languages. */
export const MARK_LETTER = /^[a-z]$/;

/**
 * A mark on a picture: a Web Annotation of the W3C, whose target is the picture that holds it. Its notes are bodies, one for each
 * language; a mark without a note belongs to a passage of the text, `:mark[words]{#a}`.
 */
export interface PlateMark {
  type: 'Annotation';
  /** The letter. */
  id: string;
  body: { type: 'TextualBody'; language: Language; value: string }[];
  target: { selector: { type: 'SvgSelector'; value: string } };
}

/** Returns the note of a mark in a language; an empty text where there is none. */
export function noteOf({ body }: PlateMark, language: Language): string {
  return body.find((one) => one.language === language)?.value ?? '';
}

/** Returns a mark with this note in a language, or with none for a blank one. */
export function withNote(mark: PlateMark, language: Language, value: string): PlateMark {
  const others = mark.body.filter((one) => one.language !== language);
  const isBlank = value.trim() === '';
  return { ...mark, body: isBlank ? others : [...others, { type: 'TextualBody', language, value }] };
}

/** Returns a mark without notes. */
export function markOf(letter: string, shape: Shape): PlateMark {
  return {
    type: 'Annotation',
    id: letter,
    body: [],
    target: { selector: { type: 'SvgSelector', value: writeShape(shape) } },
  };
}

/** Returns the letters of the marks on pictures. */
export function lettersOf(
  pictures: readonly ({ marks?: readonly PlateMark[] | undefined } | null)[],
): string[] {
  return pictures.flatMap((picture) => picture?.marks?.map(({ id }) => id) ?? []);
}

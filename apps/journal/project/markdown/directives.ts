import type { ContainerDirective, LeafDirective, TextDirective } from 'mdast-util-directive';
import { MARK_LETTER } from '../marks.ts';

/** The call-outs: blocks that stand out of a text, as `:::warning`. */
const CALLOUTS = ['warning', 'summary', 'key-points'] as const;
export type CalloutName = (typeof CALLOUTS)[number];

/** The marks within a line: `:sup[2]`, `:sub[2]`, `:cite[key]`, and `:mark[words]{#a}` for a passage that a mark on a plate belongs to. */
const MARKS: readonly string[] = ['sup', 'sub', 'cite', 'mark'];

/** A picture within a text, as `:::figure{src=… alt=…}` with its caption inside says it. */
export interface FigureDetails {
  src: string;
  /** Pixels; `null` when they are not known. */
  width: number | null;
  height: number | null;
  /** The words for readers who do not see it. */
  alt: string;
  /** Its author, and what others may do with it. */
  credit: string;
  licence: string;
}

/** The key of a reference has only these characters, so that it needs no quotation. */
const CITATION_KEY = /^[\w.:/-]{1,100}$/;

export function isCitationKey(key: string): boolean {
  return CITATION_KEY.test(key);
}

/** Matches the path of a file in the storage: pages load pictures from nowhere else. */
const STORED = /^\/storage\/(?!.*(?:\.|%2e){2})[^\s<>"\\]+$/i;

export function isStoredPicture(src: string): boolean {
  return STORED.test(src);
}

export function isCallout(name: string): name is CalloutName {
  return (CALLOUTS as readonly string[]).includes(name);
}

export function isFigure({ name, attributes }: ContainerDirective | LeafDirective): boolean {
  return name === 'figure' && Boolean(attributes?.src);
}

export function isKnownBlock(node: ContainerDirective): boolean {
  return isCallout(node.name) || isFigure(node);
}

export function isKnownMark(node: TextDirective): boolean {
  if (!MARKS.includes(node.name) || node.children.length === 0) return false;
  if (node.name === 'mark') return markLetter(node) !== null;
  return node.name !== 'cite' || citationKey(node) !== null;
}

/** Returns the key that `:cite[key]` names, or `null` when it is not one. */
export function citationKey({ children }: TextDirective): string | null {
  const key = children.map((child) => (child.type === 'text' ? child.value : ' ')).join('');
  return isCitationKey(key) ? key : null;
}

/** Returns the letter that `:mark[words]{#a}` names, or `null` when it is not one. */
export function markLetter({ name, attributes }: TextDirective): string | null {
  const letter = attributes?.id ?? '';
  return name === 'mark' && MARK_LETTER.test(letter) ? letter : null;
}

/** Returns what a figure says about its picture. */
export function figureDetails({ attributes }: ContainerDirective | LeafDirective): FigureDetails {
  const { src, alt, credit, licence, width, height } = attributes ?? {};
  return {
    src: src ?? '',
    width: pixels(width),
    height: pixels(height),
    alt: alt ?? '',
    credit: credit ?? '',
    licence: licence ?? '',
  };
}

/** Returns the attributes of a figure, in the order in which they are written. */
export function figureAttributes(details: FigureDetails): Record<string, string> {
  const { src, alt, credit, licence, width, height } = details;
  const all = { src, alt, credit, licence, width: String(width ?? ''), height: String(height ?? '') };
  return Object.fromEntries(Object.entries(all).filter(([name, value]) => name === 'src' || value !== ''));
}

function pixels(text: string | null | undefined): number | null {
  const count = Number(text);
  return Number.isInteger(count) && count > 0 && count <= 1_000_000 ? count : null;
}

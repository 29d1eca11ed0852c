import { symbolFont } from '@fabrica/contract/signs';

/** What the looks of an element say about its words. */
export interface Look {
  /** Whether they are struck out, and so taken back. */
  struck: boolean;
  /** The font, if it shows signs in place of letters. */
  font: string | undefined;
  shift: 'sup' | 'sub' | undefined;
}

export const PLAIN_LOOK: Look = { struck: false, font: undefined, shift: undefined };

/** Elements that strike their words out. */
export const STRUCK = new Set(['s', 'strike', 'del']);

/** Characters of a style that are read. */
const MAX_STYLE = 2_000;
const DECORATION = /(?:^|;)\s*(?:text-decoration(?:-line)?|text-line-through)\s*:\s*([^;]*)/i;
const FAMILY = /(?:^|;)\s*font-family\s*:\s*([^;]+)/i;
const FONT = /(?:^|;)\s*font\s*:\s*([^;]+)/i;
const SHIFT = /(?:^|;)\s*(?:vertical-align\s*:\s*(super|sub)\b|mso-text-raise\s*:\s*(-?)[2-9])/i;

/** Returns the look of an element within one of the look `outer`. Style sheets are not read. */
export function lookWithin(outer: Look, name: string, attributes: Record<string, string>): Look {
  const style = attributes.style?.slice(0, MAX_STYLE) ?? '';
  const isShift = name === 'sup' || name === 'sub';
  if (style === '' && !attributes.face && !isShift && !STRUCK.has(name)) return outer;
  const decoration = DECORATION.exec(style)?.[1] ?? '';
  const struck =
    /line-through|double|single/i.test(decoration) || (STRUCK.has(name) && !/none/i.test(decoration));
  const families = FAMILY.exec(style)?.[1] ?? familiesOf(FONT.exec(style)?.[1]) ?? attributes.face;
  const [isShifted, aligned, below] = SHIFT.exec(style) ?? [];
  const shift =
    isShifted && ((aligned?.toLowerCase() ?? (below ? 'sub' : 'super')) === 'sub' ? 'sub' : 'sup');
  return {
    struck: outer.struck || struck,
    font: families ? symbolFont(families) : outer.font,
    shift: isShift ? name : shift || outer.shift,
  };
}

/** Returns the families of a `font`, which stand behind its size. */
function familiesOf(font: string | undefined): string | undefined {
  const words = font?.trim().split(/\s+/) ?? [];
  const size = words.findLastIndex((word) => /^[\d.]+(?:p[tx]|r?em|%)/.test(word));
  return size < 0 ? undefined : words.slice(size + 1).join(' ');
}

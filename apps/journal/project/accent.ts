/** The grounds that accented words and buttons stand on, by theme (`styles.css`): paper, raised, and words on a button. */
const GROUNDS = {
  light: ['#fbf8f3', '#fffdfa', '#fffaf5'],
  dark: ['#14110f', '#1d1916', '#1c100e'],
} as const;

export type AccentTheme = keyof typeof GROUNDS;

/** The contrast that WCAG AA demands of text. */
export const MIN_CONTRAST = 4.5;

export const COLOUR = /^#[0-9a-f]{6}$/;

/** Returns the least contrast of a colour (`#8c2f2b`) with the grounds of a theme: from 1 to 21. */
export function accentContrast(colour: string, theme: AccentTheme): number {
  const own = luminance(colour);
  const contrasts = GROUNDS[theme].map((ground) => {
    const other = luminance(ground);
    return (Math.max(own, other) + 0.05) / (Math.min(own, other) + 0.05);
  });
  return Math.min(...contrasts);
}

/** Returns whether words in this colour can be read on all grounds of a theme. */
export function isReadableAccent(colour: string, theme: AccentTheme): boolean {
  return COLOUR.test(colour) && accentContrast(colour, theme) >= MIN_CONTRAST;
}

/** Returns the relative luminance that WCAG 2 defines, from 0 to 1. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

/** `12 bytes`, `1.4 MB` */
export function presentSize(bytes: number): string {
  let size = bytes;
  let unit = 0;
  // What would be rounded to a thousand is one of the next unit.
  while (size >= 999.5 && unit < UNITS.length - 1) {
    size /= 1_000;
    unit += 1;
  }
  return `${unit === 0 || size >= 99.95 ? Math.round(size) : Math.round(size * 10) / 10} ${UNITS[unit]}`;
}

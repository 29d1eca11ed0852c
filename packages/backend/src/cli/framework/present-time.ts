/** For eyes, to the second: `2026-11-21 15:03:08Z`. */
export function presentTime(epochMs: number | null): string | null {
  return epochMs === null ? null : new Date(epochMs).toISOString().replace('T', ' ').replace(/\.\d+/, '');
}

/** For machines: ISO 8601. */
export function isoTime(epochMs: number | null): string | null {
  return epochMs === null ? null : new Date(epochMs).toISOString();
}

import type { Environment } from './settings.ts';

/** Shorter names of other programs (`HOME`, `SHELL`) are too close to ours by chance. */
const SHORTEST = 6;

export interface Misspelling {
  name: string;
  /** The setting that was probably meant. */
  meant: string;
}

/**
 * Returns the variables of the environment that are no settings, and differ from one by a letter or two or by their
 * underscores: `PUBLIC_URI`, `AI_BASEURL`. `foreign` matches names that belong to somebody else.
 */
export function misspeltSettings(
  environment: Environment,
  settings: readonly string[],
): readonly Misspelling[] {
  const known = new Set(settings.flatMap((name) => [name, `${name}_FILE`]));
  return Object.keys(environment).flatMap((name) => {
    if (known.has(name) || name.length < SHORTEST || !/^[A-Za-z][A-Za-z0-9_]+$/.test(name)) return [];
    const meant = settings.find((setting) => isClose(name, setting));
    return meant ? [{ name, meant }] : [];
  });
}

function isClose(name: string, setting: string): boolean {
  const [one, other] = [name, setting].map((text) => text.replaceAll('_', '').toUpperCase()) as [
    string,
    string,
  ];
  const most = Math.min(one.length, other.length) >= 10 ? 2 : 1;
  return Math.abs(one.length - other.length) <= most && distance(one, other) <= most;
}

/** Returns how many letters have to be added, removed or replaced to make one text of the other (Levenshtein). */
function distance(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const replaced = Number(above[column - 1]) + Number(one[row - 1] !== other[column - 1]);
      current.push(Math.min(replaced, Number(above[column]) + 1, Number(current[column - 1]) + 1));
    }
    above = current;
  }
  return Number(above.at(-1));
}

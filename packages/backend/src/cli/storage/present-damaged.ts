import { printable } from '../framework/printable.ts';

/** Of files, by their paths. */
export function presentDamaged(paths: readonly string[]): string {
  const lines = paths.map((path) => `  ${printable(path)}`).join('\n');
  return `The originals of these files are missing or damaged where they were copied from:\n${lines}`;
}

import { readFileSync } from 'node:fs';

const manifest = new URL('../../package.json', import.meta.url);

/**
 * The version of Fabrica: of the package of the backend, whose version is that of all of them. Connections to PostgreSQL carry it, so
 * that an operator sees which versions run.
 */
export const VERSION = readVersion(readFileSync(manifest, 'utf8'));

function readVersion(text: string): string {
  const { version } = JSON.parse(text) as { version: string };
  return version;
}

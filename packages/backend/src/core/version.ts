import manifest from '../../package.json' with { type: 'json' };

// biome-ignore lint/style/noProcessEnv: no setting, but how a package names the build that it has (`scripts/package.mjs`).
const { FABRICA_BUILD: build } = process.env;

/**
 * The version of Fabrica: of the package of the backend, whose version is that of all of them, and the build of a package, as
 * `0.1.0+1a2b3c4`. Connections to PostgreSQL carry it, so that an operator sees which versions run.
 */
export const VERSION: string = build ? `${manifest.version}+${build}` : manifest.version;

import manifest from '../../package.json' with { type: 'json' };

/**
 * The version of Fabrica: of the package of the backend, whose version is that of all of them. Connections to PostgreSQL carry it, so
 * that an operator sees which versions run.
 */
export const VERSION: string = manifest.version;

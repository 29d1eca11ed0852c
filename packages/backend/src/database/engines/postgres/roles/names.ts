import { createHash } from 'node:crypto';

/** PostgreSQL truncates longer names. */
const MAX_BYTES = 63;

/** Returns the name of the schema of a project's tables. */
export function schemaName(projectId: string): string {
  return shorten(`project_${projectId}`);
}

/**
 * Returns the name of the role that a project logs in as. All databases of a server share its roles, so that the
 * database is part of the name; the id of a project contains no dot.
 */
export function roleName(projectId: string, database: string): string {
  return shorten(`fabrica.${projectId}.${database}`);
}

/**
 * Returns the name of the role that the SQL of a project's clients logs in as, by the name of the project's role. No role of a
 * project begins like this.
 */
export function statementRoleName(role: string): string {
  return shorten(role.replace(/^fabrica/, 'fabrica-sql'));
}

/** Replaces the end of a name that is too long with a hash of the whole name. */
function shorten(name: string): string {
  if (Buffer.byteLength(name) <= MAX_BYTES) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 24);
  // Other characters than ASCII could be cut in the middle.
  return `${name.replace(/[^\x20-\x7e]/g, '_').slice(0, MAX_BYTES - 1 - hash.length)}.${hash}`;
}

import { createHash } from 'node:crypto';

/** Longer names are cut off by PostgreSQL. */
const MOST_BYTES = 63;

/** The schema of a project's tables. */
export function schemaName(projectId: string): string {
  return within(`project_${projectId}`);
}

/**
 * The role that a project logs in as. Roles are shared by all databases of a server, so that the database is part of
 * the name; no project's id has a dot in it.
 */
export function roleName(projectId: string, database: string): string {
  return within(`fabrica.${projectId}.${database}`);
}

/** Names that are too long end in a hash of all of them. */
function within(name: string): string {
  if (Buffer.byteLength(name) <= MOST_BYTES) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 24);
  // What is not ASCII may be cut in the middle of a character.
  return `${name.replace(/[^\x20-\x7e]/g, '_').slice(0, MOST_BYTES - 1 - hash.length)}.${hash}`;
}

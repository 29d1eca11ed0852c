import { type Kysely, sql } from 'kysely';
import type { ProjectDefinition } from '../../../core/project.ts';
import { parsePublicUrl } from '../serving/public-url.ts';

/** Where accounts have the addresses of their photos. */
const ACCOUNT_PHOTOS = { table: 'users', column: 'photo_url' };

/** The paths of all files that a row of the project names, or an account as its photo. */
export async function listReferencedPaths(
  database: Kysely<unknown>,
  { id, tables }: ProjectDefinition,
): Promise<Set<string>> {
  const ofRows = Object.entries(tables).flatMap(([table, { files = [] }]) =>
    files.map((column) => ({ table, column })),
  );
  const paths = new Set<string>();
  for (const { table, column } of [...ofRows, ACCOUNT_PHOTOS]) {
    const { rows } = await sql<{ address: string }>`
      SELECT DISTINCT ${sql.ref(column)} AS address FROM ${sql.table(table)}
      WHERE ${sql.ref(column)} IS NOT NULL`.execute(database);
    for (const { address } of rows) {
      const named = parsePublicUrl(address);
      if (named?.projectId === id) paths.add(named.path);
    }
  }
  return paths;
}

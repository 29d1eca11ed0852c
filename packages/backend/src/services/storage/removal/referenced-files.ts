import { type Kysely, sql } from 'kysely';
import type { ProjectDefinition } from '../../../core/project.ts';
import { parsePublicUrl } from '../serving/public-url.ts';

/** The column with the URLs of accounts' photos. */
const ACCOUNT_PHOTOS = { table: 'users', column: 'photo_url' };

/** Returns the paths of all files that a row of the project or an account's photo refers to. */
export async function listReferencedPaths(
  database: Kysely<unknown>,
  { id, tables }: ProjectDefinition,
): Promise<Set<string>> {
  const columns = Object.entries(tables).flatMap(([table, { files = [] }]) =>
    files.map((column) => ({ table, column })),
  );
  const paths = new Set<string>();
  for (const { table, column } of [...columns, ACCOUNT_PHOTOS]) {
    const { rows } = await sql<{ url: string }>`
      SELECT DISTINCT ${sql.ref(column)} AS url FROM ${sql.table(table)}
      WHERE ${sql.ref(column)} IS NOT NULL`.execute(database);
    for (const { url } of rows) {
      const file = parsePublicUrl(url);
      if (file?.projectId === id) paths.add(file.path);
    }
  }
  return paths;
}

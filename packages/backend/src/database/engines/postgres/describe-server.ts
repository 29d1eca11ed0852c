import type { Client } from 'pg';
import { FOLDING_COLLATIONS } from './syntax.ts';

/** The properties of a server that matter here. */
export interface ServerProperties {
  /** A collation that knows upper and lower case of every alphabet; undefined for the server's default. */
  foldingCollation: string | undefined;
}

const MIN_VERSION = 140_000;

/** Throws when the server is too old, is a replica, or stores texts in another encoding than UTF-8. */
export async function describeServer(admin: Client): Promise<ServerProperties> {
  const { rows } = await admin.query(
    `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number,
       current_setting('server_encoding') AS encoding, pg_is_in_recovery() AS copy,
       ARRAY(SELECT collname::text FROM pg_collation
             WHERE collname = ANY ($1) AND collencoding IN (-1, pg_char_to_encoding('UTF8'))) AS collations`,
    [FOLDING_COLLATIONS],
  );
  const { version, number, encoding, copy, collations } = rows[0];
  if (number < MIN_VERSION)
    throw new Error(`PostgreSQL ${version} is too old: Fabrica needs version 14 or a later one.`);
  if (encoding !== 'UTF8')
    throw new Error(`The database of DATABASE_URL is in ${encoding}: Fabrica needs UTF8.`);
  if (copy)
    throw new Error('DATABASE_URL leads to a copy that cannot be written to: name the primary server.');
  return { foldingCollation: FOLDING_COLLATIONS.find((name) => collations.includes(name)) };
}

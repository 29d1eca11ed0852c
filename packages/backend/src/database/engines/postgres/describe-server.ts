import type { Client } from 'pg';
import { FOLDING_COLLATIONS } from './syntax.ts';

/** What matters of the server that a database is on. */
export interface ServerFacts {
  /** The collation that knows upper and lower case; undefined for the server's own. */
  folding: string | undefined;
}

const OLDEST = 140_000;

/** Throws a sentence when the server is too old, is a copy, or keeps texts in another encoding. */
export async function describeServer(admin: Client): Promise<ServerFacts> {
  const { rows } = await admin.query(
    `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number,
       current_setting('server_encoding') AS encoding, pg_is_in_recovery() AS copy,
       ARRAY(SELECT collname::text FROM pg_collation
             WHERE collname = ANY ($1) AND collencoding IN (-1, pg_char_to_encoding('UTF8'))) AS collations`,
    [FOLDING_COLLATIONS],
  );
  const { version, number, encoding, copy, collations } = rows[0];
  if (number < OLDEST)
    throw new Error(`PostgreSQL ${version} is too old: Fabrica needs version 14 or a later one.`);
  if (encoding !== 'UTF8')
    throw new Error(`The database of DATABASE_URL is in ${encoding}: Fabrica needs UTF8.`);
  if (copy)
    throw new Error('DATABASE_URL leads to a copy that cannot be written to: name the primary server.');
  return { folding: FOLDING_COLLATIONS.find((name) => collations.includes(name)) };
}

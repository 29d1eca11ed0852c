import { escapeIdentifier, escapeLiteral } from 'pg';
import { migrationTables } from '../../../migration-tables.ts';
import { NotAllowed, nameIsReserved, RESERVED_PREFIX } from '../../../sql/statement-error.ts';

/** Runs a statement of ours in the transaction of a batch, and returns its rows. */
export type RunSql = (text: string, values?: readonly unknown[]) => Promise<Record<string, unknown>[]>;

/** The function of a trigger that former versions have left on tables; it does nothing. */
const FORMER_RECORDER = 'fabrica_record_change';

/** The comment on a table or view that a client has created; all others come from migrations. */
export const CLIENT_MARK = '(made through /sql)';

const RELATION_KINDS: Readonly<Record<string, string>> = {
  r: 'TABLE',
  p: 'TABLE',
  v: 'VIEW',
  m: 'MATERIALIZED VIEW',
  f: 'FOREIGN TABLE',
};

const IS_RELATION = `relkind IN (${Object.keys(RELATION_KINDS)
  .map((kind) => `'${kind}'`)
  .join(', ')})`;

/**
 * Catalogs in which a role can change its own password and settings. It cannot read them, so that a write is noticed by
 * the lock that it takes.
 */
const ROLE_CATALOGS = ['pg_authid', 'pg_auth_members', 'pg_db_role_setting'];

/** The tables and views that migrations have created, as they were before a batch. */
export interface GuardedTables {
  schema: string;
  /** The id of the transaction of the batch. */
  transaction: string;
  /** The object identifiers of the tables and views, as the text of an array. */
  oids: string;
  /** The tables in which the migrator records migrations, if they exist. */
  migrationTables: readonly string[];
  /** Whether the batch may change definitions. */
  mayChangeDefinitions: boolean;
  /** A hash of all definitions and of the migration tables; without definitions if the batch cannot change them. */
  fingerprint: string;
}

/** Verbs of statements that change nothing but rows, unless they call a function of the project's. */
const ROW_VERBS: readonly string[] = ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'MERGE', 'WITH', 'VALUES'];

/**
 * Takes the fingerprint of everything that migrations have created. The role that runs a batch owns it, and PostgreSQL
 * does not keep an owner from changing it: `requireUnchanged` notices a change at the end of the batch.
 */
export async function guardTables(run: RunSql, verbs: readonly string[]): Promise<GuardedTables> {
  const [found] = await run(
    `SELECT nspname AS schema, pg_current_xact_id()::text AS transaction,
       ARRAY(SELECT pg_class.oid FROM pg_class
             WHERE relnamespace = pg_namespace.oid AND ${IS_RELATION}
               AND coalesce(obj_description(pg_class.oid, 'pg_class'), '') NOT LIKE '%' || $1)::text AS oids,
       ARRAY(SELECT relname::text FROM pg_class
             WHERE relnamespace = pg_namespace.oid AND relname = ANY ($2)) AS "migrationTables",
       EXISTS (SELECT 1 FROM pg_proc WHERE pronamespace = pg_namespace.oid AND proname <> $3) AS functions
     FROM pg_namespace WHERE nspname = current_schema()`,
    [CLIENT_MARK, migrationTables, FORMER_RECORDER],
  );
  if (!found) throw new Error('The schema of a project is not there.');
  const { functions, ...tables } = found as unknown as GuardedTables & { functions: boolean };
  const mayChangeDefinitions = functions || !verbs.every((verb) => ROW_VERBS.includes(verb));
  const guarded = { ...tables, mayChangeDefinitions };
  return { ...guarded, fingerprint: await fingerprintOf(run, guarded) };
}

/** Throws NotAllowed when the batch has changed what migrations create; marks the relations that it has created. */
export async function requireUnchanged(run: RunSql, guarded: GuardedTables): Promise<void> {
  const created = await run(
    `SELECT relname AS name, relkind AS kind, obj_description(pg_class.oid, 'pg_class') AS comment FROM pg_class
     WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1) AND ${IS_RELATION}
       AND pg_class.oid <> ALL ($2::oid[])
       AND coalesce(obj_description(pg_class.oid, 'pg_class'), '') NOT LIKE '%' || $3`,
    [guarded.schema, guarded.oids, CLIENT_MARK],
  );
  const [state] = await run(
    `SELECT EXISTS (
       SELECT 1 FROM pg_locks WHERE pid = pg_backend_pid() AND relation = ANY ($1::regclass[]) AND mode = 'RowExclusiveLock'
     ) AS written, pg_current_xact_id()::text AS transaction`,
    [ROLE_CATALOGS],
  );
  if (state?.transaction !== guarded.transaction) {
    throw new NotAllowed('it ends the transaction that the server has begun.');
  }
  if (state?.written) throw new NotAllowed('roles are the server’s own, and so is the one that runs this.');
  if ((await fingerprintOf(run, guarded)) !== guarded.fingerprint) {
    throw new NotAllowed(
      'a table or view that migrations make, or what the server keeps beside it, would not be what it was: it is changed by a migration.',
    );
  }
  for (const { name, kind, comment } of created as unknown as CreatedRelation[]) {
    if (name.startsWith(RESERVED_PREFIX)) throw nameIsReserved(name);
    const relation = `${escapeIdentifier(guarded.schema)}.${escapeIdentifier(name)}`;
    await run(
      `COMMENT ON ${RELATION_KINDS[kind]} ${relation} IS ${escapeLiteral(`${comment ?? ''} ${CLIENT_MARK}`.trim())}`,
    );
  }
}

interface CreatedRelation {
  name: string;
  kind: string;
  comment: string | null;
}

/** Returns a hash of the definitions and privileges of these tables, and of the migrations that have run. */
async function fingerprintOf(
  run: RunSql,
  { schema, oids, migrationTables: noted, mayChangeDefinitions }: Omit<GuardedTables, 'fingerprint'>,
): Promise<string> {
  const qualified = (table: string) => `${escapeIdentifier(schema)}.${escapeIdentifier(table)}`;
  const definitions = [
    `SELECT concat_ws(' ', 'class', oid, relname, relnamespace, relkind, relowner, relpersistence, relrowsecurity,
       relforcerowsecurity, relispartition, relacl, reloptions, obj_description(oid, 'pg_class'))
     FROM pg_class WHERE oid IN (SELECT oid FROM known)`,
    `SELECT concat_ws(' ', 'index', pg_class.oid, relname, relowner, reloptions, pg_index::text)
     FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE indrelid IN (SELECT oid FROM known)`,
    ...[
      ['pg_attribute', 'attnum > 0 AND attrelid'],
      ['pg_attrdef', 'adrelid'],
      ['pg_constraint', 'conrelid'],
      ['pg_trigger', 'NOT tgisinternal AND tgrelid'],
      ['pg_rewrite', 'ev_class'],
      ['pg_policy', 'polrelid'],
      ['pg_inherits', 'inhparent'],
      ['pg_inherits', 'inhrelid'],
    ].map(
      ([catalog, column]) =>
        `SELECT '${catalog} ' || one::text FROM ${catalog} AS one WHERE ${column} IN (SELECT oid FROM known)`,
    ),
    `SELECT concat_ws(' ', 'function', oid, proname, proowner, prosecdef, proconfig, prosrc) FROM pg_proc
     WHERE oid IN (SELECT tgfoid FROM pg_trigger WHERE tgrelid IN (SELECT oid FROM known))`,
    `SELECT concat_ws(' ', 'schema', oid, nspname, nspowner, nspacl) FROM pg_namespace WHERE nspname = $2`,
    `SELECT 'default ' || one::text FROM pg_default_acl AS one
     WHERE defaclrole = (SELECT oid FROM pg_roles WHERE rolname = session_user)`,
  ];
  const lines = [
    `SELECT $2::text`,
    ...noted.map((table) => `SELECT 'note ' || one::text FROM ${qualified(table)} AS one`),
    ...(mayChangeDefinitions ? definitions : []),
  ];
  const [row] = await run(
    `WITH known AS (SELECT unnest($1::oid[]) AS oid), lines (line) AS (${lines.join(' UNION ALL ')})
     SELECT md5(string_agg(line, E'\\n' ORDER BY line COLLATE "C")) AS fingerprint FROM lines`,
    [oids, schema],
  );
  return String(row?.fingerprint);
}

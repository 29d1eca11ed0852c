import { escapeIdentifier, escapeLiteral } from 'pg';
import { MIGRATION_LOCK_TABLE, MIGRATION_TABLE } from '../../../migrate.ts';
import { NotAllowed } from '../../../sql/statement-error.ts';
import type { Ask } from './ask.ts';
import { RECORD_FUNCTION } from './record-changes.ts';

/** Names of ours begin with this. */
export const RESERVED_PREFIX = 'fabrica_';

/** What is written beside a table or view that a client has made; all others are made by migrations. */
const MARK = '(made through /sql)';

const KINDS: Readonly<Record<string, string>> = {
  r: 'TABLE',
  p: 'TABLE',
  v: 'VIEW',
  m: 'MATERIALIZED VIEW',
  f: 'FOREIGN TABLE',
};

const RELATIONS = `relkind IN (${Object.keys(KINDS)
  .map((kind) => `'${kind}'`)
  .join(', ')})`;

/** Where a role could write its own password and settings, which nobody else can read: the lock on them tells. */
const ROLE_CATALOGS = ['pg_authid', 'pg_auth_members', 'pg_db_role_setting'];

/** What migrations have made, as it was before a batch. */
export interface GuardedTables {
  schema: string;
  /** Numbers of tables and views, as a list in text. */
  numbers: string;
  /** Where the migrations that have run are noted, if they are. */
  notes: readonly string[];
  /** Whether the batch may change what tables are made of. */
  thorough: boolean;
  /** Of all that they are made of; of the notes alone where nothing else may have changed. */
  print: string;
}

/** What begins a statement that changes rows at most, unless it calls a function that does more. */
const ROWS_ALONE: readonly string[] = ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'MERGE', 'WITH', 'VALUES'];

/**
 * Looks at everything that migrations have made: whoever is logged in owns it, and nothing in PostgreSQL keeps an owner
 * from changing it. What a batch has changed shows at its end.
 */
export async function guardTables(ask: Ask, verbs: readonly string[]): Promise<GuardedTables> {
  const [found] = await ask(
    `SELECT nspname AS schema,
       ARRAY(SELECT pg_class.oid FROM pg_class
             WHERE relnamespace = pg_namespace.oid AND ${RELATIONS}
               AND coalesce(obj_description(pg_class.oid, 'pg_class'), '') NOT LIKE '%' || $1)::text AS numbers,
       ARRAY(SELECT relname::text FROM pg_class
             WHERE relnamespace = pg_namespace.oid AND relname = ANY ($2)) AS notes,
       EXISTS (SELECT 1 FROM pg_proc WHERE pronamespace = pg_namespace.oid AND proname <> $3) AS functions
     FROM pg_namespace WHERE nspname = current_schema()`,
    [MARK, [MIGRATION_TABLE, MIGRATION_LOCK_TABLE], RECORD_FUNCTION],
  );
  if (!found) throw new Error('The schema of a project is not there.');
  const { functions, ...known } = found as unknown as GuardedTables & { functions: boolean };
  const thorough = functions || !verbs.every((verb) => ROWS_ALONE.includes(verb));
  return { ...known, thorough, print: await printOf(ask, { ...known, thorough }) };
}

/** Throws NotAllowed when the batch has changed what migrations make; marks what it has made itself. */
export async function requireUntouched(ask: Ask, guarded: GuardedTables): Promise<void> {
  const made = await ask(
    `SELECT relname AS name, relkind AS kind, obj_description(pg_class.oid, 'pg_class') AS comment FROM pg_class
     WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1) AND ${RELATIONS}
       AND pg_class.oid <> ALL ($2::oid[])
       AND coalesce(obj_description(pg_class.oid, 'pg_class'), '') NOT LIKE '%' || $3`,
    [guarded.schema, guarded.numbers, MARK],
  );
  const [roles] = await ask(
    `SELECT EXISTS (
       SELECT 1 FROM pg_locks WHERE pid = pg_backend_pid() AND relation = ANY ($1::regclass[]) AND mode = 'RowExclusiveLock'
     ) AS written`,
    [ROLE_CATALOGS],
  );
  if (roles?.written) throw new NotAllowed('roles are the server’s own, and so is the one that runs this.');
  if ((await printOf(ask, guarded)) !== guarded.print) {
    throw new NotAllowed(
      'a table or view that migrations make, or what the server keeps beside it, would not be what it was: it is changed by a migration.',
    );
  }
  for (const { name, kind, comment } of made as unknown as Made[]) {
    if (name.startsWith(RESERVED_PREFIX)) {
      throw new NotAllowed(
        `names that begin with "${RESERVED_PREFIX}" are the server's own, and so is "${name}".`,
      );
    }
    const place = `${escapeIdentifier(guarded.schema)}.${escapeIdentifier(name)}`;
    await ask(`COMMENT ON ${KINDS[kind]} ${place} IS ${escapeLiteral(`${comment ?? ''} ${MARK}`.trim())}`);
  }
}

interface Made {
  name: string;
  kind: string;
  comment: string | null;
}

/** A sum of whatever the catalog says of these tables, of who may do what with them, and of which migrations have run. */
async function printOf(
  ask: Ask,
  { schema, numbers, notes, thorough }: Omit<GuardedTables, 'print'>,
): Promise<string> {
  const of = (table: string) => `${escapeIdentifier(schema)}.${escapeIdentifier(table)}`;
  const structure = [
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
    ...notes.map((table) => `SELECT 'note ' || one::text FROM ${of(table)} AS one`),
    ...(thorough ? structure : []),
  ];
  const [sum] = await ask(
    `WITH known AS (SELECT unnest($1::oid[]) AS oid), lines (line) AS (${lines.join(' UNION ALL ')})
     SELECT md5(string_agg(line, E'\\n' ORDER BY line COLLATE "C")) AS print FROM lines`,
    [numbers, schema],
  );
  return String(sum?.print);
}

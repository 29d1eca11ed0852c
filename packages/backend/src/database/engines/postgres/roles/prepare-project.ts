import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { type Client, escapeIdentifier, escapeLiteral } from 'pg';
import { sqlState } from '../postgres-error.ts';
import { SERVICE_TIMEOUTS } from '../sessions/timeouts.ts';
import { roleName, schemaName, statementRoleName } from './names.ts';

/** A role, and the password that it logs in with. */
interface Role {
  name: string;
  password: string;
}

/** The roles and the schema of a project, and the secrets that are derived from the password of its role. */
export interface ProjectAccess {
  role: Role;
  /** The role that runs the SQL of clients. It owns what that has created, and may read and write the rows of everything else. */
  statementRole: Role;
  schema: string;
  /** The channel of its notifications, whose name only those who know the password can know. */
  channel: string;
  /** The quoted name of the sequence that counts its commits. */
  counter: string;
  /** The advisory lock of its service transactions. */
  lock: bigint;
}

/** The advisory lock by which one process at a time prepares projects. */
const PREPARE_LOCK = '7164118722015431289';

/** The sequence, in the schema of a project, that counts its commits. */
const COUNTER = 'commit_count';

const SCRAM_ITERATIONS = 4_096;

/**
 * Creates the roles and the schema of a project if they do not exist, and restores what a role may have changed of
 * itself. The project's role owns the schema and is granted nothing else; its password is stored where only the role of the
 * settings reads it. Throws an error with a message for the operator.
 */
export async function prepareProject(admin: Client, projectId: string): Promise<ProjectAccess> {
  try {
    await admin.query('BEGIN');
    await admin.query(`SELECT pg_advisory_xact_lock(${PREPARE_LOCK})`);
    const access = await prepare(admin, projectId);
    await admin.query('COMMIT');
    return access;
  } catch (error) {
    await admin.query('ROLLBACK').catch(() => undefined);
    if (sqlState(error) === undefined) throw error;
    const { message } = error as Error;
    throw new Error(`The database of project "${projectId}" cannot be prepared: ${message}.`, {
      cause: error,
    });
  }
}

/** Tells whether a project was prepared, without creating anything. */
export async function isPrepared(admin: Client, projectId: string): Promise<boolean> {
  const { rows } = await admin.query('SELECT to_regnamespace(quote_ident($1)) IS NOT NULL AS there', [
    schemaName(projectId),
  ]);
  return rows[0].there;
}

async function prepare(admin: Client, projectId: string): Promise<ProjectAccess> {
  await prepareRoleTable(admin);
  const { rows } = await admin.query('SELECT current_database() AS database');
  const database: string = rows[0].database;
  const role = await roleOf(admin, projectId, database);
  const secret = (purpose: string) => createHmac('sha256', role.password).update(purpose).digest();
  const statementRole = {
    name: statementRoleName(role.name),
    password: secret('statements').toString('base64url'),
  };
  const schema = schemaName(projectId);
  for (const one of [role, statementRole]) await prepareRole(admin, one);
  await prepareSchema(admin, schema, role.name);
  await prepareCounter(admin, schema, role.name);
  await admitStatements(admin, { schema, role: role.name, statementRole: statementRole.name });
  for (const { name } of [role, statementRole]) await setDefaults(admin, { role: name, schema, database });
  return {
    role,
    statementRole,
    schema,
    channel: `fabrica_${secret('notices').toString('hex').slice(0, 40)}`,
    counter: counterIn(schema),
    lock: secret('lock').readBigInt64BE(),
  };
}

/** Creates the table of the projects' roles and passwords if it does not exist. */
async function prepareRoleTable(admin: Client): Promise<void> {
  const { rows } = await admin.query(`SELECT to_regclass('fabrica.project_roles') IS NOT NULL AS there`);
  if (rows[0].there) return;
  await requireMayCreateSchemas(admin);
  await admin.query('CREATE SCHEMA IF NOT EXISTS fabrica');
  await admin.query(
    'CREATE TABLE fabrica.project_roles (project text PRIMARY KEY, role text NOT NULL UNIQUE, password text NOT NULL)',
  );
  await admin.query('REVOKE ALL ON SCHEMA fabrica FROM PUBLIC');
  await admin.query('REVOKE ALL ON fabrica.project_roles FROM PUBLIC');
}

async function roleOf(admin: Client, projectId: string, database: string): Promise<Role> {
  const { rows } = await admin.query('SELECT role, password FROM fabrica.project_roles WHERE project = $1', [
    projectId,
  ]);
  if (rows[0]) return { name: rows[0].role, password: rows[0].password };
  const role = { name: roleName(projectId, database), password: randomBytes(32).toString('base64url') };
  await admin.query('INSERT INTO fabrica.project_roles VALUES ($1, $2, $3)', [
    projectId,
    role.name,
    role.password,
  ]);
  return role;
}

async function prepareRole(admin: Client, { name, password }: Role): Promise<void> {
  await requireMayCreateRoles(admin);
  const role = escapeIdentifier(name);
  const verifier = escapeLiteral(scramVerifier(password));
  const { rows } = await admin.query(
    `SELECT rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls
       OR EXISTS (SELECT 1 FROM pg_auth_members WHERE member = pg_roles.oid) AS privileged
     FROM pg_roles WHERE rolname = $1`,
    [name],
  );
  if (rows.length === 0) {
    await admin.query(
      `CREATE ROLE ${role} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOINHERIT PASSWORD ${verifier}`,
    );
    return;
  }
  if (rows[0].privileged)
    throw new Error(`The role "${name}" of a project has more rights than its own: take them away.`);
  await admin.query(`ALTER ROLE ${role} LOGIN PASSWORD ${verifier}`);
  await admin.query(`ALTER ROLE ${role} RESET ALL`);
}

/**
 * Returns the verifier that a server stores for a password (RFC 5803), so that the password itself appears in no
 * statement and in no log of the server.
 */
function scramVerifier(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, SCRAM_ITERATIONS, 32, 'sha256');
  const hmac = (text: string) => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(hmac('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${SCRAM_ITERATIONS}:${salt.toString('base64')}$${storedKey}:${hmac('Server Key').toString('base64')}`;
}

async function requireMayCreateRoles(admin: Client): Promise<void> {
  const { rows } = await admin.query(
    'SELECT rolname AS name, rolsuper OR rolcreaterole AS may FROM pg_roles WHERE rolname = current_user',
  );
  if (rows[0].may) return;
  throw new Error(
    `The role "${rows[0].name}" of DATABASE_URL may not create roles, and each project needs one of its own: ALTER ROLE ${escapeIdentifier(rows[0].name)} CREATEROLE.`,
  );
}

/** Creates a schema that belongs to a project's role if it does not exist. */
export async function prepareSchema(admin: Client, schema: string, role: string): Promise<void> {
  const { rows } = await admin.query(
    'SELECT pg_get_userbyid(nspowner) AS owner FROM pg_namespace WHERE nspname = $1',
    [schema],
  );
  if (rows[0]) {
    if (rows[0].owner === role) return;
    throw new Error(`The schema "${schema}" belongs to the role "${rows[0].owner}" and not to "${role}".`);
  }
  await requireMayCreateSchemas(admin);
  await asMember(admin, role, () =>
    admin.query(`CREATE SCHEMA ${escapeIdentifier(schema)} AUTHORIZATION ${escapeIdentifier(role)}`),
  );
}

/** Returns the quoted name of the sequence that counts the commits of a project. */
export function counterIn(schema: string): string {
  return `${escapeIdentifier(schema)}.${COUNTER}`;
}

async function prepareCounter(admin: Client, schema: string, role: string): Promise<void> {
  const { rows } = await admin.query(
    'SELECT 1 FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace WHERE nspname = $1 AND relname = $2',
    [schema, COUNTER],
  );
  if (rows.length > 0) return;
  await asMember(admin, role, async () => {
    await admin.query(`SET LOCAL ROLE ${escapeIdentifier(role)}`);
    await admin.query(`CREATE SEQUENCE ${counterIn(schema)}`);
    await admin.query('RESET ROLE');
  });
}

/** The end of the comment on each table and view that SQL of a client had created before it had a role of its own. */
const FORMER_MARK = '(made through /sql)';

/**
 * Lets the role of statements create things in the schema, and read and write the rows of what the project's role has created
 * and is going to. What former versions have created for clients is handed over to it; nodes of those versions go on with that.
 */
async function admitStatements(
  admin: Client,
  { schema, role, statementRole }: { schema: string; role: string; statementRole: string },
): Promise<void> {
  const { rows: former } = await admin.query(
    `SELECT oid::regclass::text AS name FROM pg_class
     WHERE relnamespace = to_regnamespace(quote_ident($1)) AND relkind IN ('r', 'p', 'v', 'm', 'f')
       AND relowner = to_regrole(quote_ident($2)) AND obj_description(oid, 'pg_class') LIKE '%' || $3`,
    [schema, role, FORMER_MARK],
  );
  const { rows } = await admin.query(`SELECT has_schema_privilege($1, $2, 'CREATE') AS admitted`, [
    statementRole,
    schema,
  ]);
  if (rows[0].admitted && former.length === 0) return;
  const [within, owner, grantee] = [schema, role, statementRole].map(escapeIdentifier);
  const onTables = 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES ON';
  const onSequences = 'USAGE, SELECT ON';
  const statements = [
    `GRANT USAGE, CREATE ON SCHEMA ${within} TO ${grantee}`,
    `GRANT ${onTables} ALL TABLES IN SCHEMA ${within} TO ${grantee}`,
    `GRANT ${onSequences} ALL SEQUENCES IN SCHEMA ${within} TO ${grantee}`,
    `ALTER DEFAULT PRIVILEGES FOR ROLE ${owner} GRANT ${onTables} TABLES TO ${grantee}`,
    `ALTER DEFAULT PRIVILEGES FOR ROLE ${owner} GRANT ${onSequences} SEQUENCES TO ${grantee}`,
    ...former.map(({ name }) => `ALTER TABLE ${name} OWNER TO ${grantee}; GRANT ALL ON ${name} TO ${owner}`),
  ];
  await asMember(admin, role, () => asMember(admin, statementRole, () => admin.query(statements.join(';'))));
}

async function requireMayCreateSchemas(admin: Client): Promise<void> {
  const { rows } = await admin.query(
    `SELECT current_user AS role, current_database() AS database,
       has_database_privilege(current_database(), 'CREATE') AS may`,
  );
  const { role, database, may } = rows[0];
  if (may) return;
  throw new Error(
    `The role "${role}" of DATABASE_URL may not create schemas in the database "${database}": GRANT CREATE ON DATABASE ${escapeIdentifier(database)} TO ${escapeIdentifier(role)}.`,
  );
}

/** Runs `act` as a member of the role: only members and superusers may create or rename what belongs to a role. */
export async function asMember(admin: Client, role: string, act: () => Promise<unknown>): Promise<void> {
  const { rows } = await admin.query(
    `SELECT rolsuper AS super, current_setting('server_version_num')::int AS version
     FROM pg_roles WHERE rolname = current_user`,
  );
  if (rows[0].super) {
    await act();
    return;
  }
  const options = rows[0].version >= 160_000 ? ' WITH INHERIT TRUE, SET TRUE' : '';
  await admin.query(`GRANT ${escapeIdentifier(role)} TO CURRENT_USER${options}`);
  await act();
  await admin.query(`REVOKE ${escapeIdentifier(role)} FROM CURRENT_USER`);
}

/** Sets the role's defaults in this database, and revokes what only owners should be granted there. */
async function setDefaults(
  admin: Client,
  { role, schema, database }: { role: string; schema: string; database: string },
): Promise<void> {
  const target = `ROLE ${escapeIdentifier(role)} IN DATABASE ${escapeIdentifier(database)}`;
  await admin.query(`ALTER ${target} RESET ALL`);
  await admin.query(`ALTER ${target} SET search_path = ${escapeIdentifier(schema)}, pg_temp`);
  await admin.query(`ALTER ${target} SET statement_timeout = ${SERVICE_TIMEOUTS.statement}`);
  const { rows } = await admin.query(
    `SELECT has_database_privilege($1, $2, 'CONNECT') AS connects,
       EXISTS (SELECT 1 FROM pg_namespace
               WHERE nspname = 'public' AND has_schema_privilege('public', oid, 'CREATE')) AS open`,
    [role, database],
  );
  // Without the right to revoke, the server only warns.
  if (rows[0].open) await admin.query('REVOKE CREATE ON SCHEMA public FROM PUBLIC');
  if (!rows[0].connects) {
    await admin.query(`GRANT CONNECT ON DATABASE ${escapeIdentifier(database)} TO ${escapeIdentifier(role)}`);
  }
}

import { Kysely } from 'kysely';
import { Client, escapeIdentifier } from 'pg';
import type { ProjectDefinition } from '../../core/project.ts';
import { createDialect } from '../engines/postgres/dialect.ts';
import { schemaName } from '../engines/postgres/roles/names.ts';
import {
  asMember,
  type ProjectAccess,
  prepareProject,
  prepareSchema,
} from '../engines/postgres/roles/prepare-project.ts';
import { connectAdmin } from '../engines/postgres/sessions/connect-admin.ts';
import { clientConfig, describeUrl } from '../engines/postgres/sessions/login.ts';
import { strictColumns } from '../engines/postgres/strict-columns.ts';
import { type MigrationsOf, migrate, pickMigrations } from '../migrate.ts';
import type { TableSum } from './canonical-row.ts';
import type { DatabaseLocation, Staged } from './location.ts';
import { openPostgresSnapshot } from './postgres-snapshot.ts';
import { openPostgresTarget } from './postgres-target.ts';
import type { Snapshot } from './snapshot.ts';
import { makeSqlite } from './sqlite-location.ts';
import { openSqliteSnapshot } from './sqlite-snapshot.ts';
import { type TransferOptions, transferRows } from './transfer-rows.ts';

/** A schema a project, in the database that `url` names. */
export function createPostgresLocation(url: string, migrationsOf: MigrationsOf): DatabaseLocation {
  const name = `PostgreSQL at ${describeUrl(url)}`;
  const asAdmin = <T>(act: (admin: Client) => Promise<T>) => withClient(connectAdmin(url), act);

  async function snapshot(projectId: string): Promise<Snapshot> {
    const access = await asAdmin((admin) => prepareProject(admin, projectId));
    const client = await connectProject(url, access, access.schema);
    try {
      return await openPostgresSnapshot(client, access.schema);
    } catch (error) {
      await client.end();
      throw error;
    }
  }

  async function stage(
    project: ProjectDefinition,
    from: Snapshot,
    options: TransferOptions,
  ): Promise<Staged> {
    const access = await asAdmin((admin) => prepareProject(admin, project.id));
    const staging = schemaName(`${project.id}.arriving`);
    const discard = () =>
      withClient(connectProject(url, access, access.schema), (client) => dropSchema(client, staging));
    // What a crash has left is of no use to anybody.
    await discard();
    await asAdmin((admin) => prepareSchema(admin, staging, access.role.name));
    try {
      const sums = await withClient(connectProject(url, access, staging), (client) =>
        fill(client, staging, { project, from, options, migrationsOf }),
      );
      const commit = (aside?: string) =>
        asAdmin((admin) =>
          takePlace(admin, { access, staging, aside: aside && schemaName(`${project.id}.${aside}`) }),
        );
      return { sums, commit, discard };
    } catch (error) {
      await discard();
      throw error;
    }
  }

  return {
    engine: 'postgres',
    carriesEverything: false,
    name,
    has: (projectId) => asAdmin((admin) => isUsed(admin, schemaName(projectId))),
    snapshot,
    async save(project, path, options) {
      await closing(await snapshot(project.id), (from) =>
        makeSqlite(project, from, { ...options, path, migrationsOf }),
      );
    },
    stage,
    stageFile: (project, path, options) =>
      closing(openSqliteSnapshot(path), (from) => stage(project, from, options)),
    close: async () => undefined,
  };
}

/** A connection as a project's role, whose transactions take as long as they need. */
async function connectProject(url: string, { role }: ProjectAccess, schema: string): Promise<Client> {
  const client = new Client(
    clientConfig({
      url,
      role,
      settings: {
        search_path: `"${schema}",pg_temp`,
        statement_timeout: 0,
        idle_in_transaction_session_timeout: 0,
        client_min_messages: 'warning',
      },
    }),
  );
  // It is told by whatever is asked next.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function withClient<T>(connecting: Promise<Client>, act: (client: Client) => Promise<T>): Promise<T> {
  const client = await connecting;
  try {
    return await act(client);
  } finally {
    await client.end();
  }
}

async function closing<T>(snapshot: Snapshot, act: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  try {
    return await act(snapshot);
  } finally {
    await snapshot.close();
  }
}

interface Filling {
  project: ProjectDefinition;
  from: Snapshot;
  options: TransferOptions;
  migrationsOf: MigrationsOf;
}

async function fill(
  client: Client,
  schema: string,
  { project, from, options, migrationsOf }: Filling,
): Promise<TableSum[]> {
  const migrations = pickMigrations(migrationsOf(project), from.ran);
  await kyselyOn(client)
    .transaction()
    .execute((transaction) => migrate(transaction, migrations));
  await client.query('BEGIN');
  const sums = await transferRows(from, await openPostgresTarget(client, schema), options);
  await client.query('COMMIT');
  return sums;
}

/** What migrations work with, on a connection that is theirs alone. */
function kyselyOn(client: Client): Kysely<unknown> {
  const run = (query: { text: string; values?: readonly unknown[] }) =>
    client.query({ text: query.text, values: [...(query.values ?? [])] });
  return new Kysely<unknown>({
    dialect: createDialect({
      run,
      async begin() {
        await client.query('BEGIN');
        let over = false;
        const end = (how: string) => async () => {
          if (over) return;
          over = true;
          await client.query(how);
        };
        return { query: run, commit: end('COMMIT'), rollBack: end('ROLLBACK') };
      },
    }),
    plugins: [strictColumns()],
  });
}

/** Whether there is anything in a schema. */
async function isUsed(client: Client, schema: string): Promise<boolean> {
  const { rows } = await client.query(
    'SELECT EXISTS (SELECT FROM pg_class WHERE relnamespace = to_regnamespace(quote_ident($1))) AS used',
    [schema],
  );
  return rows[0].used;
}

async function dropSchema(client: Client, schema: string): Promise<void> {
  await client.query(`DROP SCHEMA IF EXISTS ${escapeIdentifier(schema)} CASCADE`);
}

interface TakePlace {
  access: ProjectAccess;
  staging: string;
  /** Undefined: nothing may be in the way. */
  aside: string | undefined;
}

/** Two schemas get other names, at once. Answers where the one is kept that was there before, if there was anything in it. */
async function takePlace(admin: Client, { access, staging, aside }: TakePlace): Promise<string | undefined> {
  const { schema, role } = access;
  await admin.query('BEGIN');
  const used = await isUsed(admin, schema);
  if (used && aside === undefined) throw new Error(`There is something in the schema "${schema}" by now.`);
  await asMember(admin, role.name, async () => {
    if (used && aside !== undefined) await rename(admin, schema, aside);
    else await admin.query(`DROP SCHEMA IF EXISTS ${escapeIdentifier(schema)}`);
    await rename(admin, staging, schema);
  });
  await admin.query('COMMIT');
  return used ? `the schema ${aside}` : undefined;
}

async function rename(admin: Client, from: string, to: string): Promise<void> {
  await admin.query(`ALTER SCHEMA ${escapeIdentifier(from)} RENAME TO ${escapeIdentifier(to)}`);
}

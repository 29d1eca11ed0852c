import { Kysely } from 'kysely';
import { Client, escapeIdentifier } from 'pg';
import type { ProjectDefinition } from '../../core/project.ts';
import { createDialect } from '../engines/postgres/dialect.ts';
import { schemaName } from '../engines/postgres/roles/names.ts';
import {
  asMember,
  counterIn,
  type ProjectAccess,
  prepareProject,
  prepareSchema,
} from '../engines/postgres/roles/prepare-project.ts';
import { connectAdmin, connectPrimary } from '../engines/postgres/sessions/connect-admin.ts';
import { clientConfig, describeUrl } from '../engines/postgres/sessions/login.ts';
import { strictColumns } from '../engines/postgres/strict-columns.ts';
import { type MigrationsOf, migrate, pickMigrations } from '../migrate.ts';
import type { TableSum } from './canonical-row.ts';
import type { DatabaseLocation, Staged } from './location.ts';
import { openPostgresSnapshot } from './postgres-snapshot.ts';
import { openPostgresTarget } from './postgres-target.ts';
import type { Snapshot } from './snapshot.ts';
import { createSqliteCopy } from './sqlite-location.ts';
import { openSqliteSnapshot } from './sqlite-snapshot.ts';
import { type TransferOptions, transferRows } from './transfer-rows.ts';

/** Returns the location in the database that `url` names, where each project has a schema. */
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

  async function stageFile(
    project: ProjectDefinition,
    path: string,
    options: TransferOptions,
  ): Promise<Staged> {
    const access = await asAdmin((admin) => prepareProject(admin, project.id));
    const staging = schemaName(`${project.id}.arriving`);
    const discard = () =>
      withClient(connectProject(url, access, access.schema), (client) => dropSchema(client, staging));
    // A crash may have left an incomplete schema.
    await discard();
    await asAdmin((admin) => prepareSchema(admin, staging, access.role.name));
    try {
      const sums = await closing(openSqliteSnapshot(path), (from) =>
        withClient(connectProject(url, access, staging), (client) =>
          fill(client, staging, { project, from, options, migrationsOf }),
        ),
      );
      const commit = (aside?: string) =>
        asAdmin((admin) =>
          replaceSchema(admin, { access, staging, aside: aside && schemaName(`${project.id}.${aside}`) }),
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
        createSqliteCopy(project, from, { ...options, path, migrationsOf }),
      );
    },
    stageFile,
    close: async () => undefined,
  };
}

/** Connects as the role of a project, without timeouts. */
async function connectProject(url: string, { role }: ProjectAccess, schema: string): Promise<Client> {
  const primary = await connectPrimary(url);
  await primary.client.end();
  const client = new Client(
    clientConfig({
      url: primary.url,
      role,
      settings: {
        search_path: `"${schema}",pg_temp`,
        statement_timeout: 0,
        idle_in_transaction_session_timeout: 0,
        client_min_messages: 'warning',
      },
    }),
  );
  // The next query fails with the error.
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

/** Returns a Kysely object on a connection that nothing else uses. */
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

/** Tells whether a schema contains anything. */
async function isUsed(client: Client, schema: string): Promise<boolean> {
  const { rows } = await client.query(
    // The sequence that counts commits is there from the beginning.
    `SELECT EXISTS (SELECT FROM pg_class WHERE relnamespace = to_regnamespace(quote_ident($1)) AND relkind <> 'S') AS used`,
    [schema],
  );
  return rows[0].used;
}

async function dropSchema(client: Client, schema: string): Promise<void> {
  await client.query(`DROP SCHEMA IF EXISTS ${escapeIdentifier(schema)} CASCADE`);
}

interface ReplaceSchema {
  access: ProjectAccess;
  staging: string;
  /** The new name of the present schema; undefined when that must be empty. */
  aside: string | undefined;
}

/** Renames the staged schema to the project's, atomically, and returns where the former one is, if it contained anything. */
async function replaceSchema(
  admin: Client,
  { access, staging, aside }: ReplaceSchema,
): Promise<string | undefined> {
  const { schema, role } = access;
  await admin.query('BEGIN');
  const used = await isUsed(admin, schema);
  if (used && aside === undefined) throw new Error(`There is something in the schema "${schema}" by now.`);
  await asMember(admin, role.name, async () => {
    if (used && aside !== undefined) await rename(admin, schema, aside);
    else await dropEmptySchema(admin, schema);
    await rename(admin, staging, schema);
  });
  await admin.query('COMMIT');
  return used ? `the schema ${aside}` : undefined;
}

async function dropEmptySchema(admin: Client, schema: string): Promise<void> {
  await admin.query(`DROP SEQUENCE IF EXISTS ${counterIn(schema)}`);
  await admin.query(`DROP SCHEMA IF EXISTS ${escapeIdentifier(schema)}`);
}

async function rename(admin: Client, from: string, to: string): Promise<void> {
  await admin.query(`ALTER SCHEMA ${escapeIdentifier(from)} RENAME TO ${escapeIdentifier(to)}`);
}

import type { Client } from 'pg';
import type { Database, Engine } from '../../port.ts';
import { statementTables } from '../../recorded-tables.ts';
import type { Schema } from '../../schema.ts';
import { DEFAULT_POOL_SIZE } from '../../settings.ts';
import { Batches } from './client-sql/batches.ts';
import { CURRENT_POSITION, ProjectCommits, parsePosition } from './commits/commits.ts';
import { Notices } from './commits/notifications.ts';
import { Replica } from './commits/replica.ts';
import { describeServer, type ServerFacts } from './describe-server.ts';
import { createPostgresDatabase } from './postgres-database.ts';
import { Reads } from './reads.ts';
import { isPrepared, type ProjectAccess, prepareProject } from './roles/prepare-project.ts';
import { connectAdmin } from './sessions/connect-admin.ts';
import type { Login } from './sessions/login.ts';
import { SessionPool } from './sessions/session-pool.ts';
import { createSyntax } from './syntax.ts';
import { IDLE_TRANSACTION_MS, type Patience, READING, WRITING } from './timeouts.ts';
import { Transactions } from './transactions.ts';

export interface PostgresEngineOptions {
  /** `postgres://…` of a role that may create roles, and schemas in the database. */
  url: string;
  /** Of a server that follows that one. */
  replicaUrl?: string | undefined;
  /** Connections to each server that a project may have at a time, besides those for clients' statements; 2 at least. */
  poolSize?: number | undefined;
  /** Milliseconds that a batch of a client may take. */
  longestBatch?: number | undefined;
}

/** Clients' statements may take long, and leave things behind in a connection: they have their own, apart from those. */
const BATCHES_AT_ONCE = 2;

/** A schema a project, of one PostgreSQL database, and a role a project that sees nothing but its own. */
export function createPostgresEngine(options: PostgresEngineOptions): Engine {
  const notices = new Notices(options.url);
  return {
    async open({ id, schema }) {
      const admin = await connectAdmin(options.url);
      try {
        const facts = await describeServer(admin);
        const access = await prepareProject(admin, id);
        return await openProject({ options, notices, admin, access, facts, schema });
      } catch (error) {
        await admin.end();
        throw error;
      }
    },
    async has(id) {
      const admin = await connectAdmin(options.url);
      try {
        return await isPrepared(admin, id);
      } finally {
        await admin.end();
      }
    },
    close: async () => undefined,
  };
}

interface OpenProjectOptions {
  options: PostgresEngineOptions;
  notices: Notices;
  /** Taken over. */
  admin: Client;
  access: ProjectAccess;
  facts: ServerFacts;
  schema: Schema;
}

async function openProject({
  options: { url, replicaUrl, poolSize = DEFAULT_POOL_SIZE, longestBatch },
  notices,
  admin,
  access,
  facts,
  schema,
}: OpenProjectOptions): Promise<Database> {
  const { role, channel, lock } = access;
  const commits = new ProjectCommits({
    positions: replicaUrl !== undefined,
    announce: () => notices.announce(channel),
    hears: () => notices.hears,
  });
  const writers = Math.max(1, Math.floor(poolSize * 0.4));
  const login = { url, role, settings: sessionSettings(access, READING) };
  // Apart from each other: what a transaction reads outside of itself never waits for others that wait for it.
  const readPool = new SessionPool(login, Math.max(1, poolSize - writers));
  const writePool = new SessionPool({ ...login, settings: sessionSettings(access, WRITING) }, writers);
  const batchPool = new SessionPool(
    { ...login, settings: sessionSettings(access, WRITING) },
    BATCHES_AT_ONCE,
  );
  const reads = new Reads(readPool);
  const replica =
    replicaUrl === undefined
      ? undefined
      : new Replica({
          pool: new SessionPool({ ...login, url: replicaUrl }, poolSize),
          commits,
          askPosition: async () =>
            parsePosition((await reads.ask({ text: CURRENT_POSITION })).rows[0]?.position),
        });
  const close = async () => {
    await Promise.all([readPool.close(), writePool.close(), batchPool.close(), replica?.close()]);
    await notices.end(channel);
  };
  try {
    await requireLogin(readPool, role.name);
    await notices.listen(channel, commits, admin);
  } catch (error) {
    await close();
    throw error;
  }
  const transactions = new Transactions({ pool: writePool, commits, lock });
  return createPostgresDatabase({
    schema,
    syntax: createSyntax(facts.folding),
    commits,
    reads,
    transactions,
    batches: new Batches({
      pool: batchPool,
      commits,
      tables: statementTables(schema),
      longestMs: longestBatch,
    }),
    replica,
    close,
  });
}

/** What a session of a project begins with. */
function sessionSettings(
  { schema }: ProjectAccess,
  { statement, lock }: Patience,
): Login['settings'] & object {
  return {
    // Temporary tables stand behind those of the project.
    search_path: `"${schema}",pg_temp`,
    statement_timeout: statement,
    lock_timeout: lock,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS,
    client_min_messages: 'warning',
    // It takes longer than any statement of ours.
    jit: 'off',
  };
}

/** The server's own rules may keep a role out that it knows. */
async function requireLogin(pool: SessionPool, role: string): Promise<void> {
  try {
    await pool.use((session) => session.query({ text: 'SELECT 1' }, READING.answer));
  } catch (error) {
    const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw new Error(
      `PostgreSQL does not let the role "${role}" of a project in: ${(reason as Error).message}.`,
      {
        cause: error,
      },
    );
  }
}

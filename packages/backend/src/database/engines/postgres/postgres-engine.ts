import type { Client } from 'pg';
import { statementTables } from '../../changes.ts';
import type { Database, Engine } from '../../port.ts';
import type { Schema } from '../../schema.ts';
import { DEFAULT_POOL_SIZE } from '../../settings.ts';
import { Batches } from './client-sql/batches.ts';
import { CommitNotifier } from './commits/commit-notifier.ts';
import { CURRENT_POSITION, ProjectCommits, parsePosition } from './commits/project-commits.ts';
import { Replica } from './commits/replica.ts';
import { watchCount } from './commits/watch-count.ts';
import { describeServer, type ServerProperties } from './describe-server.ts';
import { createPostgresDatabase } from './postgres-database.ts';
import { Reads } from './reads.ts';
import { isPrepared, type ProjectAccess, prepareProject } from './roles/prepare-project.ts';
import { connectAdmin, connectPrimary } from './sessions/connect-admin.ts';
import type { Login } from './sessions/login.ts';
import { SessionPool } from './sessions/session-pool.ts';
import {
  IDLE_TRANSACTION_MS,
  READ_TIMEOUTS,
  type StatementTimeouts,
  WRITE_TIMEOUTS,
  writeTimeouts,
} from './sessions/timeouts.ts';
import { createSyntax } from './syntax.ts';
import { Transactions } from './transactions.ts';

export interface PostgresEngineOptions {
  /** `postgres://…` of a role that may create roles, and schemas in the database; of several hosts, the one that takes writes serves. */
  url: string;
  /** The URL of a read replica of that server. */
  replicaUrl?: string | undefined;
  /** Connections of a project to each server, besides those for clients' statements; at least 2. */
  poolSize?: number | undefined;
  /** Milliseconds that a batch of a client may take. */
  batchTimeout?: number | undefined;
  /** Milliseconds that a statement of a request's transaction may take. */
  writeTimeout?: number | undefined;
}

/** Connections for clients' statements, which may be slow and change the state of their connection. */
const BATCH_CONNECTIONS = 2;

/** Creates an engine with a schema for each project in one PostgreSQL database, and two roles that see this schema alone. */
export function createPostgresEngine(options: PostgresEngineOptions): Engine {
  const notifier = new CommitNotifier(() => connectPrimary(options.url, { timeout: 0 }));
  return {
    async open({ id, schema }) {
      const { client: admin, url } = await connectPrimary(options.url);
      try {
        const server = await describeServer(admin);
        const access = await prepareProject(admin, id);
        return await openProject({ options: { ...options, url }, notifier, admin, access, server, schema });
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
  notifier: CommitNotifier;
  /** The project takes it over. */
  admin: Client;
  access: ProjectAccess;
  server: ServerProperties;
  schema: Schema;
}

async function openProject({
  options: { url, replicaUrl, poolSize = DEFAULT_POOL_SIZE, batchTimeout, writeTimeout },
  notifier,
  admin,
  access,
  server,
  schema,
}: OpenProjectOptions): Promise<Database> {
  const { role, statementRole, channel, counter, lock } = access;
  const commits = new ProjectCommits({
    counter,
    positions: replicaUrl !== undefined,
    announce: () => notifier.announce(channel),
    isListening: () => notifier.isListening,
  });
  const writes = writeTimeout === undefined ? WRITE_TIMEOUTS : writeTimeouts(writeTimeout);
  const writers = Math.max(1, Math.floor(poolSize * 0.4));
  const login = { url, role, settings: sessionSettings(access, READ_TIMEOUTS) };
  // Reads have a pool of their own: a read beside a transaction must not wait for others that wait for the transaction.
  const readPool = new SessionPool(login, Math.max(1, poolSize - writers), { pipelines: true });
  const writePool = new SessionPool({ ...login, settings: sessionSettings(access, writes) }, writers, {
    pipelines: true,
  });
  const batchPool = new SessionPool({ ...login, role: statementRole }, BATCH_CONNECTIONS, { resets: true });
  const reads = new Reads(readPool);
  const replica =
    replicaUrl === undefined
      ? undefined
      : new Replica({
          pool: new SessionPool({ ...login, url: replicaUrl }, poolSize),
          commits,
          askPosition: async () =>
            parsePosition((await reads.query({ text: CURRENT_POSITION })).rows[0]?.position),
        });
  let current = url;
  const stopFollowing = notifier.onConnected((primary) => {
    if (primary === current) return;
    current = primary;
    for (const [pool, change] of [
      [readPool, {}],
      [writePool, { settings: sessionSettings(access, writes) }],
      [batchPool, { role: statementRole }],
    ] as const) {
      pool.moveTo({ ...login, ...change, url: primary });
    }
  });
  let stopWatching: (() => void) | undefined;
  const close = async () => {
    stopFollowing();
    stopWatching?.();
    await Promise.all([readPool.close(), writePool.close(), batchPool.close(), replica?.close()]);
    await notifier.end(channel);
  };
  try {
    await requireLogin(readPool, role.name);
    const readCount = async () =>
      (await reads.query({ text: `SELECT last_value FROM ${counter}` })).rows[0].last_value as number;
    stopWatching = await watchCount(commits, readCount);
    await notifier.listen(channel, commits, admin);
  } catch (error) {
    await close();
    throw error;
  }
  const transactions = new Transactions({ pool: writePool, commits, lock, writeTimeouts: writes });
  return createPostgresDatabase({
    schema,
    syntax: createSyntax(server.foldingCollation),
    commits,
    reads,
    transactions,
    batches: new Batches({
      pool: batchPool,
      transactions: new Transactions({ pool: batchPool, commits, lock, writeTimeouts: writes }),
      commits,
      schema: access.schema,
      tables: statementTables(schema),
      longestMs: batchTimeout,
    }),
    replica,
    pools: () => [
      { name: 'read', ...readPool.state },
      { name: 'write', ...writePool.state },
      { name: 'batch', ...batchPool.state },
      ...(replica ? [{ name: 'replica' as const, ...replica.state }] : []),
    ],
    close,
  });
}

/** Returns the settings of a new session of a project. */
function sessionSettings(
  { schema }: ProjectAccess,
  { statement, lock }: StatementTimeouts,
): Login['settings'] & object {
  return {
    // Temporary tables come after those of the project.
    search_path: `"${schema}",pg_temp`,
    statement_timeout: statement,
    lock_timeout: lock,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS,
    client_min_messages: 'warning',
    // Compiling takes longer than any statement here.
    jit: 'off',
  };
}

/** Throws when the server does not let an existing role in, as the rules of `pg_hba.conf` may say. */
async function requireLogin(pool: SessionPool, role: string): Promise<void> {
  try {
    await pool.use((session) => session.query({ text: 'SELECT 1' }, READ_TIMEOUTS.response));
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

import { connectAdmin } from './sessions/connect-admin.ts';
import { hostUrls } from './sessions/login.ts';

/** Holds what an operator should know of a PostgreSQL server. */
export interface ServerState {
  version: string;
  maxConnections: number;
  /** Connections that are open now, of all programs. */
  connections: number;
  isReplica: boolean;
  /** Seconds that a replica is behind; 0 for a primary. */
  lagSeconds: number;
  mayCreateRoles: boolean;
  mayCreateSchemas: boolean;
  /** Milliseconds by which the server's clock is ahead of ours. */
  clockAheadMs: number;
  /** The other programs of this name that are connected, with their versions. */
  versions: string[];
  /** Connections whose transaction began more than 10 seconds ago: they may hold locks that a migration waits for. */
  longTransactions: number;
}

const STATE = `SELECT current_setting('server_version') AS version,
  current_setting('max_connections')::int AS max_connections,
  (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS connections,
  pg_is_in_recovery() AS is_replica,
  CASE WHEN pg_is_in_recovery() AND pg_last_wal_receive_lsn() IS DISTINCT FROM pg_last_wal_replay_lsn()
    THEN extract(epoch FROM now() - pg_last_xact_replay_timestamp()) ELSE 0 END::float8 AS lag,
  (SELECT rolcreaterole OR rolsuper FROM pg_roles WHERE rolname = current_user) AS may_create_roles,
  has_database_privilege(current_database(), 'CREATE') AS may_create_schemas,
  extract(epoch FROM clock_timestamp())::float8 * 1000 AS now,
  ARRAY(SELECT DISTINCT application_name FROM pg_stat_activity
    WHERE datname = current_database() AND application_name LIKE 'fabrica%' AND pid <> pg_backend_pid() ORDER BY 1) AS versions,
  (SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database()
    AND xact_start < now() - interval '10 s') AS long_transactions`;

/** Asks a server how it is. Rejects with a sentence when it cannot be reached within `timeoutMs`. */
export async function inspectServer(url: string, timeoutMs: number): Promise<ServerState> {
  const admin = await connectAdmin(url, timeoutMs);
  try {
    const asked = Date.now();
    const { rows } = await admin.query(STATE);
    const [row] = rows;
    return {
      version: row.version,
      maxConnections: row.max_connections,
      connections: row.connections,
      isReplica: row.is_replica,
      lagSeconds: row.lag,
      mayCreateRoles: row.may_create_roles,
      mayCreateSchemas: row.may_create_schemas,
      clockAheadMs: Math.round(row.now - (asked + Date.now()) / 2),
      versions: row.versions,
      longTransactions: row.long_transactions,
    };
  } finally {
    await admin.end();
  }
}

/** One of the hosts that a URL names. */
export interface HostState {
  host: string;
  role: 'primary' | 'standby' | 'away';
}

/** Asks each host of a URL what it is. */
export async function inspectHosts(url: string, timeoutMs: number): Promise<HostState[]> {
  return Promise.all(
    hostUrls(url).map(async (one) => {
      const { host } = new URL(one);
      try {
        const { isReplica } = await inspectServer(one, timeoutMs);
        return { host, role: isReplica ? 'standby' : 'primary' };
      } catch {
        return { host, role: 'away' };
      }
    }),
  );
}

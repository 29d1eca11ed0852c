import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { requireIntact } from '../../backup/index.ts';
import type { Config } from '../../config.ts';
import { type HostState, inspectHosts, inspectServer, type ServerState } from '../../database/index.ts';
import type { Finding } from './finding.ts';

/** Connections of a project and node besides those of DATABASE_POOL: two for clients' SQL, two for keys and notices. */
const BESIDE_POOL = 4;
/** Seconds that a replica may be behind before readers are sent to the primary all the time. */
const MAX_LAG = 10;
const MAX_CLOCK_MS = 2_000;
const TIMEOUT_MS = 3_000;

/** Looks at the database: the server, its roles, its connections, its clock, its replica and the versions of all nodes. */
export async function checkDatabase(config: Config, projects: readonly string[]): Promise<Finding[]> {
  const { url, replicaUrl, poolSize } = config.database;
  if (url === undefined)
    return projects.map((project) => checkFile(join(config.dataDir, `${project}.sqlite`)));
  const server = await inspectServer(url, TIMEOUT_MS);
  const connections = projects.length * (poolSize + BESIDE_POOL);
  const findings = [describeServer(server), describeConnections(server, connections)];
  findings.push(describeClock(server), describeVersions(server));
  const hosts = await inspectHosts(url, TIMEOUT_MS);
  if (hosts.length > 1) findings.push(describeHosts(hosts));
  if (replicaUrl !== undefined) findings.push(await checkReplica(replicaUrl));
  return findings;
}

/** Reads the whole file, as fast as the disk is. */
function checkFile(path: string): Finding {
  const name = 'database';
  if (!existsSync(path)) return { name, state: 'ok', text: `SQLite: ${path} is made at the first start.` };
  try {
    requireIntact(path, 'quick_check');
    return { name, state: 'ok', text: `SQLite, ${path}` };
  } catch (error) {
    const text = `${path} is malformed (${(error as Error).message}): docs/operations/faults.md says what to do.`;
    return { name, state: 'failed', text };
  }
}

function describeServer({ version, isReplica, mayCreateRoles, mayCreateSchemas }: ServerState): Finding {
  const name = 'database';
  if (isReplica)
    return { name, state: 'failed', text: 'DATABASE_URL leads to a replica, which takes no writes.' };
  if (!mayCreateRoles || !mayCreateSchemas) {
    const text =
      'The role of DATABASE_URL may not create roles and schemas: GRANT CREATE ON DATABASE, ALTER ROLE … CREATEROLE.';
    return { name, state: 'failed', text };
  }
  return { name, state: 'ok', text: `PostgreSQL ${version}` };
}

const ROLES = { primary: 'takes writes', standby: 'is a standby', away: 'cannot be reached' };

/** Several hosts are for a failover: one takes writes, and the others wait. */
function describeHosts(hosts: readonly HostState[]): Finding {
  const text = `${hosts.map(({ host, role }) => `${host} ${ROLES[role]}`).join(', ')}.`;
  const primaries = hosts.filter(({ role }) => role === 'primary').length;
  if (primaries > 1) return { name: 'hosts', state: 'failed', text: `${text} Only one of them may.` };
  return { name: 'hosts', state: hosts.some(({ role }) => role === 'away') ? 'warning' : 'ok', text };
}

function describeConnections({ maxConnections, connections }: ServerState, perNode: number): Finding {
  const nodes = Math.floor((maxConnections - 3) / perNode);
  const text = `${connections} of ${maxConnections} are in use; a node takes up to ${perNode}, so that there is room for ${nodes} nodes.`;
  const isLow = nodes < 2;
  return {
    name: 'connections',
    state: isLow ? 'warning' : 'ok',
    text: isLow ? `${text} Raise max_connections.` : text,
  };
}

function describeClock({ clockAheadMs }: ServerState): Finding {
  const isOff = Math.abs(clockAheadMs) > MAX_CLOCK_MS;
  const text = `The clock of the database is ${Math.abs(clockAheadMs)} ms ${clockAheadMs < 0 ? 'behind' : 'ahead'}.`;
  return {
    name: 'clock',
    state: isOff ? 'warning' : 'ok',
    text: isOff ? `${text} Run an NTP service on both.` : text,
  };
}

function describeVersions({ versions }: ServerState): Finding {
  const text = versions.length === 0 ? 'No node is connected.' : `Connected: ${versions.join(', ')}.`;
  return { name: 'versions', state: versions.length > 1 ? 'warning' : 'ok', text };
}

async function checkReplica(url: string): Promise<Finding> {
  const name = 'replica';
  try {
    const { isReplica, lagSeconds, version } = await inspectServer(url, TIMEOUT_MS);
    if (!isReplica) return { name, state: 'warning', text: 'DATABASE_REPLICA_URL leads to a primary.' };
    const text = `PostgreSQL ${version}, ${lagSeconds.toFixed(1)} s behind.`;
    return { name, state: lagSeconds > MAX_LAG ? 'warning' : 'ok', text };
  } catch (error) {
    // Everything is served without it.
    return {
      name,
      state: 'warning',
      text: (error as Error).message.replace('DATABASE_URL', 'DATABASE_REPLICA_URL'),
    };
  }
}

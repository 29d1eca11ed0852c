import type { Logger } from 'pino';
import type { Project } from './database/index.ts';
import { describeMailError, type MailQueue } from './mail/index.ts';
import { createReadiness, type ReadinessCheck, type ReadinessReader } from './readiness.ts';
import { settledWithin } from './runtime/within-time.ts';
import type { AiService } from './services/ai/index.ts';
import { BeatsElsewhere, ClocksElsewhere, MAX_CLOCK_MS, type Realtime } from './services/realtime/index.ts';
import type { BlobStore } from './services/storage/index.ts';

interface OpenReadinessOptions {
  projects: ReadonlyMap<string, Project>;
  /** Names this process among those that share its databases. */
  nodeId: string;
  realtime: Pick<Realtime, 'state'>;
  blobs: Pick<BlobStore, 'check'>;
  mailQueue: Pick<MailQueue, 'isServerAway' | 'verifyServer'>;
  ai: Pick<AiService, 'health'>;
  log: Logger;
}

/** Milliseconds for a look at a clock: less than a part has before it counts as away. */
const CLOCK_TIMEOUT_MS = 800;

/** Creates the readiness of this process, and logs what does not work, from the start on: an operator learns of it before a reader does. */
export function openReadiness({ log, ...parts }: OpenReadinessOptions): ReadinessReader {
  const readiness = createReadiness({
    checks: listChecks(parts),
    onChange(part, fault) {
      if (fault === undefined) log.info({ part }, 'A part that this process relies on works again');
      else log.error({ part, fault }, 'A part that this process relies on is away');
    },
  });
  const logFaults = async () => {
    await readiness.read();
    await parts.mailQueue.verifyServer().catch((error: unknown) => {
      log.error(
        { part: 'mail', fault: describeMailError(error) },
        'A part that this process relies on is away',
      );
    });
  };
  void logFaults();
  return readiness;
}

/** Lists everything that a process relies on. Pages are served as long as the database can be read. */
function listChecks({
  projects,
  nodeId,
  realtime,
  blobs,
  mailQueue,
  ai: { health },
}: Omit<OpenReadinessOptions, 'log'>): ReadinessCheck[] {
  const [project] = projects.values();
  const elsewhere = project && new BeatsElsewhere(project.database);
  return [
    {
      name: 'database',
      isRequired: true,
      check: async () => {
        await project?.database.query(PROBE, []);
        elsewhere?.reset();
        return undefined;
      },
      // A replica, where there is one, still answers readers who are not signed in. Where other nodes can write, they serve all.
      fallback: async () => {
        if (await elsewhere?.look()) throw new Error('Other nodes can write.');
        return 'The database cannot be written to: readers who are not signed in are served by its replica.';
      },
    },
    ...(project && project.database.pools().length > 0
      ? [clockCheck(project, nodeId)]
      : [{ name: 'integrity', check: async () => describeDamage(projects) }]),
    {
      name: 'realtime',
      check: async () => {
        const { ready, reason } = realtime.state();
        return ready ? undefined : (reason ?? 'Messages cannot be delivered.');
      },
    },
    {
      name: 'files',
      check: async () => {
        await blobs.check();
        return undefined;
      },
    },
    {
      name: 'mail',
      check: async () =>
        mailQueue.isServerAway() ? 'The mail server cannot be reached: mails wait in the outbox.' : undefined,
    },
    ...(health ? [{ name: 'model', check: async () => health.fault }] : []),
    ...(project && hasReplica(project) ? [{ name: 'replica', check: () => lookAtReplica(project) }] : []),
  ];
}

function describeDamage(projects: ReadonlyMap<string, Project>): string | undefined {
  const damaged = [...projects].flatMap(([id, { database }]) => (database.isDamaged() ? [id] : []));
  if (damaged.length === 0) return undefined;
  return `The file of ${damaged.join(', ')} is malformed: docs/operations/faults.md says what to do.`;
}

/**
 * Looks at the clock. A node whose clock is off gives tokens that others refuse, so others have to take its place; where no other
 * one is right, it goes on. Without the database, nothing is known of any clock.
 */
function clockCheck({ database }: Project, nodeId: string): ReadinessCheck {
  const elsewhere = new ClocksElsewhere({ database, nodeId });
  return {
    name: 'clock',
    isRequired: true,
    async check() {
      const aheadMs = await ifKnown(database.clockAhead());
      if (aheadMs === undefined) return undefined;
      if (Math.abs(aheadMs) <= MAX_CLOCK_MS) {
        elsewhere.reset();
        return undefined;
      }
      const fault = describeClock(aheadMs);
      if (await ifKnown(elsewhere.look(aheadMs))) throw new Error(`${fault} Other nodes are right.`);
      return fault;
    },
  };
}

function ifKnown<T>(work: Promise<T>): Promise<T | undefined> {
  return settledWithin(
    CLOCK_TIMEOUT_MS,
    work.catch(() => undefined),
  );
}

function describeClock(aheadMs: number): string {
  const seconds = Math.round(Math.abs(aheadMs) / 1_000);
  const relation = aheadMs < 0 ? 'ahead of' : 'behind';
  return `The clock of this node is ${seconds} s ${relation} that of the database: sign-ins fail. Run an NTP service on both.`;
}

function hasReplica({ database }: Project): boolean {
  return database.pools().some(({ name }) => name === 'replica');
}

/** Its lag says how it is only while it responds. */
async function lookAtReplica({ database }: Project): Promise<string | undefined> {
  const isAway = (await database.replicaLag()) === undefined;
  return isAway
    ? 'The replica cannot be reached: the primary answers readers who are not signed in.'
    : undefined;
}

const PROBE = 'SELECT 1 AS one';

import type { Logger } from 'pino';
import type { Project } from './database/index.ts';
import { describeMailError, type MailQueue } from './mail/index.ts';
import { createReadiness, type ReadinessCheck, type ReadinessReader } from './readiness.ts';
import type { AiService } from './services/ai/index.ts';
import { BeatsElsewhere, type Realtime } from './services/realtime/index.ts';
import type { BlobStore } from './services/storage/index.ts';

interface OpenReadinessOptions {
  projects: ReadonlyMap<string, Project>;
  realtime: Pick<Realtime, 'state'>;
  blobs: Pick<BlobStore, 'check'>;
  mailQueue: Pick<MailQueue, 'isServerAway' | 'verifyServer'>;
  ai: Pick<AiService, 'health'>;
  log: Logger;
}

/** Milliseconds by which clocks may differ: access tokens of another node are refused beyond it. */
const MAX_CLOCK_MS = 5_000;

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
      ? [{ name: 'clock', check: async () => describeClock(await readClock(project)) }]
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

/** Without the database, nothing is known of the clock. */
async function readClock({ database }: Project): Promise<number | undefined> {
  return database.clockAhead().catch(() => undefined);
}

function describeClock(aheadMs = 0): string | undefined {
  if (Math.abs(aheadMs) <= MAX_CLOCK_MS) return undefined;
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

import type { Logger } from 'pino';
import type { Project } from './database/index.ts';
import { describeMailError, type MailQueue } from './mail/index.ts';
import { createReadiness, type ReadinessCheck, type ReadinessReader } from './readiness.ts';
import type { AiService } from './services/ai/index.ts';
import type { Realtime } from './services/realtime/index.ts';
import type { BlobStore } from './services/storage/index.ts';

interface OpenReadinessOptions {
  projects: ReadonlyMap<string, Project>;
  realtime: Pick<Realtime, 'state'>;
  blobs: Pick<BlobStore, 'check'>;
  mailQueue: Pick<MailQueue, 'isServerAway' | 'verifyServer'>;
  ai: Pick<AiService, 'health'>;
  log: Logger;
}

/** Creates the readiness of this process, and logs what is away at the start: an operator learns of it before a reader does. */
export function openReadiness({ log, ...parts }: OpenReadinessOptions): ReadinessReader {
  const readiness = createReadiness({ checks: listChecks(parts) });
  const logFaults = async () => {
    const found = await readiness.read();
    for (const [part, fault] of Object.entries(found.parts)) {
      if (fault !== 'ok') log.error({ part, fault }, 'A part that this process relies on is away');
    }
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
  return [
    {
      name: 'database',
      isRequired: true,
      check: async () => {
        await project?.database.query(PROBE, []);
        const damaged = [...projects].flatMap(([id, { database }]) => (database.isDamaged() ? [id] : []));
        if (damaged.length === 0) return undefined;
        return `The file of ${damaged.join(', ')} is malformed: docs/operations/faults.md says what to do.`;
      },
      // A replica, where there is one, still answers readers who are not signed in.
      fallback: async () => {
        await project?.database.query(PROBE, [], { anonymous: true });
        return 'The database cannot be written to: readers who are not signed in are served by its replica.';
      },
    },
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

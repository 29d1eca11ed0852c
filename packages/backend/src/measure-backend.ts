import { statfs } from 'node:fs/promises';
import { VERSION } from './core/version.ts';
import type { Project } from './database/index.ts';
import type { ReadinessReader } from './readiness.ts';
import type { Meter } from './runtime/meter.ts';

export interface MeasuredParts {
  projects: ReadonlyMap<string, Project>;
  readiness: ReadinessReader;
  dataDir: string;
}

/** Has the meter tell of the parts that this process relies on, and of its connections to the database. */
export function measureBackend(meter: Meter, { projects, readiness, dataDir }: MeasuredParts): void {
  const databases = [...projects].map(([project, { database }]) => ({ project, database }));
  const [first] = databases;
  meter.info.add(() => [{ labels: { version: VERSION, engine: first?.database.engine ?? '' }, value: 1 }]);
  meter.parts.add(async () => {
    const { parts } = await readiness.read();
    return Object.entries(parts).map(([part, state]) => ({
      labels: { part },
      value: state === 'ok' ? 1 : 0,
    }));
  });
  meter.connections.add(() =>
    databases.flatMap(({ project, database }) =>
      database.pools().flatMap(({ name: pool, max, open, idle, waiting }) => [
        { labels: { project, pool, state: 'used' }, value: open - idle },
        { labels: { project, pool, state: 'idle' }, value: idle },
        // Those that a connection is free for, or is being opened for, have not waited: reading these figures asks the database as well.
        { labels: { project, pool, state: 'waiting' }, value: Math.max(0, waiting - (max - open + idle)) },
      ]),
    ),
  );
  meter.maxConnections.add(() =>
    databases.flatMap(({ project, database }) =>
      database.pools().map(({ name: pool, max }) => ({ labels: { project, pool }, value: max })),
    ),
  );
  meter.freeDisk.add(async () => {
    const { bavail, bsize } = await statfs(dataDir);
    return [{ labels: {}, value: bavail * bsize }];
  });
  meter.replicaLag.add(async () => {
    const lags = await Promise.all(
      databases.map(async ({ project, database }) => ({
        labels: { project },
        value: await database.replicaLag(),
      })),
    );
    return lags.flatMap(({ labels, value }) => (value === undefined ? [] : [{ labels, value }]));
  });
}

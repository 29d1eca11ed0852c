import type { Client } from 'pg';
import { type RanMigration, sortRan } from '../migrate.ts';
import { MIGRATION_TABLE } from '../migration-tables.ts';
import { describePostgres, readPostgres } from './postgres-tables.ts';
import type { Snapshot } from './snapshot.ts';

/** Opens a snapshot of a schema, which later writes do not change. The snapshot takes over the connection. */
export async function openPostgresSnapshot(client: Client, schema: string): Promise<Snapshot> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const shape = await describePostgres(client, schema);
  const hasRun = shape.tables.some(({ name }) => name === MIGRATION_TABLE);
  const ran = hasRun
    ? await client.query<RanMigration>(`SELECT name, timestamp FROM ${MIGRATION_TABLE}`)
    : undefined;
  return {
    ...shape,
    ran: sortRan(ran?.rows ?? []),
    read: (table) => readPostgres(client, schema, table),
    close: () => client.end(),
  };
}

import type { Client } from 'pg';
import { MIGRATION_TABLE, type RanMigration, sortRan } from '../migrate.ts';
import { describePostgres, readPostgres } from './postgres-tables.ts';
import type { Snapshot } from './snapshot.ts';

/** A schema as it is now, on a connection that has nothing else to do. Whoever writes meanwhile is not seen. */
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

import { z } from 'zod';
import type { SettingsValues } from '../core/settings.ts';
import { hostUrls } from './engines/postgres/sessions/login.ts';

/** Connections that a project may have to a PostgreSQL server at a time, by default. */
export const DEFAULT_POOL_SIZE = 10;

const URL_FAULT = 'must be an address such as postgres://role:password@host/database';

const postgresUrl = z.url({ protocol: /^postgres(ql)?$/, hostname: /^/, error: URL_FAULT });

/** A URL of one host, or of several with commas between them. */
const postgresUrls = z
  .string()
  .refine((url) => hostUrls(url).every((one) => postgresUrl.safeParse(one).success), URL_FAULT);

export const databaseSettings = {
  DATABASE_URL: postgresUrls
    .optional()
    .describe(
      'Keeps the database on a PostgreSQL server (14 or later), such as `postgres://fabrica:password@db.example.org/fabrica`. Of several hosts (`postgres://…@db1:5432,db2:5432/fabrica`), the one that takes writes serves. Its role may create roles, and schemas in that database. Without it, the database is in `DATA_DIR`.',
    ),
  DATABASE_REPLICA_URL: postgresUrl
    .optional()
    .describe('A read replica of that server, which answers readers who are not signed in.'),
  DATABASE_POOL: z.coerce
    .number()
    .int()
    .min(2)
    .max(1_000)
    .default(DEFAULT_POOL_SIZE)
    .describe('Connections that a project may have to such a server at a time.'),
};

export type DatabaseSettings = ReturnType<typeof readDatabaseSettings>;

/** Returns the settings of the database. What does not fit together is added to `faults`. */
export function readDatabaseSettings(values: SettingsValues<typeof databaseSettings>, faults: string[]) {
  if (values.DATABASE_REPLICA_URL && !values.DATABASE_URL) {
    faults.push('DATABASE_URL: name the server that the one of DATABASE_REPLICA_URL follows');
  }
  return {
    url: values.DATABASE_URL,
    replicaUrl: values.DATABASE_REPLICA_URL,
    poolSize: values.DATABASE_POOL,
  };
}

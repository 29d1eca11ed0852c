import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { Client } from 'pg';
import { connectToWrite } from '../../src/database/engines/sqlite/connect.ts';
import { createStatementLimits } from '../../src/database/engines/sqlite/reader/statement-limits.ts';
import { projectUrl } from './build-test-postgres.ts';
import { countOnPostgres, countOnSqlite, type RowCounter } from './count-read-rows.ts';

type Settings = Readonly<Record<string, string>>;

/** A connection to a project's database beside its server. */
interface TestConnection {
  /** Runs statements in one transaction. */
  run(statements: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** Connects to the database of a project of the process with these settings. */
export async function connectForTest(settings: Settings, projectId: string): Promise<TestConnection> {
  const { DATABASE_URL } = settings;
  if (DATABASE_URL === undefined) {
    const limits = createStatementLimits({
      timeout: Number.POSITIVE_INFINITY,
      createError: () => new Error(),
    });
    const connection = connectToWrite(fileOf(settings, projectId), limits);
    // Indexes of a million rows take much longer to fill by the 2 MB that a connection has otherwise.
    connection.exec('PRAGMA cache_size = -262144; PRAGMA synchronous = OFF');
    return {
      async run(statements) {
        connection.exec(`BEGIN IMMEDIATE; ${statements.join('; ')}; COMMIT`);
        // Servers close connections meanwhile, of which this process has to learn before it sends its next request.
        await setImmediate();
      },
      close: async () => connection.close(),
    };
  }
  const client = new Client(await projectUrl(DATABASE_URL, projectId));
  await client.connect();
  return {
    async run(statements) {
      await client.query(`BEGIN; ${statements.join('; ')}; COMMIT`);
    },
    close: () => client.end(),
  };
}

/** Opens the database of a project to count the rows that statements read. */
export async function openRowCounter(
  settings: Settings,
  projectId: string,
  options: { small: boolean },
): Promise<RowCounter> {
  const { DATABASE_URL } = settings;
  if (DATABASE_URL === undefined) return countOnSqlite(fileOf(settings, projectId));
  return countOnPostgres(await projectUrl(DATABASE_URL, projectId), options);
}

function fileOf({ DATA_DIR = '' }: Settings, projectId: string): string {
  return join(DATA_DIR, `${projectId}.sqlite`);
}

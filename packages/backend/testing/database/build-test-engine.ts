import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { createPostgresEngine } from '../../src/database/engines/postgres/postgres-engine.ts';
import { createSqliteEngine, type SqliteOptions } from '../../src/database/engines/sqlite/sqlite-engine.ts';
import { createSqliteThreads } from '../../src/database/engines/sqlite/sqlite-threads.ts';
import type { Engine } from '../../src/database/port.ts';

/** Those of all tests of a process: a thread takes longer to start than most tests run. */
const threads = createSqliteThreads();

/** An engine with nothing in it, which takes all of it along when it is closed. */
export interface TestEngine extends Engine {
  /** What a process of its own needs, to work on the same databases. */
  settings: Readonly<Record<string, string>>;
  /** The same databases as another process opens them; to be closed by whoever asks for it. */
  another(): Engine;
}

/** On the engine that the tests are run with. */
export async function openTestEngine(): Promise<TestEngine> {
  const settings = await buildTestSettings();
  const { DATA_DIR: folder, DATABASE_URL: url } = settings;
  const open = (options?: SqliteOptions) =>
    url ? createPostgresEngine({ url, poolSize: 4 }) : createSqliteEngine(folder, options);
  const engine = open({ threads });
  return {
    ...engine,
    settings,
    another: () => open(),
    async close() {
      await engine.close();
      await removeTestSettings(settings);
    },
  };
}

export type TestSettings = Readonly<{ DATA_DIR: string; DATABASE_URL?: string }>;

/** Settings of a process that keeps everything where there is nothing yet. */
export async function buildTestSettings(): Promise<TestSettings> {
  const folder = mkdtempSync(join(tmpdir(), 'fabrica-database-'));
  return { DATA_DIR: folder, ...(await databaseSettings(folder)) };
}

export async function removeTestSettings({ DATA_DIR: folder }: TestSettings): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  await removeDatabase(folder);
}

/** Addresses of databases by the data folder of those who use them. */
const databases = new Map<string, URL>();

/**
 * What besides its folder names the database of a process: nothing, or an empty one on the server of these tests; the
 * same for the same folder.
 */
export async function databaseSettings(dataDir: string): Promise<{ DATABASE_URL?: string }> {
  if (process.env.TEST_ENGINE !== 'postgres') return {};
  const { TEST_POSTGRES_URL, TEST_POSTGRES_FAULT } = process.env;
  if (!TEST_POSTGRES_URL)
    throw new Error(TEST_POSTGRES_FAULT ?? 'There is no PostgreSQL server for this test.');
  const url = databases.get(dataDir) ?? new URL(TEST_POSTGRES_URL);
  if (!databases.has(dataDir)) {
    databases.set(dataDir, url);
    url.pathname = `test_${randomBytes(8).toString('hex')}`;
    await asSuperuser(`CREATE DATABASE ${nameIn(url)} OWNER ${url.username} STRATEGY file_copy`);
  }
  return { DATABASE_URL: url.href };
}

/** The one of this folder, if there is one. */
export async function removeDatabase(dataDir: string): Promise<void> {
  const url = databases.get(dataDir);
  databases.delete(dataDir);
  if (url) await asSuperuser(`DROP DATABASE ${nameIn(url)} WITH (FORCE)`);
}

function nameIn({ pathname }: URL): string {
  return pathname.slice(1);
}

let superuser: Promise<Client> | undefined;

/** One connection for all tests of this process. */
async function asSuperuser(statement: string): Promise<void> {
  superuser ??= connectSuperuser();
  await (await superuser).query(statement);
}

async function connectSuperuser(): Promise<Client> {
  const client = new Client(process.env.TEST_POSTGRES_SUPERUSER_URL);
  // The server may have its end before this process.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

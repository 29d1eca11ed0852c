import { randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { createPostgresEngine } from '../../src/database/engines/postgres/postgres-engine.ts';
import { createSqliteEngine, type SqliteOptions } from '../../src/database/engines/sqlite/sqlite-engine.ts';
import { createSqliteThreads } from '../../src/database/engines/sqlite/sqlite-threads.ts';
import { type Migrations, migrateToLatest } from '../../src/database/migrate.ts';
import type { Engine } from '../../src/database/port.ts';

/** Threads that all tests of a process share: a thread takes longer to start than most tests take. */
const threads = createSqliteThreads();

/** An empty engine, whose databases are removed when it is closed. */
export interface TestEngine extends Engine {
  /** The settings with which another process opens the same databases. */
  settings: Readonly<Record<string, string>>;
  /** Returns an engine on the same databases, as another process would open it. The caller closes it. */
  another(): Engine;
}

/** Opens the engine that the tests are run with. */
export async function openTestEngine(): Promise<TestEngine> {
  return openEngineOn(await buildTestSettings());
}

/** Holds what a test's engine has from the start: the databases of these projects, with their tables. */
type MigratedProject = Parameters<Engine['open']>[0] & { migrations: Migrations };

/** The databases that others are copied from, by what they have. */
const templates = new Map<string, Promise<TestSettings>>();

/**
 * Does the same as `openTestEngine`, with the databases of these projects. They are made once in a process and copied from
 * then on: that takes a fraction of the time.
 */
export async function openMigratedEngine(projects: readonly MigratedProject[]): Promise<TestEngine> {
  const key = JSON.stringify(projects.map(({ id, migrations }) => [id, keyOf(migrations)]));
  const template = templates.get(key) ?? buildTemplate(projects);
  templates.set(key, template);
  return openEngineOn(await copyTestSettings(await template));
}

const numbers = new WeakMap<object, number>();
let lastNumber = 0;

/** Tells migrations apart: by their names, and by what they are, since tests define some of the same name. */
function keyOf(migrations: Migrations): [string, number][] {
  return Object.entries(migrations).map(([name, migration]) => {
    const number = numbers.get(migration) ?? ++lastNumber;
    numbers.set(migration, number);
    return [name, number];
  });
}

async function buildTemplate(projects: readonly MigratedProject[]): Promise<TestSettings> {
  const settings = await buildTemplateSettings();
  const engine = openEngineOn(settings);
  for (const { migrations, ...project } of projects) {
    const database = await engine.open(project);
    await migrateToLatest(database, migrations);
    await database.close();
  }
  return settings;
}

/** Does the same as `buildTestSettings`, for a data folder and a database that stay until this process ends. */
export async function buildTemplateSettings(): Promise<TestSettings> {
  const settings = await buildTestSettings();
  process.once('exit', () => rmSync(settings.DATA_DIR, { recursive: true, force: true }));
  return settings;
}

/** Returns the settings of a process with a copy of this data folder and of this database, which nobody uses meanwhile. */
export async function copyTestSettings({ DATA_DIR, DATABASE_URL }: TestSettings): Promise<TestSettings> {
  const folder = mkdtempSync(join(tmpdir(), 'fabrica-database-'));
  cpSync(DATA_DIR, folder, { recursive: true });
  return { DATA_DIR: folder, ...(DATABASE_URL && (await testDatabaseSettings(folder, DATABASE_URL))) };
}

function openEngineOn(settings: TestSettings): TestEngine {
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

/** Returns the settings of a process with an empty data folder and an empty database. */
export async function buildTestSettings(): Promise<TestSettings> {
  const folder = mkdtempSync(join(tmpdir(), 'fabrica-database-'));
  return { DATA_DIR: folder, ...(await testDatabaseSettings(folder)) };
}

export async function removeTestSettings({ DATA_DIR: folder }: TestSettings): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  await removeDatabase(folder);
}

/** URLs of databases by the data folder of the process that uses them. */
const databases = new Map<string, URL>();

/**
 * Returns the settings of the database of a process: none for SQLite, or a database on the tests' server, which is empty
 * unless it is copied from one that nobody uses. The same folder has the same database.
 */
export async function testDatabaseSettings(
  dataDir: string,
  copied?: string,
): Promise<{ DATABASE_URL?: string }> {
  if (process.env.TEST_ENGINE !== 'postgres') return {};
  const { TEST_POSTGRES_URL, TEST_POSTGRES_FAULT } = process.env;
  if (!TEST_POSTGRES_URL)
    throw new Error(TEST_POSTGRES_FAULT ?? 'There is no PostgreSQL server for this test.');
  const url = databases.get(dataDir) ?? new URL(TEST_POSTGRES_URL);
  if (!databases.has(dataDir)) {
    databases.set(dataDir, url);
    url.pathname = `test_${randomBytes(8).toString('hex')}`;
    const from = copied ? `TEMPLATE ${nameIn(new URL(copied))} ` : '';
    await asSuperuser(`CREATE DATABASE ${nameIn(url)} OWNER ${url.username} ${from}STRATEGY file_copy`);
  }
  return { DATABASE_URL: url.href };
}

/** Drops the database of this folder, if there is one. */
export async function removeDatabase(dataDir: string): Promise<void> {
  const url = databases.get(dataDir);
  databases.delete(dataDir);
  if (url) await asSuperuser(`DROP DATABASE ${nameIn(url)} WITH (FORCE)`);
}

function nameIn({ pathname }: URL): string {
  return pathname.slice(1);
}

let superuser: Promise<Client> | undefined;

/** Runs a statement on the one connection for all tests of this process. */
async function asSuperuser(statement: string): Promise<void> {
  superuser ??= connectSuperuser();
  await (await superuser).query(statement);
}

async function connectSuperuser(): Promise<Client> {
  const client = new Client(process.env.TEST_POSTGRES_SUPERUSER_URL);
  // The server may end before this process.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

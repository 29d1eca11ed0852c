import { setTimeout as wait } from 'node:timers/promises';
import { Hono } from 'hono';
import { pino } from 'pino';
import { type ChangeEvent, createInProcessBus, type TablesEvent } from '../../src/core/bus.ts';
import { anonymous, type Caller } from '../../src/core/caller.ts';
import type { ProjectDefinition } from '../../src/core/project.ts';
import { checkTables } from '../../src/database/check-tables.ts';
import { migrateToLatest } from '../../src/database/migrate.ts';
import type { Database } from '../../src/database/port.ts';
import { schemaOf } from '../../src/database/schema.ts';
import { writeMigrations } from '../../src/database/write/written-bytes.ts';
import type { AppEnvironment } from '../../src/http/environment.ts';
import { presentError } from '../../src/http/present-error.ts';
import { createRateLimits } from '../../src/http/rate-limit.ts';
import { restRoutes } from '../../src/services/rest/routes.ts';
import { readTestResponse, type TestResponse } from '../test-response.ts';
import { openMigratedEngine, type TestEngine } from './build-test-engine.ts';

export type SendTestRequest = (
  method: string,
  path: string,
  options?: { body?: unknown; headers?: Record<string, string> },
) => Promise<TestResponse>;

export interface TestDatabase {
  database: Database;
  /** The events of the bus, oldest first. */
  events: ChangeEvent[];
  /** The writes of which the bus has the tables alone, oldest first. */
  tableEvents: TablesEvent[];
  /** Sends requests to the routes as this caller. `path` starts with a table, or with `/` for any other route. */
  as(caller: Caller): SendTestRequest;
  anonymous: SendTestRequest;
  service: SendTestRequest;
  /** The settings with which another process opens the same database. */
  settings: Readonly<Record<string, string>>;
  /** Opens the same database as another process would; it is closed along with this one. */
  openElsewhere(): Promise<Database>;
  close(): Promise<void>;
}

/** Opens a database for a project's tables, behind the real routes. The engine is closed along with it. */
export async function openTestDatabase(
  definition: ProjectDefinition,
  given?: TestEngine,
  { rateLimit = false, rowsQuota = 0 } = {},
): Promise<TestDatabase> {
  const project = { id: definition.id, schema: schemaOf(definition) };
  const migrations = { ...(rowsQuota > 0 && writeMigrations), ...definition.migrations };
  const engine = given ?? (await openMigratedEngine([{ ...project, migrations }]));
  const database = await engine.open(project);
  if (given) await migrateToLatest(database, migrations);
  await checkTables(definition, database);
  const elsewhere: { close(): Promise<void> }[] = [];
  const bus = createInProcessBus();
  const events: ChangeEvent[] = [];
  bus.subscribe((event) => events.push(event));
  const tableEvents: TablesEvent[] = [];
  bus.subscribeTables((event) => tableEvents.push(event));
  const routes = restRoutes({ bus, limits: createRateLimits({ enabled: rateLimit }), rowsQuota });
  const served = { definition, database, secretKey: 'sk_test' };
  const log = pino({ level: 'silent' });

  const as = (caller: Caller): SendTestRequest => {
    const app = new Hono<AppEnvironment>();
    app.onError(presentError);
    app.use(async (c, next) => {
      c.set('project', served);
      c.set('caller', caller);
      c.set('log', log);
      c.set('clientIp', c.req.header('x-ip') ?? '192.0.2.1');
      await next();
    });
    app.route('/api/db/test', routes);
    return async (method, path, { body, headers = {} } = {}) => {
      const init: RequestInit = { method, headers };
      if (body !== undefined) {
        init.body = typeof body === 'string' ? body : JSON.stringify(body);
        init.headers = { 'content-type': 'application/json', ...headers };
      }
      const route = path.startsWith('/') ? path : `/rest/v1/${path}`;
      return readTestResponse(await app.request(`/api/db/test${route}`, init));
    };
  };

  return {
    database,
    events,
    tableEvents,
    as,
    anonymous: as(anonymous),
    service: as({ kind: 'service' }),
    settings: engine.settings,
    async openElsewhere() {
      const other = engine.another();
      const before = database.foreignCommits();
      const opened = await other.open(project);
      elsewhere.push(opened, other);
      // A process announces on PostgreSQL that it has opened the database, and that counts as a commit.
      while (database.engine === 'postgres' && database.foreignCommits() === before) await wait(1);
      return opened;
    },
    async close() {
      for (const one of elsewhere) await one.close();
      await database.close();
      await engine.close();
    },
  };
}

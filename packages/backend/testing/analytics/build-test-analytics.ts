import { Hono } from 'hono';
import { type Kysely, sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { anonymous, type Caller } from '../../src/core/caller.ts';
import { permitted } from '../../src/core/filter.ts';
import { type Database, schemaOf } from '../../src/database/index.ts';
import type { Project } from '../../src/database/project.ts';
import { listOrigins } from '../../src/http/cors.ts';
import type { AppEnvironment } from '../../src/http/environment.ts';
import { presentError } from '../../src/http/present-error.ts';
import { createRateLimits } from '../../src/http/rate-limit.ts';
import { defineProject, migrationsOf } from '../../src/project-database.ts';
import { createExpiry } from '../../src/services/analytics/delete-expired.ts';
import { analyticsRoutes } from '../../src/services/analytics/routes.ts';
import { openMigratedEngine } from '../database/build-test-engine.ts';
import { readTestResponse, type TestResponse } from '../test-response.ts';

export const BROWSER =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
export const READER_IP = '203.0.113.7';
const PUBLIC_URL = 'https://journal.example';
/** The time at the start of every test. */
export const NOON = Date.UTC(2026, 10, 20, 12);

const text = { type: 'text', max: 100 } as const;
const integer = { type: 'integer' } as const;

/** Essays, some of them with an owner, and likes, which are counted. */
const DEFINITION = defineProject({
  id: 'journal',
  tables: {
    essays: { columns: { id: text, user_id: text }, policies: {} },
    likes: { columns: { id: text, essay_id: text, created_at: integer }, policies: {} },
  },
  roles: { author: { permissions: ['essays'] }, admin: { permissions: ['*', 'insights.all'] } },
  signUpRole: 'author',
  origins: ['https://app.example'],
  migrations: {
    'journal-1': {
      async up({ schema }: Kysely<unknown>) {
        await schema
          .createTable('essays')
          .addColumn('id', 'text', (column) => column.notNull().primaryKey())
          .addColumn('user_id', 'text')
          .execute();
        await schema
          .createTable('likes')
          .addColumn('id', 'text', (column) => column.notNull().primaryKey())
          .addColumn('essay_id', 'text', (column) => column.notNull())
          .addColumn('created_at', 'bigint', (column) => column.notNull())
          .execute();
      },
    },
  },
  insights: {
    all: permitted('insights.all'),
    pages: { '/essay/{id}': 'essays' },
    counts: { likes: { table: 'likes', column: 'essay_id', about: 'essays' } },
  },
});

export interface AnalyticsTestCall {
  caller?: Caller;
  /** Sent as JSON, unless it is text. */
  body?: unknown;
  headers?: Record<string, string>;
  ipAddress?: string;
}

interface TestNodeOptions {
  rateLimit?: boolean;
  /** Days. */
  retention?: number;
  bytesPerDay?: number;
  bytesWaiting?: number;
}

export function buildPerson(id: string, role = 'author'): Caller {
  return { kind: 'user', id, email: `${id}@example.org`, displayName: null, role };
}

/** Opens the service of one node on a database that others may share. */
function openNode(database: Database, now: () => number, options: TestNodeOptions) {
  const { rateLimit = false, retention = 90, ...ingest } = options;
  const project: Project = { definition: DEFINITION, database, secretKey: 'sk_test' };
  const log = pino({ level: 'silent' });
  const service = analyticsRoutes({
    limits: createRateLimits({ enabled: rateLimit }),
    origins: listOrigins(PUBLIC_URL, [DEFINITION]),
    now,
    ...ingest,
  });
  const expiry = createExpiry({ projects: new Map([['journal', project]]), retention, log, now });

  async function call(method: string, path: string, given: AnalyticsTestCall = {}): Promise<TestResponse> {
    const { caller = anonymous, body, headers = {}, ipAddress = READER_IP } = given;
    const app = new Hono<AppEnvironment>();
    app.onError(presentError);
    app.use(async (c, next) => {
      c.set('project', project);
      c.set('caller', caller);
      c.set('clientIp', ipAddress);
      await next();
    });
    app.route('/api/analytics/journal', service.routes);
    const response = await app.request(`${PUBLIC_URL}/api/analytics/journal${path}`, {
      method,
      headers: { 'user-agent': BROWSER, ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return readTestResponse(response);
  }

  return {
    call,
    log: (events: readonly unknown[], given: AnalyticsTestCall = {}) =>
      call('POST', '/log', { ...given, body: { events } }),
    insights: (caller: Caller, query = '') => call('GET', `/insights${query}`, { caller }),
    deleteExpired: expiry.deleteExpired,
    async close() {
      await service.close();
      await expiry.close();
    },
  };
}

export type TestNode = ReturnType<typeof openNode>;

/**
 * Opens a database with analytics for all tests of a file and a node for each of them, and closes both. Both are handed
 * to `assign` before each test.
 */
export function setUpAnalytics(assign: (opened: { analytics: TestAnalytics; node: TestNode }) => void): void {
  let analytics: TestAnalytics;
  beforeAll(async () => {
    analytics = await openTestAnalytics();
  });
  afterAll(() => analytics.close());
  beforeEach(() => assign({ analytics, node: analytics.open() }));
  afterEach(() => analytics.reset());
}

/** Opens a project's database with essays of Ada and Ben, and a clock that moves only when a test moves it. */
async function openTestAnalytics() {
  const schema = schemaOf(DEFINITION);
  const engine = await openMigratedEngine([{ id: 'journal', schema, migrations: migrationsOf(DEFINITION) }]);
  const database = await engine.open({ id: 'journal', schema });
  await database.writer
    .insertInto('essays')
    .values(['ada', 'ben'].map((user_id) => ({ id: `of-${user_id}`, user_id })))
    .execute();
  let time = NOON;
  const now = () => time;
  const opened: { close(): Promise<void> }[] = [];
  const open = (on: Database, options: TestNodeOptions) => {
    const node = openNode(on, now, options);
    opened.unshift(node);
    return node;
  };
  return {
    database,
    now,
    moveClock(ms: number) {
      time += ms;
    },
    /** Opens one of any number of nodes on the database. */
    open: (options: TestNodeOptions = {}) => open(database, options),
    /** Opens a node on a connection of its own, as another process would. */
    async openElsewhere(): Promise<TestNode> {
      const other = engine.another();
      const shared = await other.open({ id: 'journal', schema });
      opened.unshift(shared, other);
      return open(shared, {});
    },
    async rows(table: string): Promise<TestResponse['body'][]> {
      return (await sql<object>`select * from ${sql.table(table)}`.execute(database.reader)).rows;
    },
    /** Empties the tables of analytics and sets the clock, for the next test. */
    async reset() {
      for (const node of opened.splice(0)) await node.close();
      for (const table of ['events', 'days', 'readers', 'salts'])
        await database.writer.deleteFrom(`analytics_${table}`).execute();
      await database.writer.deleteFrom('likes').execute();
      time = NOON;
    },
    async close() {
      await database.close();
      await engine.close();
    },
  };
}

export type TestAnalytics = Awaited<ReturnType<typeof openTestAnalytics>>;

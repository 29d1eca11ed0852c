import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const exclude = ['**/node_modules/**', '**/build/**'];
const SERVICES = 'packages/backend/src/services';
const POSTGRES_ONLY = 'packages/backend/src/**/postgres/**/*.test.ts';
const SQLITE_ONLY = 'packages/backend/src/database/engines/sqlite/**';

/**
 * What differs between the engines runs on both: the database, REST, migrations, the statements of the pages, the
 * acceptance of the wire contract, and one suite a service. Everything else runs on SQLite alone.
 */
const DIFFERS = [
  POSTGRES_ONLY,
  'packages/backend/src/database/**/*.test.ts',
  `${SERVICES}/rest/**/*.test.ts`,
  'apps/journal/project/**/*.test.ts',
  'tests/acceptance/{postgrest-client,public-client,public-client-database,public-client-sql}.test.ts',
  'tests/cli/{backup,migrate}.test.ts',
  'tests/projects/taken-back-migration.test.ts',
  'tests/server/{older-node,read-rows}.test.ts',
];

const ONE_SUITE_A_SERVICE = [
  'apps/journal/desk/desk.test.ts',
  'apps/journal/server/page-cache/page-cache.test.ts',
  'packages/backend/src/mail/mail-queue.test.ts',
  `${SERVICES}/ai/usage/*.test.ts`,
  `${SERVICES}/analytics/events/*.test.ts`,
  `${SERVICES}/auth/sessions/sessions.test.ts`,
  `${SERVICES}/data/requests/*.test.ts`,
  `${SERVICES}/notifications/notice-worker.test.ts`,
  `${SERVICES}/realtime/{announce-changes,realtime}.test.ts`,
  `${SERVICES}/storage/uploads/upload.test.ts`,
];

/** With `npm run test:engines`, every test that sends a statement to a database runs on both. */
const WITH_A_DATABASE = [
  'apps/journal/{desk,project,server}/**/*.test.ts',
  'packages/backend/src/*.test.ts',
  POSTGRES_ONLY,
  'packages/backend/src/{core,database,mail}/**/*.test.ts',
  `${SERVICES}/{rest,auth,analytics,notifications}/**/*.test.ts`,
  `${SERVICES}/ai/usage/*.test.ts`,
  `${SERVICES}/data/requests/*.test.ts`,
  `${SERVICES}/realtime/{,presence}/*.test.ts`,
  `${SERVICES}/storage/{,removal,serving,uploads}/*.test.ts`,
  'packages/client/src/realtime/subscriptions.test.ts',
  'tests/{acceptance,cli,projects,server}/*.test.ts',
];

const durations: Readonly<Record<string, number>> = JSON.parse(
  readFileSync(new URL('tests/durations.json', import.meta.url), 'utf8'),
);

/** Starts the files first that took longest in the last run, else those that `npm run test:durations` has noted. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const duration = (file: TestSpecification) => {
      const key = `${file.project.name}:${relative(this.ctx.config.root, file.moduleId)}`;
      return this.ctx.cache.getTestSpecificationResult(file)?.duration ?? (durations[key] ?? 0) * 1_000;
    };
    const projects = Object.values(Object.groupBy(await super.sort(files), ({ project }) => project.name));
    return projects.flatMap((sorted = []) => sorted.toSorted((a, b) => duration(b) - duration(a)));
  }
}

export default defineConfig({
  test: {
    // Nothing here keeps state in its modules, and most of the time goes into loading them anew for each file.
    isolate: false,
    // A worker waits for servers and processes a third of its time. Two leave room for the browser tests beside them.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    // Only a test that hangs takes that long: a busy machine must fail none.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: {
      requireAssertions: true,
      // A condition that a test waits for is true at once, except where the machine is busy.
      poll: { timeout: 30_000 },
    },
    setupFiles: 'tests/setup.ts',
    projects: [
      {
        extends: true,
        test: {
          name: 'sqlite',
          include: ['packages/**/*.test.ts', 'apps/**/*.test.ts', 'bench/**/*.test.ts', 'tests/**/*.test.ts'],
          exclude: [...exclude, POSTGRES_ONLY],
          env: { TEST_ENGINE: 'sqlite' },
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: process.env.ENGINES === 'both' ? WITH_A_DATABASE : [...DIFFERS, ...ONE_SUITE_A_SERVICE],
          exclude: [...exclude, SQLITE_ONLY],
          env: { TEST_ENGINE: 'postgres' },
          globalSetup: 'tests/peers/postgres-setup.ts',
        },
      },
    ],
  },
});

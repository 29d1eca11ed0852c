import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const exclude = ['**/node_modules/**', '**/build/**'];
const SERVICES = 'packages/backend/src/services';
const POSTGRES_ONLY = 'packages/backend/src/**/postgres/**/*.test.ts';
const SQLITE_ONLY = 'packages/backend/src/database/engines/sqlite/**';

/**
 * The folders whose tests run on both engines. Everything else runs on SQLite alone: images, documents, models,
 * sockets and whatever stands in a folder `once/` behave the same on any database.
 */
const ON_BOTH_ENGINES = [
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

/** The tests in those folders that send no statement of their own to the database: others, which run on both engines, send the same. */
const ON_ANY_ENGINE = [
  `${SERVICES}/auth/passwords/*.test.ts`,
  `${SERVICES}/auth/providers/{apple,authorize,github,openid-connect,provider-settings,sign-in-flow}.test.ts`,
  `${SERVICES}/auth/routes/limits.test.ts`,
  `${SERVICES}/auth/sessions/{access-token,session-list}.test.ts`,
  `${SERVICES}/auth/{fresh-proof,owner-notices}/*.test.ts`,
  `${SERVICES}/storage/serving/*.test.ts`,
  `${SERVICES}/storage/uploads/{broken,receive}-upload.test.ts`,
  'apps/journal/desk/describe-picture.test.ts',
  'tests/acceptance/public-client-{ai,auth}.test.ts',
];

/** Small files whose tests take long. */
const LONG = /\/tests\/(attacks|server\/killed-translation|cli\/once\/full-disk)/;

/** Starts large files first, and before them the small ones that take long: at the end, one would run while nothing else is left. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const projects = Object.values(Object.groupBy(await super.sort(files), ({ project }) => project.name));
    return projects.flatMap((sorted = []) => [
      ...sorted.filter(({ moduleId }) => LONG.test(moduleId)),
      ...sorted.filter(({ moduleId }) => !LONG.test(moduleId)),
    ]);
  }
}

export default defineConfig({
  test: {
    // Nothing here keeps state in its modules, and most of the time goes into loading them anew for each file.
    isolate: false,
    // Most tests wait for servers and processes now and then: three at a time keep two cores busy.
    maxWorkers: 3,
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
          include: ON_BOTH_ENGINES,
          exclude: [...exclude, SQLITE_ONLY, ...ON_ANY_ENGINE],
          env: { TEST_ENGINE: 'postgres' },
          globalSetup: 'tests/peers/postgres-setup.ts',
        },
      },
    ],
  },
});

import { defineConfig } from 'vitest/config';
import { findDatabaseTests } from './tests/find-database-tests.ts';

const tests = ['packages/**/*.test.ts', 'apps/**/*.test.ts', 'tests/**/*.test.ts'];
const exclude = ['**/node_modules/**', '**/build/**'];
/** They bring servers of their own, and are run once. */
const ofPostgres = 'packages/backend/src/database/postgres/**';

export default defineConfig({
  test: {
    // Nothing here keeps state in its modules, and most of the time went into loading them anew for each file.
    isolate: false,
    // Most of them wait for servers and processes now and then: three at a time take two cores.
    maxWorkers: 3,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What is waited for comes at once, save where the machine is busy.
    expect: { poll: { timeout: 10_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'sqlite',
          include: tests,
          exclude: [...exclude, ofPostgres],
          env: { TEST_ENGINE: 'sqlite' },
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: [...findDatabaseTests(), `${ofPostgres}/*.test.ts`],
          exclude,
          env: { TEST_ENGINE: 'postgres' },
          globalSetup: 'tests/postgres-setup.ts',
        },
      },
    ],
  },
});

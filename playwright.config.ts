import { defineConfig } from '@playwright/test';
import { DISABLED_FEATURES } from './packages/backend/src/services/data/browser/chromium-arguments.ts';
import { isBuilt } from './scripts/built.mjs';
import { findInstalledChromium } from './scripts/find-programs.mjs';
import { root } from './scripts/runtime.mjs';

/** The path of an installed Chromium. The workers have it from the process that started them. */
const executablePath = findInstalledChromium();
if (executablePath) process.env.CHROMIUM_PATH = executablePath;

// The pages of former sources would fail tests that are right, and pass tests that are not. Workers read this file once more.
if (process.env.TEST_WORKER_INDEX === undefined && !isBuilt(root))
  throw new Error(
    'The pages are older than their sources: npm run build, or npm test -- <path>, which builds.',
  );

export default defineConfig({
  testDir: 'tests/e2e',
  forbidOnly: true,
  // A worker waits for a quarter of its time, in which the other tests beside them go on.
  workers: 2,
  fullyParallel: false,
  // Only a test that hangs takes that long: a busy machine must fail none.
  timeout: 180_000,
  retries: 0,
  // Long enough for a busy machine: a test goes on as soon as it sees what it expects.
  expect: { timeout: 30_000 },
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ? [['list'], ['json']] : [['list']],
  outputDir: '.cache/test-results',
  use: {
    // A step that waits for ever fails before its test does, and is named.
    actionTimeout: 90_000,
    navigationTimeout: 90_000,
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // Without a spare process and one for the blank page, which each test would start for nothing.
        '--renderer-process-limit=1',
        // Nothing but this machine is found under any name or address.
        '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE localhost , EXCLUDE 127.0.0.1',
        `--disable-features=${DISABLED_FEATURES.join(',')}`,
      ],
    },
    trace: 'off',
    // None of the journal's languages, so that pages offer no other one.
    locale: 'pt-PT',
    // Movements are rendered frame by frame, by the processor. The tests that look at them turn them on.
    contextOptions: { reducedMotion: 'reduce' },
    // What a service worker fetches cannot be watched or paused. The tests of reading offline allow it.
    serviceWorkers: 'block',
  },
});

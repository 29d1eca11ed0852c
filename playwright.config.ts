import { defineConfig } from '@playwright/test';
import { DISABLED_FEATURES } from './packages/backend/src/services/data/browser/chromium-arguments.ts';

/** The path of an installed Chromium. Without one, Playwright's own is used. */
const executablePath = process.env.CHROMIUM_PATH;

export default defineConfig({
  testDir: 'tests/e2e',
  forbidOnly: true,
  // A worker waits for a quarter of its time, so two cores take three.
  workers: 3,
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
    // Movements are rendered frame by frame, by the processor. The tests that look at them turn them on.
    contextOptions: { reducedMotion: 'reduce' },
    // What a service worker fetches cannot be watched or paused. The tests of reading offline allow it.
    serviceWorkers: 'block',
  },
});

import { defineConfig } from '@playwright/test';

/** A Chromium that is already there; without one Playwright's own is used. */
const executablePath = process.env.CHROMIUM_PATH;

export default defineConfig({
  testDir: 'tests/e2e',
  forbidOnly: true,
  workers: 2,
  fullyParallel: false,
  timeout: 60_000,
  // A browser on a busy machine: a second try is listed as flaky, and a fault fails both.
  retries: 1,
  // Room for a busy machine; what is expected is seen as soon as it is there.
  expect: { timeout: 15_000 },
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ? [['list'], ['json']] : [['list']],
  outputDir: '.cache/test-results',
  use: {
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
      ],
    },
    trace: 'off',
  },
});

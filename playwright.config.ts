import { defineConfig } from '@playwright/test';

/** A Chromium that is already there; without one Playwright's own is used. */
const executablePath = process.env.CHROMIUM_PATH;

/** Of two such switches Chromium takes the last, so Playwright's own features stand here as well. */
const DISABLED_FEATURES = [
  // A process for each window, with the suggestions below an address bar that nobody sees: a sixth of all work.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  // Playwright's.
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
];

export default defineConfig({
  testDir: 'tests/e2e',
  forbidOnly: true,
  // One more than cores: a worker waits for a quarter of its time.
  workers: 3,
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
        // None in reserve, and none for the blank page before the first: each test would begin with two in vain.
        '--renderer-process-limit=1',
        `--disable-features=${DISABLED_FEATURES.join(',')}`,
      ],
    },
    trace: 'off',
  },
});

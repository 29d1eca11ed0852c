// npm test: installs what the tests need, runs all of them, then lists the failures and counts the tests in one line.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildPages } from './build-pages.mjs';
import { findChromium, findRedisServer } from './find-programs.mjs';
import { install } from './install.mjs';
import { node, root, serverEnvironment } from './runtime.mjs';

await install('everything');
await buildPages();
const results = join(root, '.cache', 'results');
rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });
const environment = {
  ...process.env,
  CHROMIUM_PATH: findChromium(),
  REDIS_SERVER_PATH: findRedisServer(),
  FORCE_COLOR: '0',
  // Each database of a test on SQLite starts threads, which load the same modules.
  NODE_COMPILE_CACHE: serverEnvironment.NODE_COMPILE_CACHE,
};
delete environment.NODE_ENV;

const vitest = runSuite('vitest', [
  'node_modules/vitest/vitest.mjs',
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${join(results, 'vitest.json')}`,
]);
const playwright = runSuite('playwright', ['node_modules/@playwright/test/cli.js', 'test']);

const passed = vitest.passed + playwright.passed;
const failed = vitest.failed + playwright.failed;
for (const failure of [...vitest.failures, ...playwright.failures]) console.log(`FAILED ${failure}`);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 || vitest.status !== 0 || playwright.status !== 0 ? 1 : 0);

/** Runs a suite and returns its counts. A runner that fails without a failed test counts as one failure. */
function runSuite(name, args) {
  const report = join(results, `${name}.json`);
  const { status } = spawnSync(node(), args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...environment, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
  });
  const counts = existsSync(report)
    ? countTests(JSON.parse(readFileSync(report, 'utf8')))
    : { passed: 0, failed: 0, failures: [] };
  return { ...counts, status, failed: status !== 0 && counts.failed === 0 ? 1 : counts.failed };
}

/** Returns the counts of a JSON report of Playwright or of Vitest (in Jest's format), and a line for each failure. */
function countTests(report) {
  if (report.stats)
    return {
      passed: report.stats.expected + report.stats.flaky,
      failed: report.stats.unexpected + report.stats.skipped,
      failures: report.suites.flatMap(failedSpecs),
    };
  return {
    passed: report.numPassedTests,
    failed: report.numTotalTests - report.numPassedTests,
    failures: report.testResults.flatMap((file) => [
      ...(file.status === 'failed' && file.message ? [failureLine(file.name, '', file.message)] : []),
      ...file.assertionResults
        .filter((test) => test.status !== 'passed')
        .map((test) => failureLine(file.name, test.fullName, test.failureMessages[0] ?? test.status)),
    ]),
  };
}

function failedSpecs(suite) {
  return [
    ...(suite.suites ?? []).flatMap(failedSpecs),
    ...(suite.specs ?? [])
      .filter((spec) => !spec.ok)
      .map((spec) =>
        failureLine(
          spec.file,
          spec.title,
          spec.tests.flatMap((test) => test.results).at(-1)?.error?.message ?? 'skipped',
        ),
      ),
  ];
}

function failureLine(file, test, message) {
  return `${file.replace(`${root}/`, '')} › ${test}: ${message.split('\n')[0]}`;
}
